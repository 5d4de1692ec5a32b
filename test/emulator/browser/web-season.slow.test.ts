/** A season in the dashboard, on the real emulators: the live top, ranks, lists, and what an admin does to players. */
import { readFileSync } from "node:fs";
import type { Locator } from "playwright-core";
import { beforeAll, describe, expect } from "vitest";
import { playerPath, seasonPath } from "../../../functions/src/documents/paths.ts";
import { test } from "../../support/chromium.ts";
import { eventually, soon, type LiveBoard } from "../../support/live.ts";
import type { Visit } from "../../support/browser/dashboard.ts";
import { dashboard, live, setStage } from "../../support/browser/stage.ts";

setStage();

let board: LiveBoard;
/** Sixty players: p1 has 10 points, p2 has 20, …; p60 leads. */
const points = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`p${i + 1}`, 10 * (i + 1)]));

beforeAll(async () => {
  board = await live.board({ visibility: "public", tiers: [{ name: "Gold", top_percent: 10 }] });
  const submissions = Object.entries(points).map(([player, score]) => ({ player, score }));
  await live.admin.call("submitScores", { leaderboard: board.leaderboard, submissions });
  await board.rank();
});

const path = (rest = "") => `/boards/${board.leaderboard}/all_time${rest}`;
const topOf = ({ page }: Visit) => page.getByRole("region", { name: /^Top/ });
const playersIn = async (visit: Visit) =>
  (await topOf(visit).getByRole("row").locator("a").allInnerTexts()).slice(0, 3);

test("a score enters the top live, and its row moves to the new place", async () => {
  const visit = await dashboard.visit(path(), { as: "admin" });
  await soon(() => playersIn(visit)).toEqual(["p60", "p59", "p58"]);
  const climber = await live.as("climber");
  await climber.call("submitScore", { leaderboard: board.leaderboard, score: 595, display_name: "Climber" });
  await soon(() => playersIn(visit)).toEqual(["p60", "Climber", "p59"]);
  await topOf(visit).getByText("new in the top").waitFor();
  await climber.call("submitScore", { leaderboard: board.leaderboard, score: 700 });
  await soon(() => playersIn(visit)).toEqual(["Climber", "p60", "p59"]);
  await topOf(visit).getByText("up 1").waitFor();
  await live.admin.call("removePlayer", { leaderboard: board.leaderboard, player: live.uid("climber") });
  await soon(() => playersIn(visit)).toEqual(["p60", "p59", "p58"]);
  await board.rank();
});

test("names are isolated, an admin also sees ids, and players without a visible name are shown by id", async () => {
  const named = await live.board({ visibility: "public", ranking_interval_minutes: 60 });
  const fromTheRight = "\u202eאבא)";
  const scores = { ann: 30, bob: 20, cyd: 10 };
  const names: Record<string, string> = { ann: fromTheRight, bob: "Bob" };
  const submissions = Object.entries(scores).map(([player, score]) => ({ player, score }));
  await live.admin.call("submitScores", {
    leaderboard: named.leaderboard,
    submissions: submissions.map((one) => ({ ...one, display_name: names[one.player] ?? one.player })),
  });
  // As a trusted server writes it, without any check.
  await live.db.doc(`${seasonPath(named.key)}/players/cyd`).update({ display_name: "\u3164" });
  await named.rank();
  const there = `/boards/${named.leaderboard}/all_time`;
  const rowsIn = (visit: Visit, table: Locator) =>
    eventually(async () => {
      expect(visit.problems()).toEqual([]);
      const links = table.getByRole("row").locator("a");
      expect(await links.locator("bdi").allInnerTexts()).toEqual([fromTheRight, "Bob", "cyd"]);
      return table.getByRole("row").locator(".player-id").allInnerTexts();
    });
  const admin = await dashboard.visit(there, { as: "admin" });
  expect(await rowsIn(admin, topOf(admin))).toEqual(["ann", "bob"]);
  await admin.page.getByRole("link", { name: "Players", exact: true }).click();
  expect(await rowsIn(admin, admin.page.getByRole("region", { name: "Players" }))).toEqual(["ann", "bob"]);
  const player = await dashboard.visit(there, { as: "player" });
  expect(await rowsIn(player, topOf(player))).toEqual([]);
});

