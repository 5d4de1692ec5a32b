/** `submitScore`: a player's own score. */
import { z } from "zod";
import { type SubmissionAnswer, submissionSchema } from "../model/answers.ts";
import { FirerankError } from "../model/errors.ts";
import { leaderboardId, scorerId, seasonId } from "../model/ids.ts";
import { seasonsSeenMax } from "../model/limits.ts";
import type { BoardCache } from "../seasons/board.ts";
import { definitionKey } from "../seasons/current.ts";
import { submissionFields } from "../submit/schema.ts";
import { recordSubmissions } from "../submit/record-submissions.ts";
import { freshnessAsked, generation } from "./season-asked.ts";
import type { Services } from "./services.ts";
import { type OperationSpec, requireCaller, requirePlayer } from "./spec.ts";
import { answerSubmission, showChanges } from "./submission-answer.ts";

/** How fresh the ranks in the answer are. */
const freshness = freshnessAsked.describe(
  "`live` ranks are 5 seconds old, or more on a busy board. Without it, ranks are live where that costs nothing, or else those of the last publication; the answer says which.",
);

/** The season that a submission names. */
export const seasonSubmittedTo = seasonId
  .optional()
  .describe("An open custom season. Left out, the score counts for all spans of the board.");

/** What the caller has seen of the seasons that the score may count in. */
const generationsSeen = {
  min_generations: z
    .record(seasonId, generation, 'must be an object of generations by season, such as {"all_time":12}')
    .refine(
      (seen) => Object.keys(seen).length <= seasonsSeenMax,
      `must name at most ${seasonsSeenMax} seasons`,
    )
    .optional()
    .describe(
      "The newest `generation` seen of each season, by its id: once that ranking is published, no rank of an older one is answered. Seasons in which the score does not count are ignored.",
    ),
  min_generation: generation
    .optional()
    .describe("The newest `generation` seen of the season named, or else of the board's first span."),
};

/** The request of {@link submitScoreSpec}. */
export const submitScoreRequest = z.strictObject({
  leaderboard: leaderboardId,
  season: seasonSubmittedTo,
  ...submissionFields,
  freshness,
  ...generationsSeen,
});

/**
 * Records the caller's score in all spans of a board, or in one open custom season.
 *
 * Cost: 1 read for each span; if something changed 1 write, and a share of 1 for the shard document, which all that share
 * the commit share; for the ranks in the answer {@link answerSubmission}; {@link keepTopLive} for the top.
 */
export const submitScoreSpec: OperationSpec<typeof submitScoreRequest, SubmissionAnswer> = {
  name: "submitScore",
  access: "player",
  request: submitScoreRequest,
  answer: submissionSchema,
  async handle(services, request, caller) {
    const player = requirePlayer(caller, scorerId);
    return submitFor(services, player, request, requireCaller(caller).admin);
  },
};

const postScoreRequest = submitScoreRequest.extend({
  player: scorerId.optional().describe("The player, if an admin submits the score; by default the caller."),
});

/** {@link submitScoreSpec}, with which an admin's server can submit any player's score. */
export const postScoreSpec: OperationSpec<typeof postScoreRequest, SubmissionAnswer> = {
  ...submitScoreSpec,
  request: postScoreRequest,
  async handle(services, { player, ...request }, caller) {
    const { uid, admin } = requireCaller(caller);
    if (player !== undefined && player !== uid && !admin) {
      throw new FirerankError(
        "not_admin",
        `Submitting for "${player}" needs the custom claim leaderboard_admin: true; leave player out for your own score.`,
      );
    }
    return submitFor(services, player ?? requirePlayer(caller, scorerId), request, admin);
  },
};

/** @param isTrusted whether a server submits the score, not the player. */
async function submitFor(
  services: Services,
  player: string,
  {
    leaderboard,
    season,
    freshness,
    min_generation: ofFirst,
    min_generations: bySeason,
    ...submission
  }: z.infer<typeof submitScoreRequest>,
  isTrusted: boolean,
): Promise<SubmissionAnswer> {
  await requireClientScores(services.boards, leaderboard, isTrusted);
  const [outcome] = await recordSubmissions(services, leaderboard, [{ player, ...submission }], season);
  if (outcome === undefined) throw new Error("a submission came back without an outcome");
  if ("error" in outcome) throw outcome.error;
  const asked = { ofFirst, bySeason, freshness };
  const [answer] = await Promise.all([
    answerSubmission(services, leaderboard, player, outcome.applied, asked),
    showChanges(services, outcome.changes),
  ]);
  return answer;
}

async function requireClientScores(boards: BoardCache, leaderboard: string, admin: boolean): Promise<void> {
  const { definition } = await boards.load(definitionKey(leaderboard));
  if (definition.submit === "client" || admin) return;
  throw new FirerankError(
    "server_scores_only",
    `Leaderboard "${leaderboard}" takes scores from its server only: send this score to your server, which calls submitScores.`,
  );
}
