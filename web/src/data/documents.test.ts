import { expect, test } from "vitest";
import { emptyRecord } from "../../../functions/src/documents/ranking-record.ts";
import { readRun } from "./documents.ts";

const key = { leaderboard: "chess", season: "all_time" };
const record = emptyRecord(key, 1_000);
const read = (data: object) =>
  readRun({ id: "run", path: "leaderboards/chess/seasons/all_time/runs/run", data: { ...data } });

test("a ranking run's record is read as it was written", () => {
  const bill = { reads: 1, writes: 2, deletes: 3 };
  const whole = { ...record, sources: { index: null, count: bill, break_even_changes: 4 }, error: "beaten" };
  expect(read(whole)).toEqual({ id: "run", key, record: whole });
});

test("a number that an earlier release did not count is missing", () => {
  const { sources: _, top_overtaken: __, ...rest } = record;
  const { unreadable_changes: ___, ...found } = record.found;
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