describe("without signing in, on a public board", () => {
  test("the histogram counts every player, and says so in a table too", async () => {
    const visit = await dashboard.visit(path());
    await visit.page.getByRole("img", { name: /^Histogram of score from 0/ }).waitFor();
    await visit.page.getByText("As a table").click();
    const counts = await visit.page
      .getByRole("region", { name: /^Distribution/ })
      .locator("tbody td:last-child")
      .allInnerTexts();
    expect(counts.map(Number).reduce((a, b) => a + b, 0)).toBe(60);
  });

  test("a player of the top is looked up by a click: rank, percentile, tier, and the players around", async () => {
    const visit = await dashboard.visit(path());
    await topOf(visit).getByRole("link", { name: "p58", exact: true }).click();
    const found = visit.page.getByRole("region", { name: "Look up a player" });
    await found.getByText("#3 of 60").waitFor();
    await found.getByText("Gold").waitFor();
    await found.getByText("percentile 96.61 %").waitFor();
    const around = found.getByRole("table", { name: "Around p58" });
    await around.waitFor();
    expect(await around.getByRole("link").allInnerTexts()).toEqual([
      "p60",
      "p59",
      "p58",
      "p57",
      "p56",
      "p55",
    ]);
    expect(await found.getByRole("button", { name: "Ban" }).count()).toBe(0);
  });

  test("the page says so if a player is not ranked", async () => {
    const visit = await dashboard.visit(path("?player=stranger"), { expected: /status of 404/ });
    await visit.page.getByText('Player "stranger" has no ranked score').waitFor();
  });

  test("the list goes to any place, forwards and backwards", async () => {
    const visit = await dashboard.visit(path("/players"));
    const first = () => visit.page.locator("tbody tr").first().innerText();
    await soon(first).toMatch(/^1\s+p60\s+600/);
    // Each place is the rank, so it is not shown.
    expect(await visit.page.getByRole("columnheader").allInnerTexts()).toEqual([
      "Rank",
      "Player",
      "Score",
      "Reached",
    ]);
    await visit.page.getByRole("button", { name: "Next 50" }).click();
    await soon(first).toMatch(/^51\s+p10\s+100/);
    expect(await visit.page.getByRole("button", { name: "Next 50" }).isDisabled()).toBe(true);
    await visit.page.getByRole("button", { name: "Previous 50" }).click();
    await soon(first).toMatch(/^1\s+p60/);
    await visit.page.getByRole("spinbutton", { name: "Go to place" }).fill("42");
    await visit.page.getByRole("button", { name: "Go", exact: true }).click();
    await soon(first).toMatch(/^42\s+p19\s+190/);
    await visit.page.getByRole("spinbutton", { name: "Go to place" }).fill("900");
    await visit.page.keyboard.press("Enter");
    await visit.page.getByText("There is no player at this place").waitFor();
  });
});

test("the list of players says as of when it is, and offers a newer generation", async () => {
  const busy = await live.board({ visibility: "public", ranking_interval_minutes: 60 });
  await busy.submit({ ann: 10, bob: 20 });
  await busy.rank();
  const { page } = await dashboard.visit(`/boards/${busy.leaderboard}/all_time/players`);
  const list = page.getByRole("region", { name: "Players" });
  await list.getByText(/^Generation 1, as of /).waitFor();
  const offer = list.getByRole("button", { name: "Show generation 2" });
  await busy.submit({ cyd: 30 });
  await busy.rank();
  await offer.click();
  await list.getByText(/^Generation 2, as of /).waitFor();
  const players = ["cyd", "bob", "ann"].map((name) => live.uid(name));
  expect(await list.getByRole("link").allInnerTexts()).toEqual(players);
  expect(await offer.count()).toBe(0);
});

test("players with equal scores are paged forth and back, each on one page", async () => {
  const equal = await live.board({ visibility: "public", ranking_interval_minutes: 60 });
  const { leaderboard } = equal;
  const submissions = Array.from({ length: 120 }, (_, i) => ({ player: `q${i}`, score: 7 }));
  await live.admin.call("submitScores", { leaderboard, submissions });
  await equal.rank();
  const { page } = await dashboard.visit(`/boards/${leaderboard}/all_time/players`);
  await page.getByRole("columnheader", { name: "Place" }).waitFor();
  const pages: string[][] = [];
  for (const button of ["", "Next 50", "Next 50", "Previous 50", "Previous 50"]) {
    if (button !== "") await page.getByRole("button", { name: button }).click();
    await eventually(async () => {
      const shown = await page.locator("tbody a").allInnerTexts();
      expect([[], pages.at(-1)]).not.toContainEqual(shown);
      pages.push(shown);
    });
  }
  expect(pages.slice(0, 3).map(({ length }) => length)).toEqual([50, 50, 20]);
  expect(new Set(pages.slice(0, 3).flat()).size).toBe(120);
  expect(pages.slice(3)).toEqual([pages[1], pages[0]]);
});

