/** Seasons in the dashboard: a tournament from its opening to its exported table, and what the list says of others. */
import { readFile } from "node:fs/promises";
import { parse } from "csv-parse/sync";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { beginClosing } from "../../../functions/src/documents/closing-record.ts";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { runPath, seasonPath, type SeasonKey } from "../../../functions/src/documents/paths.ts";
import { type Season, readSeason } from "../../../functions/src/documents/season.ts";
import { fireOnce } from "../../support/schedule.ts";
import { begunSeason } from "../../support/season.ts";
import { test } from "../../support/chromium.ts";
import { eventually, soon, untilCounted } from "../../support/live.ts";
import { dashboard, live, setStage } from "../../support/browser/stage.ts";

setStage();

const hourMs = 3_600_000;

type Line = Record<string, string>;

/** The played scores, in the order and with the ranks of a full sort: the first player to reach a score comes first. */
function tableOf(played: readonly (readonly [name: string, score: number])[]) {
  const sorted = played.toSorted(([, a], [, b]) => b - a);
  return sorted.map(([name, score], i) => ({
    position: String(i + 1),
    rank: String(sorted.findIndex(([, other]) => other === score) + 1),
    player: live.uid(name),
    score: String(score),
  }));
}

async function exported(page: Page): Promise<{ name: string; text: string; lines: Line[] }> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export as CSV" }).click(),
  ]);
  const text = await readFile(await download.path(), "utf8");
  const lines: Line[] = parse(text, { columns: true, bom: true });
  return { name: download.suggestedFilename(), text, lines };
}

/** Stores a season as it is; no schedule touches it. */
async function put(key: SeasonKey, season: Partial<Season>): Promise<void> {
  const begun = begunSeason({ span: "custom", opens_at: Timestamp.fromMillis(Date.now() - hourMs) });
  await live.db.doc(seasonPath(key)).set({ ...begun, ...season });
}

/** Lets the schedule start the closing steps that are due, one by one, until a condition holds. */
async function endUntil(key: SeasonKey, isSoFar: (season: Season) => boolean): Promise<void> {
  await eventually(async () => {
    const season = readSeason((await live.db.doc(seasonPath(key)).get()).data());
    if (isSoFar(season)) return;
    expect(await fireOnce()).toBeUndefined();
    throw new Error(`the season is ${season.status}`);
  });
}

const ago = (ms: number) => Timestamp.fromMillis(Date.now() - ms);

