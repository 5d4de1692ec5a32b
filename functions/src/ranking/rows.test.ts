import { expect, test } from "vitest";
import { exactRows, rowsOf } from "../testing/rows.ts";
import { checkRows, isExact, noRows, shownPlayers } from "./rows.ts";

test("rows in the board's order pass the check, and those of the other order do not", () => {
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

test("negative rows take nothing from the players that readers see", () => {
  expect(shownPlayers(exactRows([3, 5], [2, -2], [1, 4]))).toBe(9);
  expect(shownPlayers(noRows)).toBe(0);
});

test("a ranking is exact as long as every row is one score", () => {
  expect(isExact(noRows)).toBe(true);
  expect(isExact(exactRows([3, 5], [2, 1]))).toBe(true);
  expect(isExact(rowsOf([{ score: 3, low: 2, players: 6 }]))).toBe(false);
});
