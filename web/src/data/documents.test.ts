import { expect, test } from "vitest";
import { emptyRecord } from "../../../functions/src/documents/ranking-record.ts";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { runNumbersOf } from "../../../functions/src/documents/recent-runs.ts";
import { begunSeason } from "../../../test/support/season.ts";
import { readRun, readRuns } from "./documents.ts";

const key = { leaderboard: "chess", season: "all_time" };
const record = emptyRecord(key, 1_000);
const read = (data: object) =>
  readRun({ id: "run", path: "leaderboards/chess/seasons/all_time/runs/run", data: { ...data } });

test("a ranking run's record is read as it was written", () => {
  const whole = { ...record, error: "beaten" };
  expect(read(whole)).toEqual({ id: "run", key, record: whole });
});

test("a number that an earlier release did not count is missing", () => {
  const { top_overtaken: _, ...rest } = record;
  const { unreadable_changes: __, ...found } = record.found;
  expect(read({ ...rest, found }).record).toEqual(record);
});

test.each([
  ["its outcome is unknown", { outcome: "halted" }],
  ["it has no beginning", { started_at: undefined }],
  ["its counts are no numbers", { billed: { reads: "many" } }],
  ["its kind is unknown", { kind: "export" }],
])("a record is unreadable where %s", (_why, change) => {
  expect(read({ ...record, ...change }).record).toBeUndefined();
});

const season = "leaderboards/chess/seasons/all_time";

/** A run that published a generation at the minute of its number. */
const runOf = (generation: number) => ({
  ...emptyRecord(key, 60_000 * generation),
  outcome: "published" as const,
  generation,
  lag_ms: 0,
});
const inNumbers = (...generations: number[]) => generations.flatMap((one) => runNumbersOf(runOf(one)) ?? []);

/** The record of such a run, with the runs before it that had no record. */
function recordOf(generation: number, ...before: number[]) {
  const data = { ...runOf(generation), recent_runs: inNumbers(...before) };
  return { id: `record-${generation}`, path: `${season}/runs/record-${generation}`, data };
}

test("a season's runs are those of its records and those in numbers, with no gap where older records are to come", () => {
  const opened = { ...begunSeason({}), recent_runs: inNumbers(8, 9) };
  const audit = {
    id: "audit",
    path: `${season}/runs/audit`,
    data: { started_at: Timestamp.fromMillis(330_000) },
  };
  const records = [recordOf(7, 5, 6), audit];
  const idsOf = (more: Partial<Parameters<typeof readRuns>[1]>, nowMs = 0) =>
    readRuns(key, { records, hasMore: false, season: opened, ...more }, nowMs).map(({ id }) => id);
  expect(idsOf({})).toEqual([
    "generation-9",
    "generation-8",
    "record-7",
    "generation-6",
    "audit",
    "generation-5",
  ]);
  expect(idsOf({ hasMore: true })).toEqual([
    "generation-9",
    "generation-8",
    "record-7",
    "generation-6",
    "audit",
  ]);
  expect(idsOf({ season: undefined })).toEqual(["record-7", "generation-6", "audit", "generation-5"]);
  // Numbers last as long as records.
  expect(idsOf({}, 30 * 86_400_000 + 500_000)).toEqual(["generation-9", "record-7", "audit"]);
  const [last] = readRuns(key, { records, hasMore: false, season: opened }, 0);
  expect(last).toMatchObject({ key, record: { kind: "ranking", outcome: "published", generation: 9 } });
});

test("a run that a record has just taken over is listed once", () => {
  const opened = { ...begunSeason({}), recent_runs: inNumbers(6) };
  const records = [recordOf(7, 6)];
  expect(readRuns(key, { records, hasMore: false, season: opened }, 0).map(({ id }) => id)).toEqual([
    "record-7",
    "generation-6",
  ]);
});