test("a segment is chosen beside the season: its top, list, chart and ranks are shown, and the address keeps it", async () => {
  const own = await live.board({
    visibility: "public",
    segments: [
      { name: "country", from: "submission", values: ["AT", "DE", "CH"] },
      { name: "guild", from: "server" },
    ],
  });
  const { leaderboard, key } = own;
  const submissions = Array.from({ length: 9 }, (_, i) => ({
    player: `p${i + 1}`,
    score: 10 * (i + 1),
    segments: { country: i % 3 === 0 ? "AT" : "DE", ...(i < 2 && { guild: "owls" }) },
  }));
  await live.admin.call("submitScores", { leaderboard, submissions });
  await own.rank();
  const there = `/boards/${leaderboard}/all_time`;
  const { page } = await dashboard.visit(`${there}?player=p4`, { as: "admin", expected: /status of 404/ });
  const found = page.getByRole("region", { name: "Look up a player" });
  await found.getByText("country AT: #2 of 3").waitFor();

  await page.getByLabel("Players: All players. Choose others").click();
  await page
    .getByRole("list", { name: "guild" })
    .getByRole("link", { name: "owls" })
    .getByText("2 players")
    .waitFor();
  await page.getByRole("list", { name: "country" }).getByRole("link", { name: "AT" }).click();
  await page.waitForURL(`**${there}?segment=country:AT&player=p4`);
  await found.getByText("#2 of 3").waitFor();
  const namesIn = (place: Locator) => soon(() => place.getByRole("row").locator("a").allInnerTexts());
  await namesIn(found.getByRole("table", { name: "Around p4" })).toEqual(["p7", "p4", "p1"]);
  const top = page.getByRole("region", { name: "Top of country AT" });
  await top.getByText("3 players, as of").waitFor();
  await namesIn(top).toEqual(["p7", "p4", "p1"]);
  const chart = page.getByRole("region", { name: /^Distribution/ });
  await chart.getByText("3 players, 3 different scores").waitFor();
  await page.getByRole("spinbutton", { name: "A score of" }).fill("50");
  await page.getByRole("button", { name: "Where does it rank?" }).click();
  await chart.getByText("ranks 2 of 3").waitFor();

  await page.getByRole("link", { name: "Players", exact: true }).click();
  await page.waitForURL(`**${there}/players?segment=country:AT`);
  const list = page.getByRole("region", { name: "Players" });
  await namesIn(list).toEqual(["p7", "p4", "p1"]);
  await page.getByLabel("Players: country AT. Choose others").click();
  await page.getByRole("textbox", { name: "guild" }).fill("owls");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await namesIn(list).toEqual(["p2", "p1"]);
  await page.getByLabel("Players: guild owls. Choose others").click();
  await page.getByRole("link", { name: "All players" }).click();
  await page.waitForURL(`**${there}/players`);
  await namesIn(list).toHaveLength(9);

  // Visitors see the same by the link.
  const visitor = await dashboard.visit(`${there}?segment=guild:owls`);
  await visitor.page.getByText("2 players, as of").waitFor();
  await visitor.page.getByText("2 players, 2 different scores").waitFor();
  expect((await live.db.doc(playerPath(key, "p1")).get()).get("segments")).toEqual({
    country: "AT",
    guild: "owls",
  });
});

describe("on a phone", () => {
  const browser = { viewport: { width: 390, height: 844 }, hasTouch: true };

  test("a tapped player opens a sheet that is in view, and closing it gives the focus back", async () => {
    const { page } = await dashboard.visit(path(), { as: "admin", browser });
    const link = topOf({ page } as Visit).getByRole("link", { name: "p55", exact: true });
    await link.tap();
    const sheet = page.getByRole("dialog", { name: "Player p55" });
    for (const part of [sheet.getByText("#6 of 60"), sheet.getByRole("button", { name: "Ban", exact: true })])
      await eventually(async () => {
        const box = await part.boundingBox();
        expect(box !== null && box.y >= 0 && box.y + box.height <= 844).toBe(true);
      });
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
    await page.locator("a:focus", { hasText: "p55" }).waitFor();
    await page.waitForURL(`**${path()}`);
    // The list of all players keeps its place.
    await page.goto(path("/players?place=11"));
    await page.getByRole("link", { name: "p40", exact: true }).tap();
    await page.getByRole("dialog", { name: "Player p40" }).getByText("#21 of 60").waitFor();
    await page.getByRole("button", { name: "Close" }).tap();
    await page.waitForURL(`**${path("/players?place=11")}`);
  });

  test("roles, the project and the account can be reached", async () => {
    const { page } = await dashboard.visit("/boards", { as: "admin", browser });
    await page.getByLabel("Account admin@example.com").tap();
    for (const text of ["admin@example.com", "Admin of all boards", /^Project \S+/])
      await page.locator(".picker-list").getByText(text).first().waitFor();
    await page.getByRole("button", { name: "Sign out" }).waitFor();
    await page.getByRole("link", { name: "Roles" }).tap();
    await page.waitForURL("**/roles");
  });
});

