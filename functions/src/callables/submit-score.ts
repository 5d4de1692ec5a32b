/** `submitScore`: a player's own score. */
import { z } from "zod";
import { type SubmissionAnswer, submissionSchema } from "../model/answers.ts";
import { FirerankError } from "../model/errors.ts";
import { leaderboardId } from "../model/ids.ts";
import type { BoardCache } from "../seasons/board.ts";
import { currentSeasons } from "../seasons/current.ts";
import { submissionFields } from "../submit/schema.ts";
import { submitScores } from "../submit/submit.ts";
import { type CallableSpec, defineCallable, requireCaller } from "./define-callable.ts";
import { answerSubmission } from "./submission-answer.ts";

const request = z.strictObject({ leaderboard: leaderboardId, ...submissionFields });

/**
 * Records the caller's score in all spans of a board.
 *
 * Cost: 1 read for each span, 1 write where something changed; for the ranks in the answer 1 read each, 0 while
 * the page is in memory.
 */
export const submitScoreSpec: CallableSpec<typeof request, SubmissionAnswer> = {
  name: "submitScore",
  access: "player",
  request,
  answer: submissionSchema,
  async handle(services, { leaderboard, ...submission }, caller) {
    const { uid, admin } = requireCaller(caller);
    await requireClientScores(services.boards, leaderboard, admin);
    const { boards, outcomes } = await submitScores(services, leaderboard, [{ player: uid, ...submission }]);
    const outcome = outcomes[0];
    if (outcome === undefined) throw new Error("a submission came back without an outcome");
    if ("error" in outcome) throw outcome.error;
    return answerSubmission(services, boards, uid, outcome.applied);
  },
};

export const submitScore = defineCallable(submitScoreSpec);

async function requireClientScores(boards: BoardCache, leaderboard: string, admin: boolean): Promise<void> {
  for (const key of currentSeasons(leaderboard)) {
    const { definition } = await boards.load(key);
    if (definition.submit === "client" || admin) continue;
    throw new FirerankError(
      "server_scores_only",
      `Leaderboard "${leaderboard}" takes scores from its server only: send this score to your server, which calls submitScores.`,
    );
  }
}
