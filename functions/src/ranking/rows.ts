/** The rows of a ranking in memory: typed arrays, best row first, about 24 bytes a row. */
import { type Order, sortKey } from "../model/score.ts";

/**
 * Rows in the board's order. Row i covers the scores from `scores[i]` down to `lows[i]` (towards worse ones); the two
 * are equal in an exact row. Intervals never overlap. `players[i]` may be negative for a while: see fold.ts.
 */
export interface Rows {
  scores: Float64Array;
  lows: Float64Array;
  players: Float64Array;
}

export const noRows: Rows = {
  scores: new Float64Array(),
  lows: new Float64Array(),
  players: new Float64Array(),
};

/** Players of the rows as readers see them, without negative rows. */
export function shownPlayers({ players }: Rows): number {
  let sum = 0;
  for (const count of players) if (count > 0) sum += count;
  return sum;
}

/** Whether every row is one score. */
export function isExact({ scores, lows }: Rows): boolean {
  return scores.every((score, i) => score === lows[i]);
}

/** Whether two rankings have the same rows with the same players. */
export function areSame(a: Rows, b: Rows): boolean {
  const same = (left: Float64Array, right: Float64Array) => left.every((value, row) => value === right[row]);
  return (
    a.players.length === b.players.length &&
    same(a.players, b.players) &&
    same(a.scores, b.scores) &&
    same(a.lows, b.lows)
  );
}

/**
 * Rows without empty merged ones, except for those in which a change is pending.
 *
 * A merged row that has lost its last player may still owe one: the −1 at one of its scores is folded while the +1 that
 * it answers is pending. That +1 must find the same row. Otherwise it would become a row of its own at a score that
 * nobody has, and another score would be owed for ever.
 * @param pending all changes that are not in `rows` yet; if they are unknown, every row stays.
 */
export function dropEmptyRows(order: Order, rows: Rows, pending: Rows | undefined): Rows {
  if (pending === undefined) return rows;
  const kept: number[] = [];
  let change = 0;
  rows.players.forEach((players, row) => {
    const from = sortKey(order, rows.scores[row] ?? NaN);
    const until = sortKey(order, rows.lows[row] ?? NaN);
    const keyOfChange = () => sortKey(order, pending.scores[change] ?? NaN);
    while (keyOfChange() < from) change += 1;
    if (players !== 0 || keyOfChange() <= until) kept.push(row);
  });
  return kept.length === rows.players.length ? rows : pickRows(rows, kept);
}

/** The rows with the given indexes. */
export function pickRows({ scores, lows, players }: Rows, indexes: ArrayLike<number>): Rows {
  const at = (values: Float64Array) => Float64Array.from(indexes, (index) => values[index] ?? NaN);
  return { scores: at(scores), lows: at(lows), players: at(players) };
}

/**
 * Checks that rows are in order, do not overlap and include no empty exact row; for tests and audits.
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
