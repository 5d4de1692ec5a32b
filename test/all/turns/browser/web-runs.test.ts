/** What the dashboard shows of runs, and that its buttons repair what is broken. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { Timestamp } from "../../../../functions/src/documents/firestore.ts";
import { pagePath, runPath, seasonPath, shardPath } from "../../../../functions/src/documents/paths.ts";
import { emptyRecord } from "../../../../functions/src/documents/ranking-record.ts";
import { beginRecord } from "../../../../functions/src/documents/repair-record.ts";
import { test } from "../../../support/chromium.ts";
import { eventually, soon, type LiveBoard } from "../../../support/live.ts";
import type { Visit } from "../../../support/browser/dashboard.ts";
import { dashboard, live, setStage } from "../../../support/browser/stage.ts";

setStage();

const runsOf = (visit: Visit) => visit.page.getByRole("region", { name: "Runs" }).locator("tbody tr");
const visitRuns = (board: LiveBoard, expected?: RegExp) =>
  dashboard.visit(`/boards/${board.leaderboard}/all_time/runs`, {
    as: "admin",
    ...(expected === undefined ? {} : { expected }),
  });

/** A board with some players, off the schedule, so that only the test's own runs happen. */
async function quietBoard(definition: object = { ranking_interval_minutes: 60 }): Promise<LiveBoard> {
  const board = await live.board(definition);
  await board.submit({ ann: 10, bob: 20, cy: 30 });
  await board.rank();
  return board;
}

/** Writes records of old runs, a minute apart; the sixth failed. */
async function writeOldRuns({ key }: LiveBoard, count: number): Promise<void> {
  const startMs = Date.now() - 40 * 86_400_000;
  for (let first = 0; first < count; first += 500) {
    const batch = live.db.batch();
    for (let i = first; i < first + 500; i++) {
      const record = emptyRecord(key, startMs + i * 60_000);
      const outcome = i === 5 ? "failed" : "published";
      batch.create(live.db.doc(`${seasonPath(key)}/runs/old-${i}`), { ...record, outcome, generation: i });
    }
    await batch.commit();
  }
}

async function rankNow(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Rank now" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Rank this season now?" });
  await dialog.getByRole("button", { name: "Rank now" }).click();
  await dialog.waitFor({ state: "detached" });
}

/** Presses an alert's button, whatever it offers, and confirms. */
async function repairByAlert(page: Page): Promise<void> {
  const button = page.locator(".alert").getByRole("button");
  const verb = await button.innerText();
  await button.click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText(/costs about [\d,]+ reads/).waitFor();
  await dialog.getByRole("button", { name: verb, exact: true }).click();
}

test("ranking now shows the run, with what it did and cost, and its record", async () => {
  const board = await quietBoard();
  const visit = await visitRuns(board);
  await board.submit({ dee: 40 });
  await eventually(async () => {
    await rankNow(visit.page);
    await visit.page.getByText("Generation 2 is published: 4 players.").first().waitFor({ timeout: 2_000 });
  });
  const run = runsOf(visit).first();
  await run.getByText("Generation 2, 4 players").waitFor();
  await run.getByText("Published").waitFor();
  await run.getByRole("button").click();
  const record = visit.page.locator(".record");
  await record.getByText("found.changed_players").waitFor();
  await visit.page
    .getByRole("region", { name: "Cost" })
    .getByText(/^2 runs over .*: \d+ reads, \d+ writes, \d+ deletes$/)
    .waitFor();
});

test("a damaged ranking shows as an alert when its run fails, and the alert's button repairs it", async () => {
  const board = await quietBoard({});
  await live.db.doc(pagePath(board.key, 0)).delete();
  await board.submit({ dee: 40 });
  const { page } = await visitRuns(board, /status of 500/);
  await eventually(async () => {
    await rankNow(page);
    await page.getByText(/^The last ranking run failed/).waitFor({ timeout: 2_000 });
  });
  await page.getByText("page 0 of generation 1 is missing").first().waitFor();
  await repairByAlert(page);
  await page.getByText(/^The repair is done. Generation \d+, [34] players\.$/).waitFor();
  await page.getByText(/^The last ranking run failed/).waitFor({ state: "detached" });
  await board.rank();
  expect((await board.rankOf({ score: 25 })).rank).toBe(3);
});

