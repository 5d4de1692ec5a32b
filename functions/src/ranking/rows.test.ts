import { expect, test } from "vitest";
import { checkRows, exactRows, listOf, rowsHolding, rowsOf } from "../../../test/support/rows.ts";
import { createFold } from "./fold.ts";
import { dropEmptyRows, isExact, noRows, pickRows, type Rows, shownPlayers } from "./rows.ts";

test("rows in the board's order pass the check, and those in the other order do not", () => {
  const rows = exactRows([3, 1], [2, -1], [1, 4]);
  expect(() => {
    checkRows("descending", rows);
  }).not.toThrow();
  expect(() => {
    checkRows("ascending", rows);
  }).toThrow("row 1 is out of order");
});

test.each([
  ["the same score twice", exactRows([2, 1], [2, 1]), "row 1 is out of order or overlaps"],
  [
    "a row inside the one before",
    rowsOf([
      { score: 9, low: 5, players: 3 },
      { score: 6, low: 6, players: 1 },
    ]),
    "row 1 is out of order or overlaps",
  ],
  ["a row that ends before it begins", rowsOf([{ score: 5, low: 9, players: 3 }]), "row 0 is out of order"],
  ["a row without players", exactRows([3, 1], [2, 0]), "row 1 is empty"],
])("the check finds %s", (_what, rows, message) => {
  expect(() => {
    checkRows("descending", rows);
  }).toThrow(message);
});

test("negative rows do not reduce the number of players that readers see", () => {
  expect(shownPlayers(exactRows([3, 5], [2, -2], [1, 4]))).toBe(9);
  expect(shownPlayers(noRows)).toBe(0);
});

test("a ranking is exact as long as every row is one score", () => {
  expect(isExact(noRows)).toBe(true);
  expect(isExact(exactRows([3, 5], [2, 1]))).toBe(true);
  expect(isExact(rowsOf([{ score: 3, low: 2, players: 6 }]))).toBe(false);
});

const folded = (rows: Rows, ...changes: [score: number, delta: number][]) => {
  const fold = createFold("descending", rows);
  for (const [score, delta] of changes) fold.add(score, delta);
  return fold.finish();
};

test("an empty merged row stays while it owes a player and counts another, and is removed otherwise", () => {
  const rows = rowsHolding([95], [90, 80], [70, 60], [50, 40], [30, 20]);
  const changed = folded(rows, [95, -1], [90, -1], [80, -1], [70, -1], [65, -1], [30, -1], [20, -1], [10, 2]);
  expect(listOf(dropEmptyRows(changed))).toEqual([
    { score: 70, low: 60, players: 0 },
    { score: 50, low: 40, players: 2 },
    { score: 10, low: 10, players: 2 },
  ]);
});

test("rows are not copied if all of them stay, as those without check sums do", () => {
  const rows = rowsHolding([90, 80]);
  expect(dropEmptyRows(rows)).toBe(rows);
  const unknown = rowsOf([{ score: 90, low: 80, players: 0 }]);
  expect(dropEmptyRows(unknown)).toBe(unknown);
});

test("a late change finds the merged row that has lost its last player meanwhile", () => {
  const emptied = dropEmptyRows(folded(rowsHolding([90, 80]), [85, -1], [80, -1]));
  expect(listOf(emptied)).toEqual([{ score: 90, low: 80, players: 0 }]);
  const healed = folded(emptied, [85, 1]);
  expect(listOf(healed)).toEqual([{ score: 90, low: 80, players: 1 }]);
  expect(listOf(dropEmptyRows(folded(healed, [90, -1])))).toEqual([]);
});

test("rows that are picked keep their check sums", () => {
  const rows = rowsHolding([95], [90, 80], [70, 60]);
  expect(pickRows(rows, [0, 2])).toEqual(rowsHolding([95], [70, 60]));
  expect(pickRows(exactRows([9, 1], [8, 1]), [1]).checks).toBeUndefined();
});