test("a tournament is opened, played, watched until it has closed, and its table exported", async () => {
  const board = await live.board({ spans: [], ranking_interval_minutes: 0.05, time_zone: "Europe/Vienna" });
  const { leaderboard } = board;
  const cup = { leaderboard, season: "cup" };
  const { page } = await dashboard.visit(`/boards/${leaderboard}`, {
    as: "admin",
    expected: /status of 40[04]/,
  });

  // Problems are shown at their fields, whether found by the page or by the function.
  await page.getByText("No season yet").waitFor();
  await page.getByRole("button", { name: "Open a tournament" }).click();
  const form = page.getByRole("form", { name: "Open a tournament" });
  const id = form.getByRole("textbox", { name: "Id", exact: true });
  const open = form.getByRole("button", { name: "Open it" });
  await id.fill("my cup");
  await open.click();
  await form.getByText("must be 1 to 64 letters").waitFor();
  await id.fill("daily-cup");
  await open.click();
  await form.locator("#hint-season", { hasText: "must not be" }).waitFor();
  await form.locator("#field-season:focus").waitFor();
  await id.fill("cup");
  await form.getByLabel("Closes at").fill("2026-01-01T18:00:00");
  await form.getByText("your time").waitFor();
  await open.click();
  await form.locator("#hint-closes_at", { hasText: "is in the past" }).waitFor();
  const closesAt = new Date(Date.now() + 2 * hourMs);
  await form.getByRole("combobox", { name: "Times in" }).selectOption("UTC");
  await form.getByLabel("Closes at").fill(closesAt.toISOString().slice(0, 19));
  await open.click();
  await page.waitForURL(`**/boards/${leaderboard}/cup`);
  await page.getByText(/^(2 h|1 h 59 min)$/).waitFor();
  const stored = (await live.db.doc(seasonPath(cup)).get()).get("closes_at") as Timestamp;
  expect(stored.toMillis()).toBe(Math.floor(closesAt.getTime() / 1_000) * 1_000);

  const played = [
    ["ann", 50],
    ["bob", 90],
    ["cyd", 50],
    ["dan", 10],
  ] as const;
  for (const [name, score] of played) {
    const display = name === "dan" ? '=HYPERLINK("x")' : name.toUpperCase();
    await (await live.as(name)).call("submitScore", { ...cup, score, display_name: display });
  }
  await untilCounted(live.db, cup);
  await live.admin.call("runRanking", { ...cup, include_open_slot: true });
  const top = page.getByRole("region", { name: /^Top/ });
  await soon(() => top.getByRole("row").locator("a").allInnerTexts()).toHaveLength(4);

  await page.getByRole("button", { name: "End …" }).click();
  const dialog = page.getByRole("dialog", { name: "End cup?" });
  await dialog.getByRole("button", { name: "End it" }).click();
  await page.getByText(/^cup takes scores until /).waitFor();
  const steps = page.getByRole("list", { name: "Steps of the closing" }).getByRole("listitem");
  await page.getByText("The first step starts within a minute.").waitFor();
  expect(await steps.filter({ hasText: ", to come" }).allInnerTexts()).toHaveLength(6);
  await endUntil(cup, ({ status }) => status === "closed");
  await steps.filter({ hasText: "Clearing, under way" }).waitFor();
  expect(await steps.filter({ hasText: ", done" }).allInnerTexts()).toHaveLength(5);
  await endUntil(cup, ({ cleared_at: cleared }) => cleared !== null);
  await steps.first().waitFor({ state: "detached" });

  // Its page shows a final table: nothing is live, and nothing more is ranked.
  await page.getByText("Final since").waitFor();
  await top.getByText("Final, as of").waitFor();
  expect(await page.getByRole("button", { name: /Rank now|End …/ }).count()).toBe(0);
  await page.getByRole("region", { name: "After its end" }).getByText("Closed with 4 players").waitFor();
  await page.goto(`/boards/${leaderboard}/cup?player=${live.uid("cyd")}`);
  await page.getByText("#2 of 4").waitFor();

  const table = await exported(page);
  expect(table.name).toBe(`${leaderboard}-cup.csv`);
  expect(table.lines).toMatchObject(tableOf(played));
  expect(table.text).toContain(`"'=HYPERLINK(""x"")"`);
  expect(
    table.lines.every(({ achieved_at: time = "" }) => Math.abs(Date.now() - Date.parse(time)) < hourMs),
  ).toBe(true);

  // A player is removed from it: the page says so, without the name, and the next file differs. Soon after another
  // publication the revision would wait for the schedule.
  await live.db.doc(seasonPath(cup)).update({ "ranking.published_at": ago(hourMs) });
  await page.getByRole("button", { name: "Hide", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Hide" }).click();
  const history = page.getByRole("region", { name: "After its end" });
  await history.getByText("A player was hidden; 3 players since").waitFor();
  expect(await history.innerText()).not.toContain(live.uid("cyd"));
  const after = await exported(page);
  expect(after.lines).toMatchObject(tableOf(played.filter(([name]) => name !== "cyd")));
  await page.goto(`/boards/${leaderboard}/cup/players?place=3`);
  await page
    .getByRole("row")
    .filter({ hasText: live.uid("dan") })
    .waitFor();
  await page.goto(`/boards/${leaderboard}/cup/runs`);
  await page.getByRole("button", { name: "End", exact: true }).click();
  const runs = page.getByRole("region", { name: "Runs" }).locator("tbody tr");
  await eventually(async () => {
    const texts = await runs.allInnerTexts();
    expect(texts.map((text) => /Closing|Revision|another release/.exec(text)?.[0])).toEqual([
      "Revision",
      "Closing",
    ]);
  });
});

test("open seasons are pinned, and those that have ended are grouped below, to the oldest; one that is deleted is there for admins alone", async () => {
  const board = await live.board({ visibility: "public", time_zone: "Asia/Tokyo" });
  const key = (season: string) => ({ leaderboard: board.leaderboard, season });
  for (let i = 0; i < 42; i++) {
    await put(key(`cup-${String(i).padStart(2, "0")}`), {
      status: "closed",
      opens_at: Timestamp.fromMillis(Date.parse("2026-01-01T00:00:00Z") + i * 86_400_000),
      closes_at: Timestamp.fromMillis(Date.parse("2026-01-01T15:00:00Z") + i * 86_400_000),
      closed_at: ago(hourMs),
      cleared_at: ago(hourMs),
      end_due_at: null,
    });
  }
  await put(key("gone"), { status: "deleting", opens_at: ago(2_000) });
  await put(key("present"), { opens_at: ago(1_000) });
  await put(key("future"), { opens_at: ago(-2 * hourMs), closes_at: null });
  const { page } = await dashboard.visit(`/boards/${board.leaderboard}`, {
    as: "admin",
    browser: { timezoneId: "Europe/Vienna" },
  });
  const all = page.getByRole("region", { name: "Seasons" }).locator("tbody tr");
  const rows = all.filter({ has: page.getByRole("link") });
  const shown = async () => (await rows.locator("a").allInnerTexts()).length;
  await soon(shown).toBe(12);
  expect(await all.nth(2).innerText()).toMatch(/^Ended\s*$/);
  const firsts = await Promise.all([0, 1, 2, 3].map((i) => rows.nth(i).innerText()));
  expect(firsts.map((text) => text.replaceAll(/\s+/g, " "))).toEqual([
    expect.stringMatching(/^present tournament Open/),
    expect.stringMatching(/^future tournament Upcoming in 1 h 59 min|in 2 h/),
    expect.stringMatching(/^gone tournament Being deleted/),
    // 15:00 UTC is midnight in Tokyo, of the next day, and 16:00 in Vienna.
    expect.stringMatching(
      /^cup-41 tournament Closed 11 Feb 2026, 09:00 01:00 your time 12 Feb 2026, 00:00 11 Feb 2026, 16:00 your time/,
    ),
  ]);
  const older = page.getByRole("button", { name: "Show older seasons" });
  for (const listed of [22, 32, 42, 45]) {
    await older.click();
    await soon(shown).toBe(listed);
  }
  await older.waitFor({ state: "detached" });
  // From one season to another, without the list.
  await rows.getByRole("link", { name: "cup-07" }).click();
  await page.getByLabel("Season cup-07. Show the others").click();
  const menu = page.locator(".picker-list");
  await soon(() => menu.getByRole("list").first().getByRole("link").allInnerTexts()).toEqual([
    expect.stringMatching(/^present\s+Open$/),
    expect.stringMatching(/^future\s+Upcoming$/),
  ]);
  expect(await menu.getByRole("list", { name: "Ended" }).getByRole("link").count()).toBe(10);
  await page.getByRole("link", { name: /^present/ }).click();
  await page.waitForURL(`**/boards/${board.leaderboard}/present`);
  await page.getByLabel("Season present. Show the others").waitFor();
  await page.goto(`/boards/${board.leaderboard}/gone`);
  await page.getByText("This season and its players are being deleted").waitFor();

  const player = await dashboard.visit(`/boards/${board.leaderboard}`);
  const listed = player.page.getByRole("region", { name: "Seasons" }).locator("tbody tr");
  await soon(() => listed.locator("a").allInnerTexts()).toHaveLength(11);
  expect(await player.page.getByRole("button", { name: "Open a tournament" }).count()).toBe(0);
  await player.page.goto(`/boards/${board.leaderboard}/gone`);
  await player.page.getByText("There is no season “gone”").waitFor();
  await player.page.goto(`/boards/${board.leaderboard}/cup-07`);
  await player.page.getByText("Final since").waitFor();
  expect(await player.page.getByRole("button", { name: /Export|End …/ }).count()).toBe(0);
});

test("a closing is watched from step to step; one that failed says why, and what happens next; players see that the season closes", async () => {
  const board = await live.board({ visibility: "public" });
  const key = { leaderboard: board.leaderboard, season: "cup" };
  const ref = live.db.doc(runPath(key, "closing"));
  const record = beginClosing(key, { run: "closing", nowMs: Date.now() - 600_000 });
  await ref.set(record);
  const due = { end_due_at: ago(-hourMs) };
  await put(key, { status: "closing", closes_at: ago(700_000), closing_run: "closing", ...due });
  const path = `/boards/${board.leaderboard}/cup`;
  const { page } = await dashboard.visit(path, { as: "admin" });
  const steps = page.getByRole("list", { name: "Steps of the closing" }).getByRole("listitem");
  await ref.update({ phase: "writing" });
  await steps.filter({ hasText: "Standings, under way" }).waitFor();
  expect(await steps.filter({ hasText: ", done" }).allInnerTexts()).toHaveLength(2);
  const range = { from: null, before: null, players: 500_000, first: 0 };
  const progress = { done: 250_000, total: 1_000_000 };
  await ref.update({ progress, pass: 2, ranges: [range, { ...range, first: 1_000 }] });
  await page.getByText("250,000 of 1,000,000 players, in 2 ranges at once").waitFor();
  await page.getByText("attempt 2").waitFor();
  const error = "the players could not be read";
  await ref.update({ phase: "publishing", outcome: "failed", error });
  await page.getByText(error).waitFor();
  await page.getByText(/The step is retried in (5\d min|1 h)/).waitFor();
  await steps.filter({ hasText: "Publication, failed" }).waitFor();
  const player = await dashboard.visit(path);
  await player.page.getByText("This season has ended.").waitFor();
  expect(await player.page.getByText(error).count()).toBe(0);
});
