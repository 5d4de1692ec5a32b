/** Rows in a form that tests can write down, generate and compare. */
import fc from "fast-check";
import { type Order, scoreOfKey, sortKey } from "../../functions/src/model/score.ts";
import { checkSum } from "../../functions/src/ranking/check-sum.ts";
import { createFold } from "../../functions/src/ranking/fold.ts";
import { type Row, type Rows, rowsOf } from "../../functions/src/ranking/rows.ts";
import { anyOrder, anyScore } from "./arbitraries.ts";

export { type Row, rowsOf };

/** Rows of some lines: [score, players] of an exact row, [score, players, low] of a merged one. */
export function someRows(...lines: [score: number, players: number, low?: number][]): Rows {
  return rowsOf(lines.map(([score, players, low = score]) => ({ score, low, players })));
}

/** Rows that hold players of these scores, each row best first: merged where the scores differ, with check sums. */
export function rowsHolding(...rows: number[][]): Rows {
  const list = rows.map((scores) => ({
    score: scores[0] ?? NaN,
    low: scores.at(-1) ?? NaN,
    players: scores.length,
  }));
  const checks = rows.map((scores) => scores.reduce((sum, score) => sum + checkSum(score, 1), 0));
  return {
    ...rowsOf(list),
    checks: Int32Array.from(checks, (sum, i) => (list[i]?.score === list[i]?.low ? 0 : sum)),
  };
}

/** How many players more, or fewer, have a score. */
export type Change = readonly [score: number, delta: number];

/** Rows with some changes folded in. */
export function fold(order: Order, rows: Rows, changes: Iterable<Change>): Rows {
  const started = createFold(order, rows);
  for (const [score, delta] of changes) started.add(score, delta);
  return started.finish();
}

/** The list of rows. */
export function listOf({ scores, lows, players }: Rows): Row[] {
  return Array.from(scores, (score, i) => ({ score, low: lows[i] ?? NaN, players: players[i] ?? NaN }));
}

/** Rows for a board's order: sorted, apart from each other, none of them empty. */
export function anyRows(
  order: Order,
  { merged = false, lengthMax = 40, playersMin = -2 } = {},
): fc.Arbitrary<Row[]> {
  const players = fc.integer({ min: playersMin, max: 9 }).filter((count) => count !== 0);
  const joined = merged ? fc.boolean() : fc.constant(false);
  const keys = fc.uniqueArray(
    anyScore.map((score) => sortKey(order, score)),
    { maxLength: lengthMax },
  );
  return keys.chain((unsorted) => {
    const sorted = unsorted.toSorted((a, b) => a - b);
    const lines = fc.array(fc.tuple(players, joined), { minLength: sorted.length, maxLength: sorted.length });
    return lines.map((list) => {
      const rows: Row[] = [];
      for (let i = 0; i < sorted.length; i++) {
        const [count = 1, join = false] = list[i] ?? [];
        const score = scoreOfKey(order, sorted[i] ?? NaN);
        if (join && i + 1 < sorted.length) i += 1;
        rows.push({ score, low: scoreOfKey(order, sorted[i] ?? NaN), players: count });
      }
      return rows;
    });
  });
}

/** An order, and rows of a board that has it. */
export const anyBoard = (options?: Parameters<typeof anyRows>[1]): fc.Arbitrary<[Order, Row[]]> =>
  anyOrder.chain((order) => fc.tuple(fc.constant(order), anyRows(order, options)));

/**
 * Checks that rows are in order, do not overlap and include no empty exact row.
 * @throws an error that names the first wrong row.
 */
export function checkRows(order: Order, { scores, lows, players }: Rows): void {
  let before = -Infinity;
  for (let i = 0; i < scores.length; i++) {
    const from = sortKey(order, scores[i] ?? NaN);
    const to = sortKey(order, lows[i] ?? NaN);
    if (!(from > before && to >= from))
      throw new Error(`row ${i} is out of order or overlaps the one before`);
    if (players[i] === 0 && from === to) throw new Error(`row ${i} is empty`);
    before = to;
  }
}