test("an admin hides, readmits, bans and removes a player, each after a question, which stays if that fails", async () => {
  const player = "p7";
  const { page } = await dashboard.visit(path(`?player=${player}`), {
    as: "admin",
    expected: /status of 404|net::ERR_FAILED/,
  });
  const status = async () =>
    (await live.db.doc(`leaderboards/${board.leaderboard}/seasons/all_time/players/${player}`).get()).get(
      "status",
    ) as unknown;
  const change = async (name: string, verb = name) => {
    await page.getByRole("button", { name, exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: verb }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
  };
  await page.getByRole("button", { name: "Hide" }).click();
  await page.getByRole("dialog", { name: "Hide p7?" }).getByRole("button", { name: "Cancel" }).click();
  expect(await status()).toBe("active");
  await change("Hide");
  expect(await status()).toBe("hidden");
  await page.getByText("Hidden: neither ranked nor listed").waitFor();
  await change("Readmit");
  expect(await status()).toBe("active");
  await page.getByRole("button", { name: "Ban", exact: true }).click();
  const question = page.getByRole("dialog", { name: "Ban p7?" });
  await question.getByRole("textbox", { name: "Reason" }).fill("A bot");
  await question.getByRole("button", { name: "Ban" }).click();
  await page.getByText("Banned: neither ranked nor listed").waitFor();
  await page.getByText("Reason: A bot").waitFor();
  expect(await status()).toBe("banned");
  await page
    .getByRole("status")
    .getByText("p7 is banned now.")
    .locator("..")
    .getByRole("button", { name: "Undo" })
    .click();
  await soon(status).toBe("active");
  await page.getByText("Reason: A bot").waitFor({ state: "detached" });
  await change("Ban");
  expect(await status()).toBe("banned");

  await page.getByRole("button", { name: "Remove" }).click();
  const dialog = page.getByRole("dialog", { name: `Remove p7 from ${board.leaderboard}?` });
  const remove = dialog.getByRole("button", { name: "Remove permanently" });
  expect(await remove.isDisabled()).toBe(true);
  await dialog.getByRole("textbox").fill("p7");
  await page.route("**/removePlayer", (route) => route.abort(), { times: 1 });
  await remove.click();
  await dialog.getByText("removePlayer cannot be reached.").waitFor();
  expect(await status()).toBe("banned");
  await remove.click();
  await page.getByText("p7 was removed from 1 season.").waitFor();
  expect(await status()).toBeUndefined();
});

test("an admin finds a player by name, saves what is stored, sees who is banned, and merges two", async () => {
  const { leaderboard } = board;
  const submissions = [
    { player: "guest", score: 5, display_name: "Zed the Great" },
    { player: "zed", score: 3 },
  ];
  await live.admin.call("submitScores", { leaderboard, submissions });
  const { page } = await dashboard.visit(path(), { as: "admin", expected: /status of 404/ });
  await page.getByRole("combobox", { name: "Player ID" }).fill("Zed t");
  await page
    .locator('#players-found option[value="guest"][label="Zed the Great"]')
    .waitFor({ state: "attached" });

  await live.admin.call("setPlayerStatus", { leaderboard, player: "guest", status: "banned" });
  await page.goto(path("/players"));
  await page.getByRole("region", { name: "Left out" }).getByRole("link", { name: "guest" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export", exact: true }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`${leaderboard}-guest.json`);
  const file = JSON.parse(readFileSync(await download.path(), "utf8")) as unknown;
  expect(file).toMatchObject({ player: "guest", seasons: [{ player: { display_name: "Zed the Great" } }] });

  await page.getByRole("textbox", { name: "Name" }).fill("Zed");
  await page.getByRole("button", { name: "Rename" }).click();
  await page.getByText("guest is named Zed now.").waitFor();
  expect((await live.db.doc(playerPath(board.key, "guest")).get()).get("display_name")).toBe("Zed");

  await page.getByRole("textbox", { name: "Merge into" }).fill("zed");
  await page.getByRole("button", { name: "Merge …" }).click();
  const dialog = page.getByRole("dialog", { name: "Merge guest into zed?" });
  await dialog.getByRole("textbox").fill("zed");
  await dialog.getByRole("button", { name: "Merge", exact: true }).click();
  await page.getByText("guest is merged into zed, in 1 season.").waitFor();
  await page.waitForURL(/player=zed$/);
  // The ban stays with the id.
  expect((await live.db.doc(playerPath(board.key, "guest")).get()).get("score")).toBeUndefined();
});
