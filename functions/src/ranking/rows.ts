/** The rows of a ranking in memory: typed arrays, best row first, about 24 bytes a row. */
import { type Order, sortKey } from "../model/score.ts";

/**
 * Rows in the board's order. Row i covers the scores from `scores[i]` down to `lows[i]` (in the direction of
 * worse); the two are equal in an exact row. Intervals never overlap. `players[i]` may be negative for a while:
 * see fold.ts.
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

/** Players of the rows, the negative ones not counted, as readers see them. */
export function shownPlayers({ players }: Rows): number {
  let sum = 0;
  for (const count of players) if (count > 0) sum += count;
  return sum;
}

/** Whether every row is one score. */
export function isExact({ scores, lows }: Rows): boolean {
  return scores.every((score, i) => score === lows[i]);
}

/**
 * Checks that rows are in order, do not overlap and hold no empty row; for tests and audits.
 * @throws an error naming the first row that is wrong.
 */
export function checkRows(order: Order, { scores, lows, players }: Rows): void {
  let before = -Infinity;
  for (let i = 0; i < scores.length; i++) {
    const from = sortKey(order, scores[i] ?? NaN);
    const to = sortKey(order, lows[i] ?? NaN);
    if (!(from > before && to >= from))
      throw new Error(`row ${i} is out of order or overlaps the one before`);
    if (players[i] === 0) throw new Error(`row ${i} is empty`);
    before = to;
  }
}
