import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rowsMax } from "../model/limits.ts";
import type { Order } from "../model/score.ts";
import { anyBoard, checkRows, listOf, type Row, rowsOf, someRows } from "../../../test/support/rows.ts";
import { mergeRows, mergeTogether, smallestEpsilon } from "./merge.ts";
import type { Rows } from "./rows.ts";

/** Rows, of which merged ones may be empty, and how many are to be left. */
const anyCase = fc.tuple(
  anyBoard({ merged: true, lengthMax: 120, playersMin: -1 }).map(([order, rows]): [Order, Row[]] => [
    order,
    rows.map((row) => (row.score !== row.low && row.players < 0 ? { ...row, players: 0 } : row)),
  ]),
  fc.integer({ min: 2, max: 60 }),
);

const shown = (rows: readonly Row[]) => rows.filter(({ players }) => players > 0);
const sum = (rows: readonly Row[]) => rows.reduce((total, { players }) => total + players, 0);

/** The twin: how many rows are left when rows are joined one at a time, as the comment in merge.ts says. */
function countPlainly(rows: readonly Row[], epsilon: number): number {
  const groups: { above: number; players: number }[] = [];
  let open = false;
  for (const { players: count } of rows) {
    const last = groups.at(-1);
    if (count <= 0) open = false;
    else if (open && last !== undefined && last.players + count <= epsilon * last.above)
      last.players += count;
    else {
      groups.push({ above: last === undefined ? 0 : last.above + last.players, players: count });
      open = true;
    }
  }
  return groups.length;
}

/** Checks a merge of rows that did not fit, row by row. */
function checkMerged(before: readonly Row[], after: readonly Row[], epsilon: number): void {
  let next = 0;
  let above = 0;
  for (const row of after) {
    const from = next;
    while (before[next]?.low !== row.low) next += 1;
    const joined = before.slice(from, (next += 1));
    expect(joined[0]?.score).toBe(row.score);
    expect(row.players).toBe(sum(joined));
    if (joined.length > 1) {
      expect(joined.every(({ players }) => players > 0)).toBe(true);
      expect(row.players).toBeLessThanOrEqual(epsilon * above);
      expect(above).toBeGreaterThan(1 / epsilon);
    }
    above += Math.max(0, row.players);
  }
  expect(next).toBe(before.length);
}

describe("merging", () => {
  test("keeps each joined row within ε, the first 1/ε ranks exact and rows that nobody sees alone, and fits", () => {
    fc.assert(
      fc.property(anyCase, ([[order, list], most]) => {
        const rows = rowsOf(list);
        fc.pre(shown(list).length > most && fitsAtAll(list, most));
        const after = mergeRows(rows, most);
        checkRows(order, after);
        expect(shown(listOf(after)).length).toBeLessThanOrEqual(most);
        checkMerged(list, listOf(after), smallestEpsilon([rows.players], most));
      }),
      { numRuns: 300 },
    );
  });

  test("finds the smallest ε: with one a thousandth smaller the rows do not fit", () => {
    fc.assert(
      fc.property(anyCase, ([[, list], most]) => {
        fc.pre(shown(list).length > most && fitsAtAll(list, most));
        const epsilon = smallestEpsilon([rowsOf(list).players], most);
        expect(countPlainly(list, epsilon)).toBeLessThanOrEqual(most);
        expect(countPlainly(list, epsilon * 0.999)).toBeGreaterThan(most);
      }),
      { numRuns: 300 },
    );
  });

  test("does not change rows that fit, and counts only those that readers see", () => {
    const rows = someRows([9, 1], [8, -1], [7, 1], [6, 2], [5, -3], [4, 0, 3]);
    expect(mergeRows(rows, 3)).toBe(rows);
    expect(mergeRows(rows, 4)).toBe(rows);
  });

  test("makes any ranking of alternating negative and other rows fit, and keeps its sum", () => {
    for (let pairs = 1; pairs < 40; pairs++) {
      const list = Array.from({ length: 2 * pairs }, (_, i): [number, number] => [-i, i % 2 === 0 ? 2 : -1]);
      const after = listOf(mergeRows(someRows(...list), 3));
      expect(shown(after).length).toBeLessThanOrEqual(3);
      expect(sum(after)).toBe(pairs);
    }
  });
});

/** The best row stands alone, as nobody is above it. At best, the rest is one row between each two negative ones. */
const fitsAtAll = (list: readonly Row[], most: number) => countPlainly(list, 1e300) <= most;

test(
  "ten million players with different scores are exact to the 7,000th place, as the design promises",
  { tags: "big" },
  () => {
    const epsilon = smallestEpsilon([new Float64Array(10_000_000).fill(1)], rowsMax);
    expect(1 / epsilon).toBeGreaterThan(7_000);
    expect(1 / epsilon).toBeLessThan(9_000);
  },
);

/** The players of a joined row divided by those above it, at the most. */
function worstError({ scores, lows, players }: Rows): number {
  let above = 0;
  let worst = 0;
  players.forEach((count, i) => {
    if (scores[i] !== lows[i]) worst = Math.max(worst, count / above);
    above += count;
  });
  return worst;
}

describe("rows that readers do not see", () => {
  test("are added to the shown row before them where nothing else fits, except for the first ones", () => {
    type Lines = Parameters<typeof someRows>;
    const rows = someRows(
      [20, -1],
      [19, -2],
      [18, 0, 17],
      [16.5, -1],
      ...[16, 14, 12, 10].flatMap((score): Lines => [
        [score, 5],
        [score - 1, score % 4 === 0 ? 0 : -1, score - 1.5],
      ]),
    );
    const merged = listOf(mergeRows(rows, 2));
    expect(merged.slice(0, 4)).toEqual(listOf(someRows([20, -1], [19, -2], [18, 0, 17], [16.5, -1])));
    expect(merged.filter(({ players }) => players > 0).length).toBeLessThanOrEqual(2);
    expect(merged.slice(4).reduce((sum, { players }) => sum + players, 0)).toBe(18);
    expect(merged.at(-1)?.low).toBe(8.5);
  });

  test("may lie so that no ε is enough, which is reported", () => {
    expect(() => smallestEpsilon([Float64Array.of(1, -1, 1)], 1)).toThrow("rows cannot be merged into 1");
  });
});

test("several rankings share the rows, by one relative error: small ones stay exact", () => {
  const sizes = [5_000, 700, 40, 3];
  const all = sizes.map((size) =>
    rowsOf(Array.from({ length: size }, (_, i) => ({ score: -i, low: -i, players: 1 }))),
  );
  const merged = mergeTogether(all, 900);
  const shown = merged.reduce((sum, { players }) => sum + players.length, 0);
  expect(shown).toBeLessThanOrEqual(900);
  expect(shown).toBeGreaterThan(800);
  const epsilon = smallestEpsilon(
    all.map(({ players }) => players),
    900,
  );
  for (const [i, rows] of merged.entries()) {
    expect(rows.players.reduce((sum, count) => sum + count, 0)).toBe(sizes[i]);
    expect(worstError(rows)).toBeLessThanOrEqual(epsilon);
  }
  for (const i of [2, 3]) expect(merged[i]?.lows).toEqual(all[i]?.scores);
  expect(mergeTogether(all, 10_000)).toBe(all);
});
