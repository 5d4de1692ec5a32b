/** A run's re-reading of rows that have become too wide, with a list of scores instead of the index entries. */
import { firstWhere } from "../../functions/src/model/search.ts";
import { createFold } from "../../functions/src/ranking/fold.ts";
import { mergeRows } from "../../functions/src/ranking/merge.ts";
import { noRows, type Rows } from "../../functions/src/ranking/rows.ts";
import { splitRows, wideRows } from "../../functions/src/ranking/split.ts";

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
  const fold = createFold("descending", noRows);
  for (const score of held) fold.add(score, 1);
  const split = splitRows("descending", rows, wide, [fold.finish()]);
  return { rows: mergeRows(split, rowsMax), split: wide.length, reads: held.length };
}
