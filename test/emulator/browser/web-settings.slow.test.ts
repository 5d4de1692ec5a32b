/** Creating and changing a board in the dashboard. */
import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { leaderboardPath } from "../../../functions/src/documents/paths.ts";
import { test } from "../../support/chromium.ts";
import { eventually, soon } from "../../support/live.ts";
import { dashboard, live, setStage } from "../../support/browser/stage.ts";

setStage();

/** Opens what the form folds. */
const unfold = (page: Page) => page.locator(".advanced-head").click();

const stored = async (board: string) => (await live.db.doc(leaderboardPath(board)).get()).data();

test("a board is created once every field is right; errors are shown at their fields", async () => {
  const id = `made-${randomUUID().slice(0, 8)}`;
  const { page } = await dashboard.visit("/new-board", { as: "admin", expected: /status of 400/ });
  const field = (name: string) => page.getByRole("textbox", { name, exact: true });
  const zone = page.getByRole("combobox", { name: "Time zone" });
  // What matters is there at once, the rest is folded.
  expect(await field("Size of the top").isVisible()).toBe(false);
  await unfold(page);
  expect(await field("Seasons kept").getAttribute("placeholder")).toBe("All");
  await field("Size of the top").fill("1001");
  await zone.fill("Vienna");
  await page.getByRole("button", { name: "Create leaderboard" }).click();
  await page.getByText("Fix the marked fields").waitFor();
  await page.getByText("must be at most 1000").waitFor();
  await page.getByText("must be 1 to 64 letters").waitFor();
  expect(await field("Size of the top").getAttribute("aria-invalid")).toBe("true");
  await page.locator("#field-id:focus").waitFor();

  // What is wrong can't be folded away.
  await unfold(page);
  await field("Size of the top").waitFor();
  await field("Id").fill(id);
  await field("Size of the top").fill("50");
  await page.getByRole("switch", { name: "Movement" }).check();
  await page.getByRole("button", { name: "Create leaderboard" }).click();
  // The functions know the zones.
  await page.getByText('must be an IANA time zone, such as "Europe/Vienna"', { exact: true }).waitFor();
  await zone.fill("Europe/Vienna");
  await page.getByRole("combobox", { name: "Order" }).selectOption("ascending");
  await page.getByRole("button", { name: "Add a tier" }).click();
  await page.getByRole("textbox", { name: "Name of tier 1" }).fill("Gold");
  await page.getByRole("textbox", { name: "Top % of tier 1" }).fill("1.5");
  await page.getByRole("button", { name: "Create leaderboard" }).click();
  await page.waitForURL(`**/boards/${id}`);
  expect(await stored(id)).toMatchObject({
    order: "ascending",
    top_size: 50,
    movement: true,
    time_zone: "Europe/Vienna",
    aggregation: "best",
    tiers: [{ name: "Gold", top_percent: 1.5 }],
  });
});

test("a board may even be called `new`, as it still has its own page", async () => {
  const visit = await dashboard.visit("/boards/new", { as: "admin" });
  await visit.page.getByText("There is no leaderboard “new”").waitFor();
});

test("a board that exists is not created again: the id says so, and nothing is sent", async () => {
  const board = await live.board({ submit: "server", max_score: 100 });
  const before = await stored(board.leaderboard);
  const { page } = await dashboard.visit("/new-board", { as: "admin" });
  let calls = 0;
  await page.route("**/saveLeaderboard", (route) => {
    calls += 1;
    return route.continue();
  });
  const id = page.getByRole("textbox", { name: "Id", exact: true });
  await id.fill(board.leaderboard);
  await page.getByRole("button", { name: "Create leaderboard" }).click();
  await page.getByText("A leaderboard with this id exists already").waitFor();
  await page.locator("#field-id:focus").waitFor();
  expect([await id.getAttribute("aria-invalid"), calls]).toEqual(["true", 0]);
  expect(await stored(board.leaderboard)).toEqual(before);
  await page.getByRole("link", { name: "change that one" }).click();
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  await question.getByRole("button", { name: "Leave" }).click();
  await page.waitForURL(`**/boards/${board.leaderboard}`);
});

