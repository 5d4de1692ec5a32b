/** `POST …/scores`: a player's own score, or any player's from an admin's server. */
import { z } from "zod";
import type { SubmissionAnswer } from "../model/answers.ts";
import { FirerankError } from "../model/errors.ts";
import { scorerId } from "../model/ids.ts";
import { type OperationSpec, requireCaller, requirePlayer } from "./spec.ts";
import { submitAs, submitScoreRequest, submitScoreSpec } from "./submit-score.ts";

export const postScoreRequest = z.strictObject({
  ...submitScoreRequest.shape,
  player: scorerId.optional().describe("The player, if an admin submits the score; by default the caller."),
});

/** Cost: as {@link submitScoreSpec}. */
export const postScoreSpec: OperationSpec<typeof postScoreRequest, SubmissionAnswer> = {
  ...submitScoreSpec,
  request: postScoreRequest,
  async handle(
    services,
    { leaderboard, season, player, min_generation: ofFirst, min_generations: bySeason, ...submission },
    caller,
  ) {
    const { uid, admin } = requireCaller(caller);
    if (player !== undefined && player !== uid && !admin) {
      throw new FirerankError(
        "not_admin",
        `Submitting for "${player}" needs the custom claim leaderboard_admin: true; leave player out for your own score.`,
      );
    }
    return submitAs(
      services,
      leaderboard,
      { player: player ?? requirePlayer(caller, scorerId), ...submission },
      { admin, season, seen: { ofFirst, bySeason } },
    );
  },
};
