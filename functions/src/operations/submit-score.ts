/** `submitScore`: a player's own score. */
import { z } from "zod";
import { type SubmissionAnswer, submissionSchema } from "../model/answers.ts";
import { FirerankError } from "../model/errors.ts";
import { leaderboardId, scorerId, seasonId } from "../model/ids.ts";
import { seasonsSeenMax } from "../model/limits.ts";
import type { BoardCache } from "../seasons/board.ts";
import { definitionKey } from "../seasons/current.ts";
import { submissionFields } from "../submit/schema.ts";
import { type PlayerSubmission, recordSubmissions } from "../submit/record-submissions.ts";
import { generation } from "./season-asked.ts";
import type { Services } from "./services.ts";
import { type OperationSpec, requireCaller, requirePlayer } from "./spec.ts";
import { answerSubmission, type GenerationsSeen } from "./submission-answer.ts";

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
      "The newest `generation` seen of each season, by its id: the season's rank in the answer is not older than that, if that ranking is published. Seasons that the score does not count in are ignored.",
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
  ...generationsSeen,
});

/**
 * Records the caller's score in all spans of a board, or in one open custom season.
 *
 * Cost: 1 read for each span, 1 write if something changed; for the ranks in the answer 1 read each, 0 while the page
 * is in memory and not older than what the caller has seen.
 */
export const submitScoreSpec: OperationSpec<typeof submitScoreRequest, SubmissionAnswer> = {
  name: "submitScore",
  access: "player",
  request: submitScoreRequest,
  answer: submissionSchema,
  async handle(
    services,
    { leaderboard, season, min_generation: ofFirst, min_generations: bySeason, ...submission },
    caller,
  ) {
    const player = requirePlayer(caller, scorerId);
    const { admin } = requireCaller(caller);
    const how = { admin, season, seen: { ofFirst, bySeason } };
    return submitAs(services, leaderboard, { player, ...submission }, how);
  },
};

/** How a score is submitted. */
export interface Submitting {
  /** Whether a trusted server submits it, not the player. */
  admin: boolean;
  /** A custom season; left out for the board's spans. */
  season: string | undefined;
  /** For the ranks in the answer. */
  seen: GenerationsSeen;
}

/** Records one player's score. Cost: as {@link submitScoreSpec}. */
export async function submitAs(
  services: Services,
  leaderboard: string,
  submission: PlayerSubmission,
  { admin, season, seen }: Submitting,
): Promise<SubmissionAnswer> {
  await requireClientScores(services.boards, leaderboard, admin);
  const [outcome] = await recordSubmissions(services, leaderboard, [submission], season);
  if (outcome === undefined) throw new Error("a submission came back without an outcome");
  if ("error" in outcome) throw outcome.error;
  return answerSubmission(services, leaderboard, submission.player, outcome.applied, seen);
}

async function requireClientScores(boards: BoardCache, leaderboard: string, admin: boolean): Promise<void> {
  const { definition } = await boards.load(definitionKey(leaderboard));
  if (definition.submit === "client" || admin) return;
  throw new FirerankError(
    "server_scores_only",
    `Leaderboard "${leaderboard}" takes scores from its server only: send this score to your server, which calls submitScores.`,
  );
}