test("a form follows other users' changes until something is entered, and does not undo them later", async () => {
  const board = await live.board({ top_size: 10 });
  const { leaderboard } = board;
  const { page } = await dashboard.visit(`/boards/${leaderboard}`, { as: "admin" });
  const field = (name: string) => page.getByRole("textbox", { name, exact: true });
  const shown = (name: string, value: string) =>
    eventually(async () => {
      expect(await field(name).inputValue()).toBe(value);
    });
  await unfold(page);
  await shown("Size of the top", "10");
  await live.admin.call("saveLeaderboard", { leaderboard, definition: { top_size: 20 } });
  await shown("Size of the top", "20");

  await field("Attempts").fill("3");
  await live.admin.call("saveLeaderboard", { leaderboard, definition: { top_size: 30 } });
  await page.getByText("The board has changed meanwhile").waitFor();
  expect(await page.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
  await page.getByRole("button", { name: "Discard my changes" }).click();
  await shown("Size of the top", "30");
  await shown("Attempts", "");

  await field("Attempts").fill("5");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText(`${leaderboard} is saved.`).waitFor();
  expect(await stored(leaderboard)).toMatchObject({ top_size: 30, max_attempts: { all_time: 5, custom: 5 } });
  await live.admin.call("saveLeaderboard", { leaderboard, definition: { top_size: 40 } });
  await shown("Size of the top", "40");
  expect(await page.getByText("The board has changed meanwhile").count()).toBe(0);
});

test("segments are added, changed and taken away, and where a segment's values come from stays", async () => {
  const board = await live.board();
  const { leaderboard } = board;
  const { page } = await dashboard.visit(`/boards/${leaderboard}`, { as: "admin" });
  const save = async () => {
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText(`${leaderboard} is saved.`).first().waitFor();
  };
  const segments = async () => (await stored(leaderboard))?.["segments"] as unknown;
  await unfold(page);
  const add = page.getByRole("button", { name: "Add a segment" });
  const from = (line: number) => page.getByRole("combobox", { name: `From of segment ${line}` });
  const values = page.getByRole("textbox", { name: "Values of segment 1" });
  await add.click();
  await page.getByRole("textbox", { name: "Name of segment 1" }).fill("country");
  await values.fill("AT, Ö");
  await page.getByText("line 1, values 2: must be 1 to 32 letters").waitFor();
  await values.fill("AT\nDE");
  await add.click();
  await page.getByRole("textbox", { name: "Name of segment 2" }).fill("guild");
  await from(2).selectOption("server");
  await save();
  const country = { name: "country", from: "submission", values: ["AT", "DE"], visible: "everybody" };
  expect(await segments()).toEqual([country, { name: "guild", from: "server", visible: "everybody" }]);
  expect(await from(1).isDisabled()).toBe(false);
  await board.submit({ ann: 1 });
  await soon(() => from(1).isDisabled()).toBe(true);

  await values.fill("AT");
  await page.getByRole("button", { name: "Remove segment 2" }).click();
  await save();
  await soon(segments).toEqual([{ ...country, values: ["AT"] }]);
  await page.getByRole("button", { name: "Remove segment 1" }).click();
  await save();
  await soon(segments).toBeUndefined();

  const definition = { segments: [{ name: "guild", from: "server" }] };
  await live.admin.call("saveLeaderboard", { leaderboard, definition });
  await soon(() => page.getByRole("combobox", { name: "Seen by of segment 1" }).inputValue()).toBe(
    "everybody",
  );
});

test("a league is switched on with three tiers, changed at its fields, and taken out when switched off", async () => {
  const { leaderboard } = await live.board();
  const { page } = await dashboard.visit(`/boards/${leaderboard}`, { as: "admin" });
  const save = async () => {
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText(`${leaderboard} is saved.`).first().waitFor();
  };
  const league = async () => (await stored(leaderboard))?.["league"] as unknown;
  const field = (name: string) => page.getByRole("textbox", { name, exact: true });
  await unfold(page);
  const on = page.getByRole("switch", { name: "League" });
  await on.check();
  await page.getByText("is not a span of this leaderboard, which has all_time").waitFor();
  await page.getByRole("checkbox", { name: "weekly" }).check();
  await field("Size of a group").fill("4");
  await page.getByText("must be at least 5").waitFor();
  await field("Size of a group").fill("20");
  await field("Go up of league tier 1").fill("4");
  await page.getByRole("button", { name: "Remove league tier 2" }).click();
  await field("Weeks away").fill("2");
  await page.getByRole("combobox", { name: "Then" }).selectOption("demote");
  await save();
  await soon(league).toEqual({
    span: "weekly",
    size: 20,
    min_size: 5,
    tiers: [
      { id: "bronze", name: "Bronze", promote: 4, demote: 0 },
      { id: "gold", name: "Gold", promote: 0, demote: 7 },
    ],
    inactive: { weeks: 2, then: "demote" },
  });
  await on.uncheck();
  expect(await field("Size of a group").count()).toBe(0);
  await save();
  await soon(league).toBeUndefined();
});

test("problems that only the functions can find are shown at their fields", async () => {
  const board = await live.board();
  const { page } = await dashboard.visit(`/boards/${board.leaderboard}`, {
    as: "admin",
    expected: /status of 400/,
  });
  await page.getByText("fixed by the first season", { exact: true }).first().waitFor();
  await page.getByRole("combobox", { name: "Order" }).selectOption("ascending");
  // The first score comes while the form is open and does not know of it yet.
  await page.route("**/saveLeaderboard", async (route) => {
    await board.submit({ ann: 1 });
    await route.continue();
  });
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("cannot change any more").first().waitFor();
  const order = page.getByRole("combobox", { name: "Order" });
  expect(await order.getAttribute("aria-invalid")).toBe("true");
  await page.getByText("fixed since the first season").first().waitFor();
  // Fixed by now, the field is as it is stored, so that the rest can be saved.
  await eventually(async () => {
    expect([await order.isDisabled(), await order.inputValue()]).toEqual([true, "descending"]);
  });
  await page.unroute("**/saveLeaderboard");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText(`${board.leaderboard} is saved.`).waitFor();
});

test("leaving with changes asks, by a link and by the browser's button, and without changes it does not", async () => {
  const board = await live.board({ max_score: 100 });
  const { leaderboard } = board;
  const { page } = await dashboard.visit(`/boards/${leaderboard}/all_time`, { as: "admin" });
  const settings = page.getByRole("link", { name: "Settings" });
  const brand = page.getByRole("link", { name: "Firerank", exact: true });
  const highest = page.getByRole("textbox", { name: "Highest score" });
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  const path = () => new URL(page.url()).pathname;
  const expectStill = async (value: string) => {
    await question.getByRole("button", { name: "Cancel" }).click();
    await question.waitFor({ state: "detached" });
    expect([path(), await highest.inputValue()]).toEqual([`/boards/${leaderboard}`, value]);
  };
  await settings.click();
  await page.getByText("set: Highest score").waitFor();
  await page.evaluate("history.back()");
  // Going back takes a moment, and the link is on both pages.
  await page.waitForURL(`**/boards/${leaderboard}/all_time`);
  await settings.click();
  await unfold(page);

  await highest.fill("50");
  await page.getByText("Not saved yet").waitFor();
  await brand.click();
  await expectStill("50");
  await page.evaluate("history.back()");
  await expectStill("50");
  // As typed before: there is nothing to lose.
  await highest.fill("100");
  await page.getByText("Not saved yet").waitFor({ state: "detached" });
  await highest.fill("60");
  await page.getByText("Not saved yet").waitFor();
  await page.evaluate("history.back()");
  await question.getByRole("button", { name: "Leave" }).click();
  await settings.waitFor();
  expect(path()).toBe(`/boards/${leaderboard}/all_time`);
  expect(await stored(leaderboard)).toMatchObject({ max_score: 100 });

  await settings.click();
  await unfold(page);
  await highest.fill("70");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText(`${leaderboard} is saved.`).waitFor();
  await brand.click();
  await page.waitForURL("**/boards");
});

test("a board without a score shows the lines that send the first one, in the language that one picks", async () => {
  const [own, ofServer] = [await live.board({ max_score: 100 }), await live.board({ submit: "server" })];
  const { page } = await dashboard.visit(`/boards/${own.leaderboard}/all_time`, { as: "admin" });
  const card = page.getByRole("region", { name: "Send the first score" });
  await card.getByText(`leaderboard(app, "${own.leaderboard}", { region: "us-central1" });`).waitFor();
  await card.getByText("await submitScore(board, { score: 100 });").waitFor();
  await card.getByRole("button", { name: "Kotlin" }).click();
  await card.getByText(`mapOf("leaderboard" to "${own.leaderboard}", "score" to 100)`).waitFor();
  await own.submit({ ann: 100 });
  await card.waitFor({ state: "detached" });
  await page.goto(`/boards/${ofServer.leaderboard}/all_time`);
  await card.getByText(`/v1/leaderboards/${ofServer.leaderboard}/scores`).waitFor();
  const player = await dashboard.visit(`/boards/${ofServer.leaderboard}/all_time`, { as: "player" });
  await player.page.getByText("No score yet", { exact: true }).waitFor();
  expect(await player.page.getByRole("region", { name: "Send the first score" }).count()).toBe(0);
});
