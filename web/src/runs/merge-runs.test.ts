import { expect, test } from "vitest";
import { emptyRecord } from "../../../functions/src/documents/ranking-record.ts";
import type { Run } from "../data/documents.ts";
import { asIn, hasGap, merged } from "./merge-runs.ts";

const key = { leaderboard: "chess", season: "all_time" };
const run = (minute: number, players = 0): Run => ({
  id: `run-${minute}`,
  key,
  record: { ...emptyRecord(key, minute * 60_000), players },
});
/** Runs of some minutes, the last first. */
const runs = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => run(to - i));
const ids = (list: readonly Run[]) => list.map(({ id }) => id);

test("a run in both lists appears once, in the live list's version", () => {
  expect(merged([run(3), run(2, 7)], [run(2, 5), run(1)])).toEqual([run(3), run(2, 7), run(1)]);
});

test("runs that have left the live list stay", () => {
  let seen: Run[] = [];
  for (let minute = 20; minute <= 60; minute++) seen = merged(runs(minute - 19, minute), seen);
  expect(ids(merged(seen, runs(-50, 20)))).toEqual(ids(runs(-50, 60)));
});

test("a run that another list has is taken from there, and nothing else is", () => {
  expect(asIn([run(9, 1), run(2, 7)], [run(3), run(2, 5)])).toEqual([run(3), run(2, 7)]);
});

test("a full live list without any of its earlier runs may have missed runs", () => {
  expect(hasGap(runs(1, 20), runs(20, 39), 20)).toBe(false);
  expect(hasGap(runs(1, 20), runs(21, 40), 20)).toBe(true);
});

test("a live list that was empty, or is not full, has missed nothing", () => {
  expect(hasGap([], runs(21, 40), 20)).toBe(false);
  expect(hasGap(runs(1, 5), runs(30, 40), 20)).toBe(false);
});
