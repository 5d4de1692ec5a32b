/** The dashboard when something is wrong: Firestore is unreachable, documents are unreadable, calls fail. */
import { beforeAll, describe, expect } from "vitest";
import { leaderboardPath, pagePath, playerPath } from "../../../../functions/src/documents/paths.ts";
import { test } from "../../../support/chromium.ts";
import { eventually, type LiveBoard } from "../../../support/live.ts";
import type { Visit } from "../../../support/browser/dashboard.ts";
import { dashboard, live, setStage } from "../../../support/browser/stage.ts";

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
const focused = ({ page }: Visit) =>
  page.evaluate<string>("document.activeElement.textContent || document.activeElement.id");

test("while Firestore cannot be reached the page says so, and not that there is no data; then it continues", async () => {
  const visit = await dashboard.visit("/boards", { as: "admin", expected });
  const { page } = visit;
  const context = page.context();
  const firestore = /google\.firestore\.v1\.Firestore/;
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

test("a slow answer is waited for: only after ten seconds Firestore counts as unreachable", async () => {
  const { page } = await dashboard.visit("/sign-in", { expected });
  let letThrough = (): void => undefined;
  const held = new Promise<void>((resolve) => (letThrough = resolve));
  await page.route(/google\.firestore\.v1\.Firestore/, async (route) => {
    await held;
    await route.continue();
  });
  await page.clock.install();
  await page.goto(path());
  const failure = page.getByText("The board could not be read");
  await page.locator(".skeleton").first().waitFor();
  await page.clock.fastForward(5_000);
  await page.locator(".skeleton").first().waitFor();
  expect(await failure.count()).toBe(0);
  await page.clock.fastForward(10_000);
  await failure.waitFor();
  letThrough();
  await page.getByText("2 different scores").waitFor();
  expect(await failure.count()).toBe(0);
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

  test("is no board's either", async () => {
    const visit = await dashboard.visit("/boards", { as: "admin" });
    const search = visit.page.getByRole("searchbox", { name: "Boards with an id that begins with" });
    await search.fill("a/b");
    await visit.page.getByText("No board's id begins with “a/b”").waitFor();
    await search.fill("");
    await visit.page.getByRole("cell").first().waitFor();
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
  await page.getByText("runRanking could not be called (internal). Are the functions deployed").waitFor();
  await page.getByRole("button", { name: "Rank now" }).click();
  await dialog.getByRole("button", { name: "Rank now" }).click();
  await page.getByText("runRanking failed; the function's log says why.").waitFor();
  await page.goto(`/boards/${broken.leaderboard}/all_time?player=nobody`);
  await page
    .getByText(`Player "nobody" has no ranked score on leaderboard "${broken.leaderboard}".`)
    .waitFor();
  expect(await textOf(visit)).not.toContain("[404]");
});

test("if the players around cannot be listed, the page shows the rank and says why", async () => {
  const { page } = await dashboard.visit("/sign-in", { as: "admin", expected });
  let refuse = (): void => undefined;
  const held = new Promise<void>((resolve) => (refuse = resolve));
  await page.route("**/getAround", async (route) => {
    await held;
    await route.abort();
  });
  await page.goto(path(`?player=${live.uid("ann")}`));
  const look = page.getByRole("region", { name: "Look up a player" });
  await look.getByText("#2 of 2").waitFor();
  expect(await look.locator(".loading-rows .skeleton").count()).toBe(7);
  refuse();
  await look.getByText("The neighbours could not be listed: getAround could not be called").waitFor();
  await look.getByText("#2 of 2").waitFor();
  expect(await look.locator(".skeleton").count()).toBe(0);
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
    let asked = 0;
    await page.route(/assets\/runs-.*js/, (route) => {
      asked += 1;
      return route.fulfill({ status: 404 });
    });
    await page.getByRole("link", { name: "Runs" }).click();
    await page.getByText("A part of this page could not be loaded").waitFor();
    expect(asked).toBe(2);
  });
});

test("a visitor who signs in in another tab can read here too", async () => {
  const closed = await live.board(quiet);
  await closed.submit({ ann: 10 });
  await closed.rank();
  const visit = await dashboard.visit(`/boards/${closed.leaderboard}/all_time`);
  await visit.page.getByText("This account may not read this").first().waitFor();
  const tab = await visit.page.context().newPage();
  await tab.goto("/sign-in");
  await tab.getByRole("button", { name: "Sign in as admin" }).click();
  await visit.page.getByRole("region", { name: "Top 1" }).waitFor();
  expect(await textOf(visit)).not.toContain("This account may not read this");
});

test("runs are for admins: visitors who have not signed in learn how to become one", async () => {
  const visit = await dashboard.visit(path("/runs"));
  await visit.page.getByText("Sign in with an admin account to see them.").waitFor();
});

describe("a question", () => {
  test("gives the focus back to the button that asked it", async () => {
    const player = live.uid("ann");
    const visit = await dashboard.visit(path(`?player=${player}`), { as: "admin", expected });
    const { page } = visit;
    for (const [name, opposite] of [
      ["Hide", "Readmit"],
      ["Readmit", "Hide"],
    ] as const) {
      await page.getByRole("button", { name, exact: true }).press("Enter");
      await page.getByRole("dialog").getByRole("button", { name }).press("Enter");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.getByRole("button", { name: opposite, exact: true }).waitFor();
      expect(await focused(visit)).toBe(opposite);
    }
  });

  test("stays open with its error if a removal fails after the player's document was deleted", async () => {
    const { leaderboard } = board;
    const player = `gone-${leaderboard}`;
    await live.admin.call("submitScores", { leaderboard, submissions: [{ player, score: 5 }] });
    const visit = await dashboard.visit(path(`?player=${player}`), { as: "admin", expected });
    const { page } = visit;
    await page.route("**/removePlayer", async (route) => {
      await live.db.doc(playerPath(board.key, player)).delete();
      await page.getByRole("button", { name: "Hide" }).waitFor({ state: "detached" });
      const error = { status: "INTERNAL", message: "removePlayer failed; the function's log says why." };
      await route.fulfill({ status: 500, json: { error }, headers: { "Access-Control-Allow-Origin": "*" } });
    });
    await page.getByRole("button", { name: "Remove" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox").fill(player);
    await dialog.getByRole("button", { name: "Remove permanently" }).click();
    await dialog.getByText("removePlayer failed; the function's log says why.").waitFor();

    await page.unroute("**/removePlayer");
    await dialog.getByRole("button", { name: "Remove permanently" }).click();
    await page.getByText(`${player} was removed from`).waitFor();
    await dialog.waitFor({ state: "detached" });
    expect(await focused(visit)).toBe("asked-player");
  });
});

describe("the list of players", () => {
  test("says that there is no score before the first, and that there is no such season", async () => {
    const empty = await live.board({ visibility: "public", ...quiet });
    const visit = await dashboard.visit(`/boards/${empty.leaderboard}/all_time/players`);
    await visit.page.getByText("No score yet", { exact: true }).waitFor();
    await empty.submit({ ann: 10 });
    await visit.page.getByText("There is no player at this place").waitFor();
    await empty.rank();
    await visit.page.getByRole("link", { name: live.uid("ann") }).waitFor();
    await visit.page.goto(`/boards/${empty.leaderboard}/spring/players`);
    await visit.page.getByText("There is no season “spring” of this leaderboard").waitFor();
  });

  test("goes back the same way, even among more equals than may be skipped", async () => {
    const { page } = await dashboard.visit(path("/players"), { expected });
    // Like getPage's answer on a board where all players have one score, and 60 may be skipped.
    const answer = (first: number) => ({
      entries: Array.from({ length: 50 }, (_, i) => {
        const position = first + i;
        const achieved_at = new Date(0).toISOString();
        return { player: `p${position}`, rank: 1, position, score: 7, achieved_at };
      }),
      players: 1_000,
      generation: 1,
      as_of: new Date(0).toISOString(),
      next_cursor: String(first + 50),
    });
    await page.route("**/getPage", async (route) => {
      const { offset, cursor } = (
        route.request().postDataJSON() as { data: { offset?: number; cursor?: string } }
      ).data;
      const headers = { "Access-Control-Allow-Origin": "*" };
      if (route.request().method() === "OPTIONS") return route.continue();
      if (offset !== undefined && offset > 60) {
        const fields = [{ path: "offset", message: "lies too deep" }];
        const details = { code: "invalid_request", fields };
        const error = { status: "INVALID_ARGUMENT", message: "offset: lies too deep", details };
        return route.fulfill({ status: 400, json: { error }, headers });
      }
      return route.fulfill({ json: { result: answer(Number(cursor ?? (offset ?? 0) + 1)) }, headers });
    });
    await page.reload();
    const next = page.getByRole("button", { name: "Next 50" });
    const previous = page.getByRole("button", { name: "Previous 50" });
    for (const last of ["1 to 50", "51 to 100", "101 to 150"]) {
      await page.getByText(last, { exact: true }).waitFor();
      await next.click();
    }
    for (const last of ["151 to 200", "101 to 150", "51 to 100"]) {
      await page.getByText(last, { exact: true }).waitFor();
      await previous.click();
    }
    await page.getByText("1 to 50", { exact: true }).waitFor();
    await page.getByRole("spinbutton", { name: "Go to place" }).fill("900");
    await page.keyboard.press("Enter");
    await page.getByText("Place 900 is too far down among players with the same score").waitFor();
    await page.getByRole("link", { name: "to the first place" }).click();
    await page.getByText("1 to 50", { exact: true }).waitFor();
  });
});
