/** What the dashboard tells in figures and charts: no label is cut off, no sum leaves out what stands below it. */
import type { Page } from "playwright-core";
import { beforeAll, expect } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { runPath } from "../../../functions/src/documents/paths.ts";
import { emptyRecord } from "../../../functions/src/documents/ranking-record.ts";
import { test } from "../../support/chromium.ts";
import { type LiveBoard, soon } from "../../support/live.ts";
import { dashboard, live, setStage } from "../../support/browser/stage.ts";

setStage();

const sizes = { desk: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };
/** Scores so large that their labels are long. */
const first = 1_763_720_000_100;
let board: LiveBoard;

beforeAll(async () => {
  board = await live.board();
  const { leaderboard } = board;
  const submissions = Array.from({ length: 90 }, (_, i) => ({ player: `p${i}`, score: first + 2 * i }));
  await live.admin.call("submitScores", { leaderboard, submissions });
  await board.rank();
  // Two days ago, minutes long, and so cheap that its dollars have many digits.
  const startedMs = Date.now() - 2 * 86_400_000;
  for (const minute of [0, 1, 3]) {
    const run = { ...emptyRecord(board.key, startedMs + minute * 60_000), outcome: "published" };
    const about = { duration_ms: 250_000, lag_ms: 250_000, billed: { reads: 30, writes: 3, deletes: 1 } };
    const found = { ...run.found, changed_players: 5_000 };
    await live.db.doc(runPath(board.key, `old-${minute}`)).set({ ...run, ...about, found, generation: 1 });
  }
});

/** Notes where each text of a canvas is drawn. */
const observe = `
  window.drawn = [];
  const { fillText } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.fillText = function (text, x, ...rest) {
    const { width } = this.measureText(text);
    const left = { center: x - width / 2, right: x - width, end: x - width }[this.textAlign] ?? x;
    drawn.push({ text, left, right: left + width, room: this.canvas.width });
    return fillText.call(this, text, x, ...rest);
  };
`;

/** The labels drawn since the last time that reach beyond their canvas. */
async function cutOff(page: Page): Promise<string[]> {
  const drawn =
    await page.evaluate<{ text: string; left: number; right: number; room: number }[]>("drawn.splice(0)");
  expect(drawn.length).toBeGreaterThan(0);
  return drawn.filter(({ left, right, room }) => left < 0 || right > room).map(({ text }) => text);
}

test.each(["desk", "phone"] as const)("no label of a chart is cut off on a %s", async (size) => {
  const { page } = await dashboard.visit("/boards", { as: "admin", browser: { viewport: sizes[size] } });
  await page.addInitScript({ content: observe });
  await page.goto(`/boards/${board.leaderboard}/all_time`);
  await page.getByRole("img", { name: /^Histogram/ }).waitFor();
  await soon(() => cutOff(page)).toEqual([]);
  await page.goto(`/boards/${board.leaderboard}/all_time/runs`);
  for (const name of ["Duration", "Lag", "Reads", "Writes", "Dollars", "Retries"]) {
    await page.getByRole("button", { name, exact: true }).click();
    await page.getByRole("img", { name: new RegExp(`^${name} of`) }).waitFor();
    await soon(async () => [name, await cutOff(page)]).toEqual([name, []]);
  }
  const days = page.getByRole("table", { name: "Activity by day" });
  const [table, room] = [await days.boundingBox(), await days.locator("..").boundingBox()];
  expect(table?.width).toBeLessThanOrEqual((room?.width ?? NaN) + 1);
  // Yesterday nothing ran.
  await days.getByRole("row").nth(2).getByText("$0", { exact: true }).waitFor();
});

test("the headline of cost is the sum of all that stands below it, and a month needs an hour of runs", async () => {
  const { page } = await dashboard.visit(`/boards/${board.leaderboard}/all_time/runs`, { as: "admin" });
  const cost = page.getByRole("region", { name: "Cost" });
  const dollars = (text: string) => Number(/\$([\d.]+)/.exec(text)?.[1]);
  await cost
    .getByText(/[1-9][\d,]* changed scores$/)
    .first()
    .waitFor();
  const parts = await cost.locator(".cost-parts dd").allTextContents();
  expect(parts).toHaveLength(4);
  const [firestore = 0, functions = 0, changed = 0, month = 0] = parts.map(dollars);
  const sum = dollars(await cost.locator(".cost-sum").innerText());
  expect(changed).toBeGreaterThan(0);
  // Each is rounded to two digits, and the changed scores are most of it.
  expect(Math.abs(sum / (firestore + functions + changed) - 1)).toBeLessThan(0.05);
  expect(month).toBeGreaterThan(sum);
  const young = await live.board();
  await young.submit({ ann: 1 });
  await young.rank();
  await page.goto(`/boards/${young.leaderboard}/all_time/runs`);
  await cost.getByText("after an hour of runs").waitFor();
});

test("a season tells the scores of today, and in one place how fresh its ranks are", async () => {
  const { leaderboard, key } = board;
  const { page } = await dashboard.visit(`/boards/${leaderboard}/all_time`, { as: "admin" });
  const figures = page.locator(".figures");
  await figures.getByText("Scores today").waitFor();
  const today = figures.locator(".figure").filter({ hasText: "Scores today" });
  await today.getByText("90", { exact: true }).waitFor();
  await today.getByText("0 yesterday").waitFor();
  expect(await figures.locator("dt").allTextContents()).not.toContain("Generation");
  await live.db.doc(`leaderboards/${leaderboard}/seasons/${key.season}`).update({
    "ranking.published_at": Timestamp.fromMillis(Date.now() - 200_000),
    next_run_at: Timestamp.fromMillis(Date.now() + 60_000),
  });
  const ranking = figures.locator(".figure").filter({ hasText: "Ranking" });
  await ranking.getByText("Quiet").waitFor();
  expect(await ranking.innerText()).toMatch(/published 3 min ago, generation \d+/);
  const top = page.getByRole("region", { name: "Top 90" });
  expect(await top.innerText()).not.toContain("ago");
  const rank = page.getByRole("button", { name: "Rank now" });
  expect(await rank.getAttribute("class")).not.toContain("primary");
});
