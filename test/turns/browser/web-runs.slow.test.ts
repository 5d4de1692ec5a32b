/** What the dashboard shows of runs, and that its buttons repair what is broken. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { pagePath, seasonPath, shardPath } from "../../../functions/src/documents/paths.ts";
import { beginRecord } from "../../../functions/src/documents/repair-record.ts";
import { test } from "../../support/chromium.ts";
import { eventually, type LiveBoard } from "../../support/live.ts";
import type { Visit } from "../../support/browser/dashboard.ts";
import { dashboard, live, setStage } from "../../support/browser/stage.ts";

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
  const cost = visit.page.getByRole("region", { name: "Cost" });
  await cost.getByText(/^2 runs over .*, and \d+ changed scores?$/).waitFor();
  await cost.getByText(/^Firestore: \d+ reads, \d+ writes, \d+ deletes$/).waitFor();
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
