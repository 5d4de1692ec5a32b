/** `getRankOfScore`: the rank of a score or of columns, never of a player. */
import type { Rank } from "../model/answers.ts";
import { getRankRequest, getRankSpec } from "./get-rank.ts";
import type { OperationSpec } from "./spec.ts";

const request = getRankRequest.refine(({ score, columns }) => score !== undefined || columns !== undefined, {
  path: ["score"],
  message: "is missing: give a score, or columns as in columns[points]=3",
});

/** Cost: as {@link getRankSpec} by score. */
export const rankOfScoreSpec: OperationSpec<typeof request, Rank> = {
  ...getRankSpec,
  name: "getRankOfScore",
  request,
};
