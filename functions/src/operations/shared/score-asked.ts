/** A score that a request names: a number, or on a board with columns the value of each column. */
import { toStep } from "../../model/arithmetic.ts";
import { type ColumnValues, packColumns } from "../../model/columns.ts";
import type { Definition } from "../../model/definition.ts";
import { invalidField } from "../../model/errors.ts";
import { checkColumns, readColumns } from "../../submit/apply.ts";

/**
 * The score that is named, as the board stores it; undefined if none is.
 * @throws `invalid_request` about `columns` that do not fit the board; `score_out_of_range`
 */
export function scoreAsked(
  definition: Definition,
  { score, columns }: { score?: number | undefined; columns?: ColumnValues | undefined },
): number | undefined {
  const { columns: list, order } = definition;
  if (columns === undefined) return score === undefined ? undefined : toStep(definition, score);
  if (list === undefined) throw invalidField("columns", "this leaderboard has no columns; give a score");
  const values = readColumns(list, columns);
  checkColumns(list, values);
  return packColumns(order, list, values);
}
