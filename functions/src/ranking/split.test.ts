import fc from "fast-check";
import { expect, test } from "vitest";
import { anyOrder } from "../../../test/support/arbitraries.ts";
import { rowsOfScores } from "../../../test/support/pages.ts";
import { type Change, checkRows, fold, listOf, rowsHolding, someRows } from "../../../test/support/rows.ts";
import { mergeRows } from "./merge.ts";
import { dropEmptyRows, noRows, type Rows } from "./rows.ts";
import { exactRowsIn, splitRows, wideRows } from "./split.ts";

/** Whether a score lies in a row. */
function isIn({ scores, lows }: Rows, row: number, score: number): boolean {
  const ends = [scores[row] ?? NaN, lows[row] ?? NaN];
  return Math.min(...ends) <= score && score <= Math.max(...ends);
}

/** Changes of scores that come and others that go. */
const moved = (arrived: readonly number[], gone: readonly number[]): Change[] => [
  ...arrived.map((score) => [score, 1] as const),
  ...gone.map((score) => [score, -1] as const),
];

test("rows are wide if they have more than their share of the players above, without owed ones", () => {
  const rows = someRows([99, 1_000], [95, -600], [90, 10, 80], [70, 12, 60], [50, 500], [40, 40, 30]);
  expect(wideRows(rows, 0.01)).toEqual([3, 5]);
  expect(wideRows(rows, 0.012)).toEqual([5]);
  expect(wideRows(rows, 0.1)).toEqual([]);
});

test("rows whose players are read again become the rows of an exact fold", () => {
  const scores = fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 5, maxLength: 80 });
  const changes = fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 10 });
  fc.assert(
    fc.property(anyOrder, scores, changes, fc.nat(5), (order, folded, arrived, left) => {
      const exact = rowsOfScores(order, folded);
      const merged = mergeRows(exact, 6);
      const gone = folded.slice(0, Math.min(left, folded.length - 1));
      const pending = fold(order, noRows, moved(arrived, gone));
      const indexed = [...folded.slice(gone.length), ...arrived];
      const wide = wideRows(merged, 0);
      const isInside = ({ score }: { score: number }) => wide.some((row) => isIn(merged, row, score));
      const exactRows = wide.flatMap((row) => {
        const held = indexed.filter((score) => isIn(merged, row, score));
        return exactRowsIn(order, merged, row, rowsOfScores(order, held), pending) ?? [];
      });
      expect(exactRows).toHaveLength(wide.length);
      const split = splitRows(order, merged, wide, exactRows);
      checkRows(order, split);
      expect(listOf(split).filter(isInside)).toEqual(listOf(exact).filter(isInside));
      expect(listOf(split).reduce((sum, { players }) => sum + players, 0)).toBe(folded.length);
    }),
  );
});

test("rows that are not wide stay unchanged", () => {
  const rows = someRows([90, 3, 80], [70, 2, 60]);
  const split = splitRows("descending", rows, [1], [someRows([70, 1], [61, 1])]);
  expect(listOf(split)).toEqual(listOf(someRows([90, 3, 80], [70, 1], [61, 1])));
});

test("a row counts its players and what is pending in it, by number and by scores", () => {
  const rows = rowsHolding([90, 85, 80, 80], [70, 60]);
  const pending = someRows([91, 5], [90, 1], [80, -2], [70, 1], [59, 7]);
  const exactIn = (row: number, ...held: number[]) =>
    exactRowsIn("descending", rows, row, rowsOfScores("descending", held), pending);
  const counts = (row: number, ...held: number[]) => exactIn(row, ...held) !== undefined;
  expect(listOf(exactIn(0, 90, 85, 90) ?? noRows)).toEqual(listOf(someRows([90, 1], [85, 1], [80, 2])));
  // The last two are of direct writes that cancel out in number.
  for (const held of [
    [90, 85],
    [90, 85, 90, 90],
    [90, 85, 89],
    [90, 84, 90],
  ])
    expect(counts(0, ...held)).toBe(false);
  expect(counts(1, 60, 70, 70)).toBe(true);
  expect(counts(1, 60, 60, 70)).toBe(false);
});

test("nobody knows whom a row without a check sum counts", () => {
  const rows = someRows([90, 2, 80]);
  expect(exactRowsIn("descending", rows, 0, rowsOfScores("descending", [90, 80]), noRows)).toBeUndefined();
  expect(exactRowsIn("descending", rows, 0, noRows, noRows)).toBeUndefined();
});

test("rows know whom they count however often they are folded and merged, and notice one other score", () => {
  const scores = fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 8, maxLength: 80 });
  const rounds = fc.array(fc.tuple(scores, fc.nat(7)), { maxLength: 4 });
  fc.assert(
    fc.property(anyOrder, scores, rounds, (order, first, later) => {
      let held = first;
      let rows = mergeRows(rowsOfScores(order, held), 6);
      for (const [arrived, left] of later) {
        const folded = fold(order, rows, moved(arrived, held.slice(0, left)));
        held = [...held.slice(left), ...arrived];
        rows = mergeRows(dropEmptyRows(folded), 6);
      }
      checkRows(order, rows);
      rows.scores.forEach((from, row) => {
        const inRow = held.filter((score) => isIn(rows, row, score));
        expect(exactRowsIn(order, rows, row, rowsOfScores(order, inRow), noRows)).toBeDefined();
        if (from === rows.lows[row]) expect(rows.checks?.[row] ?? 0).toBe(0);
        if (inRow.length > 0) {
          const others = [(inRow[0] ?? NaN) + 1, ...inRow.slice(1)];
          expect(exactRowsIn(order, rows, row, rowsOfScores(order, others), noRows)).toBeUndefined();
        }
      });
    }),
  );
});
