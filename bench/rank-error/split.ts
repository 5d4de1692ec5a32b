/** A run's re-reading of rows that have become too wide, with a list of scores instead of the index entries. */
import { firstWhere } from "../../functions/src/model/search.ts";
import { mergeRows } from "../../functions/src/ranking/merge.ts";
import type { Rows } from "../../functions/src/ranking/rows.ts";
import { splitRows, wideRows } from "../../functions/src/ranking/split.ts";
import { rowsOf } from "./measure.ts";

export interface Split {
  rows: Rows;
  /** Rows that were read again. */
  split: number;
  /** Index entries read for that. */
  reads: number;
}

/**
 * Splits the rows of a descending board that are wider than `bound`, and merges the result.
 * @param scores of all players, in no order: what the index entries hold.
 */
export function splitWideRows(rows: Rows, scores: Float64Array, bound: number, rowsMax: number): Split {
  const wide = wideRows(rows, bound);
  if (wide.length === 0) return { rows, split: 0, reads: 0 };
  const tops = Float64Array.from(wide, (row) => rows.scores[row] ?? NaN);
  const lows = Float64Array.from(wide, (row) => rows.lows[row] ?? NaN);
  const held = scores.filter((score) => {
    const row = firstWhere(tops, (top) => top < score) - 1;
    return row >= 0 && score >= (lows[row] ?? NaN);
  });
  const split = splitRows("descending", rows, wide, [rowsOf(held)]);
  return { rows: mergeRows(split, rowsMax), split: wide.length, reads: held.length };
}
