/** The dashboard when something is wrong: no network, documents that are unreadable, calls that fail, a newer deployment. */
import { beforeAll, describe, expect } from "vitest";
import { leaderboardPath, pagePath } from "../../../functions/src/documents/paths.ts";
import { test } from "../../support/chromium.ts";
import { eventually, type LiveBoard } from "../../support/live.ts";
import type { Visit } from "../../support/browser/dashboard.ts";
import { dashboard, live, setStage } from "../../support/browser/stage.ts";

setStage();

let board: LiveBoard;
/** A board that is not published by the schedule during a test. */
const quiet = { ranking_interval_minutes: 60 };
/** What a browser reports of it. Offline, the SDK also tries an image of Google's, which the policy refuses. */
const expected =
  /Failed to (load|fetch)|net::ERR_|WebChannelConnection|Could not reach Cloud Firestore|cleardot/;

beforeAll(async () => {
  board = await live.board({ visibility: "public", ...quiet });
  await board.submit({ ann: 10, bob: 20 });
  await board.rank();
});

const path = (rest = "") => `/boards/${board.leaderboard}/all_time${rest}`;
const textOf = ({ page }: Visit) => page.locator("#main").innerText();

test.each(["the browser says so", "only Firestore's SDK has noticed"] as const)(
  "without a network the top is the last known one, and questions are answered when it is back: %s",
  // Chromium does not always tell the SDK's open connection that it is offline. A page that reloaded itself came out empty.
  { retry: 3 },
  async (who) => {
    const { page } = await dashboard.visit("/boards", { as: "admin", expected });
    page.setDefaultTimeout(20_000);
    if (who !== "the browser says so")
      await page.addInitScript("Object.defineProperty(navigator, 'onLine', { get: () => true })");
    await page.goto(path());
    const top = page.getByRole("region", { name: "Top 2" });
    await top.getByText("Live", { exact: true }).waitFor();
    // It can only remember what has arrived, the definition too.
    await page.locator(".figures .dot").waitFor();
    await page.getByText("descending, best").waitFor();
    await page.context().setOffline(true);
    await page.locator(".figures").getByText("Last known").waitFor();
    await top.getByText("Last known, as of").waitFor();
    expect(await page.getByText(/Live|Fresh|Quiet/).count()).toBe(0);
    if (who === "the browser says so") {
      // What can't work is off, and says why.
      const why = "This device is offline. Nothing can be changed until it is online again.";
      await page.getByRole("status").filter({ hasText: why }).waitFor();
      const rank = page.getByRole("button", { name: "Rank now" });
      expect([await rank.isDisabled(), await rank.getAttribute("title")]).toEqual([true, why]);
    }

    await top.getByRole("link", { name: live.uid("ann") }).click();
    const look = page.getByRole("region", { name: "Look up a player" });
    await look.getByText("getRank cannot be reached").waitFor();
    await page.context().setOffline(false);
    await look.getByText("#2 of 2").waitFor();
    await top.getByText("Live", { exact: true }).waitFor();
    expect(await page.getByRole("button", { name: "Rank now" }).isDisabled()).toBe(false);
  },
);

test("while Firestore cannot be reached the page says so, and not that there is no data; then it continues", async () => {
  const visit = await dashboard.visit("/boards", { as: "admin", expected });
  const { page } = visit;
  const context = page.context();
  const firestore = /google\.firestore\.v1\.Firestore|\/v1\/projects\//;
  await context.route(firestore, (route) => route.abort());
  await page.goto("/boards");
  await page.getByText("The boards could not be read").waitFor();
  await page.getByText("Firestore cannot be reached. This page continues when it can.").waitFor();
  expect(await textOf(visit)).not.toContain("No leaderboard");
  await page.goto(path());
  await page.getByText("The board could not be read").waitFor();
  expect(await textOf(visit)).not.toContain("There is no");
  const list = await context.newPage();
  await list.goto("/boards");
  await list.getByText("The boards could not be read").waitFor();

  await context.unroute(firestore);
  await eventually(async () => {
    expect(await textOf(visit)).toContain("2 different scores");
    expect(await list.getByRole("row").count()).toBeGreaterThan(1);
  });
  expect(await textOf(visit)).not.toContain("could not be read");
});

test("an unreadable definition is shown as a failure instead of loading forever", async () => {
  const broken = await live.board({ visibility: "public", ...quiet });
  await live.db.doc(leaderboardPath(broken.leaderboard)).update({ aggregation: "average" });
  const visit = await dashboard.visit(`/boards/${broken.leaderboard}`, { as: "admin" });
  await visit.page.getByText("The board could not be read").waitFor();
  await visit.page.goto(`/boards/${broken.leaderboard}/all_time`);
  await visit.page.getByText("The board could not be read").waitFor();
  await live.db.doc(leaderboardPath(broken.leaderboard)).update({ aggregation: "best" });
  await visit.page.getByText("No score yet", { exact: true }).waitFor();
});

