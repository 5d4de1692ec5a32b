/** The dashboard's frame: how it is served, how large it is, and who sees which boards. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect } from "vitest";
import { leaderboardPath, seasonPath } from "../../../functions/src/documents/paths.ts";
import { emptyRecord } from "../../../functions/src/documents/ranking-record.ts";
import { root } from "../../../scripts/project.ts";
import { test } from "../../support/chromium.ts";
import { eventually, soon } from "../../support/live.ts";
import { dashboard, live, setStage } from "../../support/browser/stage.ts";

setStage();

const dist = join(root, "web", "dist");
const firstLoadMax = 250 * 1_024;

describe("what is served", () => {
  test("the first load is under 250 KB gzipped, the font included", () => {
    const page = readFileSync(join(dist, "index.html"), "utf8");
    const named = [...page.matchAll(/(?:src|href)="\/([^"]+)"/g)].map(([, path]) => path ?? "");
    expect(named.some((path) => path.endsWith(".js"))).toBe(true);
    const sizes = ["index.html", ...named].map((path) => gzipSync(readFileSync(join(dist, path))).length);
    expect(sizes.reduce((a, b) => a + b, 0)).toBeLessThan(firstLoadMax);
  });

  test("every address of the dashboard serves the page, which is fetched again each time", async () => {
    const response = await fetch(`${dashboard.address}/boards/chess/all_time/runs`);
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toContain("text/html");
    expect(response.headers.get("Cache-Control")).toBe("no-cache");
  });

  test("scripts and styles, whose names change with them, are kept for a year", async () => {
    for (const name of readdirSync(join(dist, "assets"))) {
      const response = await fetch(`${dashboard.address}/assets/${name}`);
      expect(response.headers.get("Cache-Control"), name).toBe("public, max-age=31536000, immutable");
    }
  });

  test("the page may run no script but its own and Google's, of which sign-in and App Check need some, and be framed by nobody", async () => {
    const { headers } = await fetch(`${dashboard.address}/`);
    const policy = headers.get("Content-Security-Policy") ?? "";
    const directives = policy.split("; ").map((text) => text.split(" "));
    expect(Object.fromEntries(directives.map(([name = "", ...sources]) => [name, sources]))).toMatchObject({
      "default-src": ["'none'"],
      "script-src": [
        "'self'",
        "https://apis.google.com",
        "https://www.google.com/recaptcha/enterprise.js",
        "https://www.gstatic.com/recaptcha/releases/",
      ],
      "style-src": ["'self'"],
      "frame-ancestors": ["'none'"],
      "base-uri": ["'none'"],
    });
    expect(policy).not.toContain("unsafe");
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(headers.get("Referrer-Policy")).toBe("strict-origin-when-cross-origin");
    expect(headers.get("Permissions-Policy")).toContain("camera=()");
  });
});

test("a visitor who signs in, which another tab follows, comes back to the same address, and to no other site", async () => {
  const board = await live.board({ visibility: "public" });
  const path = `/boards/${board.leaderboard}/all_time`;
  const visit = await dashboard.visit(path);
  const other = await visit.page.context().newPage();
  await other.goto(path);
  await other.getByRole("link", { name: "Sign in" }).waitFor();
  await visit.page.getByRole("link", { name: "Sign in" }).click();
  await visit.page.getByRole("button", { name: "Sign in as admin" }).click();
  await visit.page.waitForURL(`**${path}`);
  for (const page of [visit.page, other]) await page.getByRole("link", { name: "Runs" }).waitFor();
  await visit.page.getByLabel(/^Account/).click();
  await visit.page.getByRole("button", { name: "Sign out" }).click();
  for (const page of [visit.page, other]) await page.getByRole("link", { name: "Sign in" }).waitFor();
  await visit.page.goto("/sign-in?to=//example.com/boards");
  await visit.page.getByRole("button", { name: "Sign in as admin" }).click();
  await visit.page.waitForURL(`${dashboard.address}/boards`);
});

describe("the list of boards", () => {
  test("shows an admin every board with its season, players and generation", async () => {
    const board = await live.board();
    await board.submit({ ann: 10, bob: 20 });
    const { generation } = await board.rank();
    const visit = await dashboard.visit("/boards", { as: "admin" });
    await visit.page.getByRole("searchbox").fill(board.leaderboard);
    const row = visit.page.getByRole("row").filter({ hasText: board.leaderboard });
    const cells = () => row.getByRole("cell").allInnerTexts();
    await eventually(async () => {
      expect((await cells()).slice(1, 5)).toEqual(["signed-in users", "all_time", "2", String(generation)]);
    });
    await row.getByText("Fresh").waitFor();
  });

  test("shows the season of a board's first span, however many tournaments are newer, and counts the open ones", async () => {
    const board = await live.board({ visibility: "public" });
    const { leaderboard } = board;
    await board.submit({ ann: 10, bob: 20 });
    await board.rank();
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
    for (const season of ["cup-1", "cup-2", "cup-3", "cup-4", "cup-5"])
      await live.admin.call("openSeason", { leaderboard, season });
    await live.admin.call("openSeason", { leaderboard, season: "next-cup", opens_at: inAnHour });
    for (const as of ["admin", "nobody"] as const) {
      const { page } = await dashboard.visit("/boards", { as });
      await page.getByRole("searchbox").fill(leaderboard);
      const row = page.getByRole("row").filter({ hasText: leaderboard });
      const cells = async () => (await row.getByRole("cell").allInnerTexts()).slice(2, 4);
      await soon(cells).toEqual([expect.stringMatching(/^all_time\s+\+ 5 open tournaments$/), "2"]);
      const href = await row.getByRole("link").getAttribute("href");
      expect(href).toBe(`/boards/${leaderboard}/all_time`);
    }
  });

  test("leads from a board that has only tournaments to their list", async () => {
    const { leaderboard } = await live.board({ visibility: "public", spans: [] });
    await live.admin.call("openSeason", { leaderboard, season: "cup" });
    const { page } = await dashboard.visit("/boards");
    await page.getByRole("searchbox").fill(leaderboard);
    const row = page.getByRole("row").filter({ hasText: leaderboard });
    await row.getByRole("cell", { name: "1 open tournament", exact: true }).waitFor();
    await row.getByRole("link").click();
    await page.getByRole("region", { name: "Seasons" }).getByRole("link", { name: "cup" }).waitFor();
  });

  test("shows only public boards to visitors who have not signed in", async () => {
    const [closed, open] = await Promise.all([live.board(), live.board({ visibility: "public" })]);
    const visit = await dashboard.visit("/boards");
    await visit.page.getByRole("searchbox").fill("board-");
    await visit.page.getByRole("searchbox").fill(open.leaderboard);
    await visit.page.getByRole("link", { name: open.leaderboard }).waitFor();
    await visit.page.getByRole("searchbox").fill(closed.leaderboard);
    await visit.page.getByText(`No board's id begins with “${closed.leaderboard}”`).waitFor();
  });

  test("shows a thousand boards twenty at a time, and finds the last one", async () => {
    const board = await live.board({ visibility: "public" });
    const definition = (await live.db.doc(leaderboardPath(board.leaderboard)).get()).data() ?? {};
    const many = Array.from({ length: 1_000 }, (_, i) => `many-${1_000 + i}`);
    for (const ids of [many.slice(0, 500), many.slice(500)]) {
      const batch = live.db.batch();
      for (const id of ids) batch.set(live.db.doc(leaderboardPath(id)), definition);
      await batch.commit();
    }
    const { page } = await dashboard.visit("/boards");
    const ids = soon(() => page.locator("tbody a").allInnerTexts());
    await page.getByRole("searchbox").fill("many-");
    await ids.toEqual(many.slice(0, 20));
    await page.getByRole("button", { name: "Show more" }).click();
    await ids.toEqual(many.slice(0, 40));
    await page.getByRole("searchbox").fill("many-1999");
    await ids.toEqual(["many-1999"]);
  });

  test("names the boards whose runs failed, and how often, even when they are not in view", async () => {
    const board = await live.board();
    const record = { ...emptyRecord(board.key, Date.now()), outcome: "failed", error: "no reason" };
    const runs = live.db.collection(`${seasonPath(board.key)}/runs`);
    await Promise.all([runs.add(record), runs.add(record)]);
    const visit = await dashboard.visit("/boards", { as: "admin" });
    await visit.page.getByText("Failed in the last 24 hours:").getByRole("link").first().waitFor();
    await visit.page.getByRole("searchbox").fill(board.leaderboard);
    await visit.page
      .getByRole("row")
      .filter({ hasText: board.leaderboard })
      .getByRole("cell", { name: "2", exact: true })
      .waitFor();
  });

  test("names an admin the boards whose definition was deleted, until they are created again", async () => {
    const board = await live.board({ visibility: "public" });
    await board.submit({ ann: 10 });
    await live.db.doc(seasonPath(board.key)).update({ parked: "no_definition", next_run_at: null });
    await live.db.doc(leaderboardPath(board.leaderboard)).delete();
    const visit = await dashboard.visit("/boards", { as: "admin" });
    const notice = visit.page.getByRole("status").filter({ hasText: board.leaderboard });
    await notice.getByText("was deleted, so the board is not ranked").waitFor();
    expect((await visit.shift()).shift).toBeLessThan(0.02);
    const href = await notice.getByRole("link", { name: board.leaderboard }).getAttribute("href");
    expect(href).toBe(`/boards/${board.leaderboard}`);
    const player = await dashboard.visit("/boards", { as: "player" });
    await player.page.getByRole("searchbox").waitFor();
    expect(await player.page.getByText("was deleted, so the board is not ranked").count()).toBe(0);

    await live.admin.call("saveLeaderboard", { leaderboard: board.leaderboard, definition: {} });
    await visit.page.reload();
    await visit.page.getByRole("searchbox").fill(board.leaderboard);
    await visit.page.getByRole("link", { name: board.leaderboard }).waitFor();
    expect(await notice.count()).toBe(0);
  });

  test("an admin deletes a board after typing its name; a player sees no button for it", async () => {
    const board = await live.board({ visibility: "public" });
    await board.submit({ ann: 10 });
    const player = await dashboard.visit(`/boards/${board.leaderboard}`, { as: "player" });
    await player.page.getByText("all_time").first().waitFor();
    expect(await player.page.getByRole("button", { name: "Delete" }).count()).toBe(0);

    const visit = await dashboard.visit(`/boards/${board.leaderboard}`, { as: "admin" });
    await visit.page.getByRole("button", { name: "Delete …" }).click();
    const confirm = visit.page.getByRole("button", { name: "Delete it" });
    expect(await confirm.isDisabled()).toBe(true);
    await visit.page.getByRole("textbox", { name: "to confirm" }).fill(board.leaderboard);
    await confirm.click();
    await visit.page.waitForURL(`${dashboard.address}/boards`);
    expect((await live.db.doc(leaderboardPath(board.leaderboard)).get()).exists).toBe(false);
    expect((await live.db.doc(seasonPath(board.key)).get()).get("status")).toBe("deleting");
  });
});