test("an audit that finds a score counted twice asks for a repair, and the repair ends the alert", async () => {
  const board = await quietBoard();
  const now = Timestamp.now();
  await live.db
    .doc(shardPath(board.key, "twice", now.toMillis()))
    .set({ slot_ends_at: now, player_count: { "10": 1 }, marks: 1 });
  const visit = await visitRuns(board);
  const { page } = visit;
  await page.getByRole("button", { name: "Full audit" }).click();
  const dialog = page.getByRole("dialog", { name: "Audit every player of this season?" });
  await dialog.getByText("It changes nothing").waitFor();
  await dialog.getByRole("button", { name: "Full audit" }).click();
  await page.getByText(/^An audit found errors/).waitFor();
  await page
    .locator(".alert")
    .getByText(/too many or too few in the ranking|at 1 score/)
    .waitFor();
  await runsOf(visit).getByText("Found differences").waitFor();
  await repairByAlert(page);
  await page.getByText(/^An audit found errors/).waitFor({ state: "detached" });
  expect(await live.admin.call("auditSeason", { ...board.key, full: true })).toMatchObject({
    repair: "none",
  });
});

test("a repair under way shows its progress, live, until it is done", async () => {
  const board = await quietBoard();
  const visit = await visitRuns(board);
  const record = beginRecord("repair", board.key, {
    run: "long",
    full: false,
    total: 2_000,
    nowMs: Date.now(),
  });
  const ref = live.db.doc(`${seasonPath(board.key)}/runs/long`);
  await ref.set({ ...record, progress: { done: 500, total: 2_000 } });
  const bar = visit.page.getByRole("progressbar", { name: "Repair, marking" });
  await visit.page.getByText(/^500 of 2,000 documents/).waitFor();
  expect(await bar.getAttribute("value")).toBe("500");
  await ref.update({ "progress.done": 1_500 });
  await visit.page.getByText(/^1,500 of 2,000 documents/).waitFor();
  await ref.update({ outcome: "done" });
  await bar.waitFor({ state: "detached" });
});

test("runs that follow while the page is open stay listed, and their costs are counted", async () => {
  const board = await quietBoard();
  const visit = await visitRuns(board);
  await soon(() => runsOf(visit).count()).toBe(1);
  const bill = { reads: 1_000, writes: 0, deletes: 0 };
  const nowMs = Date.now();
  for (let i = 1; i <= 45; i++) {
    const record = { ...emptyRecord(board.key, nowMs + i), outcome: "published", billed: bill };
    await live.db.doc(runPath(board.key, `later-${i}`)).set(record);
  }
  await soon(() => runsOf(visit).count()).toBe(46);
  await visit.page.getByText(/^46 runs over .*: 45,\d\d\d reads/).waitFor();
});

test("a failed run stays an alert when an audit follows it", async () => {
  const board = await quietBoard();
  await board.submit({ dee: 40 });
  const nowMs = Date.now();
  const failed = { ...emptyRecord(board.key, nowMs), outcome: "failed", error: "beaten 8 times" };
  await live.db.doc(runPath(board.key, "failed")).set(failed);
  const visit = await visitRuns(board);
  await visit.page.getByText(/^The last ranking run failed/).waitFor();
  const audit = beginRecord("audit", board.key, { run: "audit", full: false, total: 1, nowMs: nowMs + 1 });
  await live.db.doc(runPath(board.key, "audit")).set({ ...audit, outcome: "done" });
  await runsOf(visit).getByText("Nothing wrong").waitFor();
  expect(await visit.page.getByText(/^The last ranking run failed/).count()).toBe(1);
});

test("changes that are not ranked are shown as late", async () => {
  const board = await quietBoard();
  const ended = Timestamp.fromMillis(Date.now() - 3 * 3_600_000);
  await live.db
    .doc(shardPath(board.key, 0, ended.toMillis()))
    .set({ slot_ends_at: ended, player_count: {}, marks: 0 });
  const visit = await visitRuns(board);
  await visit.page.getByText("Changes have waited for more than two intervals").waitFor();
  await visit.page.getByText(/^For 3 h( \d+ min)?\. Rank the season now/).waitFor();
});

test("ten thousand runs are listed a hundred at a time, and found by kind", async () => {
  const board = await quietBoard();
  await writeOldRuns(board, 10_000);
  const visit = await visitRuns(board);
  await soon(() => runsOf(visit).count()).toBe(100);
  await visit.page.getByRole("button", { name: "Show older runs" }).click();
  await soon(() => runsOf(visit).count()).toBe(200);
  await visit.page.getByRole("button", { name: "Show older runs" }).click();
  await soon(() => runsOf(visit).count()).toBe(300);
  const newest = { ...emptyRecord(board.key, Date.now()), outcome: "published" };
  await live.db.doc(runPath(board.key, "newest")).set(newest);
  await soon(() => runsOf(visit).count()).toBe(301);
  await visit.page.getByRole("button", { name: "Failed" }).click();
  await runsOf(visit).getByText("Failed").waitFor();
  expect(await runsOf(visit).count()).toBe(1);
});
