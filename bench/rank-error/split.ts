/**
 * The rule that keeps a ranking's bound through a long season: rows that have become too wide are read again.
 *
 * A merged row cannot be split by what a run knows, as it has forgotten its players' order, and it does not stay as
 * narrow as it was made: players arrive in it, and others leave from above it. A row of four players that a season
 * of changes makes one of twelve is three times as uncertain. So each run, after its merge, takes the rows with more
 * than `bound` × the players above them, reads their players from the index entries (one read each, at the run's own
 * read time, less what is pending), puts exact rows in their place and merges again.
 *
 * It reads few: a row that passes the bound at rank r has about bound × r players. What the bound also promises: a
 * merged row of two players or more is at rank 2 / bound or below it, so the ranks above are exact.
 */
import { createFold } from "../../functions/src/ranking/fold.ts";
import { mergeRows } from "../../functions/src/ranking/merge.ts";
import { noRows, type Rows } from "../../functions/src/ranking/rows.ts";

export interface Split {
  rows: Rows;
  /** Rows that were read again. */
  split: number;
  /** Index entries read for that. */
  reads: number;
}

/**
 * Splits the rows of a descending board that are wider than `bound`, and merges what comes out.
 * @param scores of all players, in no order: what the index entries hold.
 */
export function splitWideRows(rows: Rows, scores: Float64Array, bound: number, rowsMax: number): Split {
  const wide = wideRows(rows, bound);
  if (wide.length === 0) return { rows, split: 0, reads: 0 };
  const fold = createFold("descending", without(rows, wide));
  const tops = Float64Array.from(wide, (row) => rows.scores[row] ?? NaN);
  const lows = Float64Array.from(wide, (row) => rows.lows[row] ?? NaN);
  let reads = 0;
  for (const score of scores) {
    const row = lastNotBelow(tops, score);
    if (row < 0 || score < (lows[row] ?? NaN)) continue;
    fold.add(score, 1);
    reads += 1;
  }
  return { rows: mergeRows(fold.finish(), rowsMax), split: wide.length, reads };
}

/** The indexes of merged rows with more than `bound` × the players above them. */
function wideRows({ scores, lows, players }: Rows, bound: number): number[] {
  const wide: number[] = [];
  let above = 0;
  players.forEach((count, row) => {
    if (scores[row] !== lows[row] && count > bound * above) wide.push(row);
    above += count;
  });
  return wide;
}

function without(rows: Rows, indexes: readonly number[]): Rows {
  const left = new Set(indexes);
  const keep = (values: Float64Array) => values.filter((_, row) => !left.has(row));
  return indexes.length === rows.players.length
    ? noRows
    : { scores: keep(rows.scores), lows: keep(rows.lows), players: keep(rows.players) };
}

/** The index of the last of some falling scores that is not below `score`; −1 if all are. */
function lastNotBelow(falling: Float64Array, score: number): number {
  let low = 0;
  let high = falling.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((falling[middle] ?? NaN) >= score) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
