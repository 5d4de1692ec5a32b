import { expect, test } from "vitest";
import { type Change, fold, listOf, rowsHolding, someRows } from "../../../test/support/rows.ts";
import { dropEmptyRows, isExact, noRows, pickRows, type Rows, shownPlayers } from "./rows.ts";

test("negative rows do not reduce the number of players that readers see", () => {
  expect(shownPlayers(someRows([3, 5], [2, -2], [1, 4]))).toBe(9);
  expect(shownPlayers(noRows)).toBe(0);
});

test("a ranking is exact as long as every row is one score", () => {
  expect(isExact(noRows)).toBe(true);
  expect(isExact(someRows([3, 5], [2, 1]))).toBe(true);
  expect(isExact(someRows([3, 6, 2]))).toBe(false);
});

const folded = (rows: Rows, ...changes: Change[]) => fold("descending", rows, changes);

test("an empty merged row stays while it owes a player and counts another, and is removed otherwise", () => {
  const rows = rowsHolding([95], [90, 80], [70, 60], [50, 40], [30, 20]);
  const changed = folded(rows, [95, -1], [90, -1], [80, -1], [70, -1], [65, -1], [30, -1], [20, -1], [10, 2]);
  const kept = someRows([70, 0, 60], [50, 2, 40], [10, 2]);
  expect(listOf(dropEmptyRows(changed))).toEqual(listOf(kept));
});

test("rows are not copied if all of them stay, as those without check sums do", () => {
  const rows = rowsHolding([90, 80]);
  expect(dropEmptyRows(rows)).toBe(rows);
  const unknown = someRows([90, 0, 80]);
  expect(dropEmptyRows(unknown)).toBe(unknown);
});

test("a late change finds the merged row that has lost its last player meanwhile", () => {
  const emptied = dropEmptyRows(folded(rowsHolding([90, 80]), [85, -1], [80, -1]));
  expect(listOf(emptied)).toEqual(listOf(someRows([90, 0, 80])));
  const healed = folded(emptied, [85, 1]);
  expect(listOf(healed)).toEqual(listOf(someRows([90, 1, 80])));
  expect(listOf(dropEmptyRows(folded(healed, [90, -1])))).toEqual([]);
});

test("rows that are picked keep their check sums", () => {
  const rows = rowsHolding([95], [90, 80], [70, 60]);
  expect(pickRows(rows, [0, 2])).toEqual(rowsHolding([95], [70, 60]));
  expect(pickRows(someRows([9, 1], [8, 1]), [1]).checks).toBeUndefined();
});
