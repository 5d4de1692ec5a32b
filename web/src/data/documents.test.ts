import { expect, test } from "vitest";
import { emptyRecord } from "../../../functions/src/documents/ranking-record.ts";
import { readRun } from "./documents.ts";

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
