import { expect, test } from "vitest";
import { exactRows, listOf, rowsOf } from "../testing/rows.ts";
import { createFold } from "./fold.ts";
import { areSame, checkRows, dropEmptyRows, isExact, noRows, type Rows, shownPlayers } from "./rows.ts";

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

test("rankings are the same if they have the same rows with the same players", () => {
  const rows = [
    { score: 90, low: 80, players: 3 },
    { score: 70, low: 70, players: 2 },
  ];
  const [first, second] = rows.map((row) => ({ ...row }));
  const others = [
    [],
    [{ score: 90, low: 80, players: 3 }],
    [...rows, { score: 60, low: 60, players: 1 }],
    [{ score: 90, low: 80, players: 4 }, second],
    [{ score: 95, low: 80, players: 3 }, second],
    [{ score: 90, low: 85, players: 3 }, second],
    [first, { score: 70, low: 70, players: 1 }],
    [first, { score: 71, low: 70, players: 2 }],
    [first, { score: 70, low: 69, players: 2 }],
  ].map((list) => rowsOf(list.filter((row) => row !== undefined)));
  expect(areSame(rowsOf(rows), rowsOf(rows))).toBe(true);
  expect(areSame(noRows, noRows)).toBe(true);
  for (const other of others) {
    expect(areSame(rowsOf(rows), other)).toBe(false);
    expect(areSame(other, rowsOf(rows))).toBe(false);
  }
});

test("an empty merged row stays while a change inside it is or may be pending, and is removed otherwise", () => {
  const rows = rowsOf([
    { score: 90, low: 80, players: 0 },
    { score: 70, low: 60, players: 0 },
    { score: 50, low: 40, players: 2 },
    { score: 30, low: 20, players: 0 },
  ]);
  const kept = (pending: Rows | undefined) =>
    listOf(dropEmptyRows("descending", rows, pending)).map(({ score }) => score);
  expect(kept(noRows)).toEqual([50]);
  expect(kept(undefined)).toEqual([90, 70, 50, 30]);
  expect(kept(exactRows([95, 1], [85, 1], [75, 1], [45, -1], [20, 1]))).toEqual([90, 50, 30]);
  // At either end of a row, and just outside it.
  expect(kept(exactRows([90, 1], [60, 1]))).toEqual([90, 70, 50]);
  expect(kept(exactRows([91, 1], [79, 1], [71, 1], [59, 1]))).toEqual([50]);
});

test("rows are not copied if all of them stay", () => {
  const rows = rowsOf([{ score: 90, low: 80, players: 1 }]);
  expect(dropEmptyRows("descending", rows, noRows)).toBe(rows);
});

test("a late change finds the merged row that has lost its last player meanwhile", () => {
  const folded = (rows: Rows, ...changes: [score: number, delta: number][]) => {
    const fold = createFold("descending", rows);
    for (const [score, delta] of changes) fold.add(score, delta);
    return fold.finish();
  };
  const rows = rowsOf([{ score: 90, low: 80, players: 2 }]);
  const emptied = dropEmptyRows("descending", folded(rows, [85, -1], [80, -1]), exactRows([85, 1]));
  const healed = folded(emptied, [85, 1]);
  expect(listOf(healed)).toEqual([{ score: 90, low: 80, players: 1 }]);
  expect(listOf(dropEmptyRows("descending", folded(healed, [90, -1]), noRows))).toEqual([]);
});