describe("an id with a slash", () => {
  test("is no player: the page says so, and the next one is looked up", async () => {
    const { page } = await dashboard.visit(path(), { as: "admin" });
    const look = page.getByRole("region", { name: "Look up a player" });
    const ask = async (player: string) => {
      await look.getByRole("combobox", { name: "Player ID" }).fill(player);
      await look.getByRole("button", { name: "Look up" }).click();
    };
    await ask("a/b");
    await look.getByText('Not a valid player ID: it must not contain "/".').waitFor();
    await ask(live.uid("ann"));
    await look.getByText("#2 of 2").waitFor();
    await look.getByRole("button", { name: "Hide" }).waitFor();
    await page.goto(path("?player=a%2Fb"));
    await look.getByText('Not a valid player ID: it must not contain "/".').waitFor();
    await page
      .getByRole("region", { name: "Top 2" })
      .getByRole("link", { name: live.uid("bob") })
      .click();
    await look.getByText("#1 of 2").waitFor();
  });

  test.each(["/boards/a%2Fb", "/boards/a%2Fb/all_time", "/boards/chess/a%2Fb", "/boards/chess/all_time/foo"])(
    "%s is not a page",
    async (address) => {
      const visit = await dashboard.visit(address);
      await visit.page.getByRole("heading", { name: "Page not found" }).waitFor();
      await visit.page.getByRole("link", { name: "All leaderboards" }).click();
      await visit.page.getByRole("heading", { name: "Leaderboards" }).waitFor();
    },
  );
});

test("an error that a page throws is shown in its place, and does not affect the other pages", async () => {
  const visit = await dashboard.visit("/boards", { expected: /URI malformed/ });
  await visit.page.evaluate(
    "history.pushState(null, '', '/boards/%E0'); dispatchEvent(new PopStateEvent('popstate'))",
  );
  await visit.page.getByRole("heading", { name: "This page failed" }).waitFor();
  await visit.page.getByText("URI malformed").waitFor();
  await visit.page.getByRole("link", { name: "Firerank" }).click();
  await visit.page.getByRole("heading", { name: "Leaderboards" }).waitFor();
});

test("a function that ran and failed is reported as such, in its own words", async () => {
  const broken = await live.board(quiet);
  await broken.submit({ ann: 10 });
  await broken.rank();
  await live.db.doc(pagePath(broken.key, 0)).delete();
  await broken.submit({ bob: 20 });
  const visit = await dashboard.visit(`/boards/${broken.leaderboard}/all_time`, { as: "admin", expected });
  const { page } = visit;
  await page.route("**/runRanking", (route) => route.abort(), { times: 1 });
  await page.getByRole("button", { name: "Rank now" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Rank now" }).click();
  await page.getByText("runRanking cannot be reached. Is this device online").waitFor();
  await page.getByRole("button", { name: "Rank now" }).click();
  await dialog.getByRole("button", { name: "Rank now" }).click();
  await page.getByText("runRanking failed; the function's log says why.").waitFor();
  await page.goto(`/boards/${broken.leaderboard}/all_time?player=nobody`);
  await page.getByText("Nobody in all_time has the ID “nobody”").waitFor();
  expect(await textOf(visit)).not.toContain("[404]");
});

describe("after a deployment", () => {
  test("the address of a deleted script answers 404, and not the page, which browsers would keep for a year", async () => {
    const response = await fetch(`${dashboard.address}/assets/runs-OLDHASH.js`);
    expect(response.status).toBe(404);
  });

  test("an open page that misses a script reloads, at the address that was to be opened", async () => {
    const { page } = await dashboard.visit(path(), { as: "admin", expected });
    await page.route(/assets\/runs-.*js/, (route) => route.fulfill({ status: 404 }), { times: 1 });
    await page.getByRole("link", { name: "Runs" }).click();
    await page.getByRole("heading", { name: "Check and repair" }).waitFor();
    expect(new URL(page.url()).pathname).toBe(path("/runs"));
  });

  test("a script that stays missing is reported once, in a message", async () => {
    const { page } = await dashboard.visit(path(), { as: "admin", expected });
    let loads = 0;
    page.on("load", () => (loads += 1));
    await page.route(/assets\/runs-.*js/, (route) => route.fulfill({ status: 404 }));
    await page.getByRole("link", { name: "Runs" }).click();
    await page.getByText("A part of this page could not be loaded").waitFor();
    expect(loads).toBe(1);
  });
});
