/** `submitScore`: a player's own score. */
import { z } from "zod";
import { type SubmissionAnswer, submissionSchema } from "../model/answers.ts";
import { leaderboardId, scorerId, seasonId } from "../model/ids.ts";
import { seasonsSeenMax } from "../model/limits.ts";
import { recordSubmissions } from "../submit/record-submissions.ts";
import { submissionFields } from "../submit/schema.ts";
import { segmentsSaid } from "../submit/segments.ts";
import type { Services } from "../world/services.ts";
import type { Caller } from "./shared/access.ts";
import { playerMeant } from "./shared/player-meant.ts";
import { freshnessAsked, generationAsked } from "./shared/season-asked.ts";
import type { OperationSpec } from "./shared/spec.ts";
import { answerSubmission, seasonSubmittedTo, showChanges } from "./shared/submission.ts";

const freshness = freshnessAsked.describe(
  "`live` ranks are 5 seconds old, or more on a busy board. Without it, ranks are live where that costs nothing, or else those of the last publication; the answer says which.",
);

const generationsSeen = {
  min_generations: z
    .record(seasonId, generationAsked, 'must be an object of generations by season, such as {"all_time":12}')
    .refine(
      (seen) => Object.keys(seen).length <= seasonsSeenMax,
      `must name at most ${seasonsSeenMax} seasons`,
    )
    .meta({ maxProperties: seasonsSeenMax })
    .optional()
    .describe(
      "The newest `generation` seen of each season, by its id: once that ranking is published, no rank of an older one is answered. Seasons in which the score does not count are ignored.",
    ),
  min_generation: generationAsked
    .optional()
    .describe("The newest `generation` seen of the season named, or else of the board's first span."),
};

export const submitScoreRequest = z.strictObject({
  leaderboard: leaderboardId,
  season: seasonSubmittedTo,
  ...submissionFields,
  freshness,
  ...generationsSeen,
});

const postScoreRequest = submitScoreRequest.extend({
  player: scorerId
    .optional()
    .describe(
      'The player, if a server submits the score; by default the caller. On a board with `submit: "server"` it must be named.',
    ),
});

type ScorePosted = z.infer<typeof postScoreRequest>;

/**
 * Records the caller's score in all spans of a board, or in one open custom season. A board with `submit: "server"` takes
 * none of the caller: {@link playerMeant}.
 *
 * Cost: 1 read for each span; if something changed 1 write, and a share of 1 for the shard document of the commit; for
 * the ranks in the answer {@link answerSubmission}; {@link keepTopLive} for the top.
 */
export const submitScoreSpec: OperationSpec<typeof submitScoreRequest, SubmissionAnswer> = {
  name: "submitScore",
  request: submitScoreRequest,
  answer: submissionSchema,
  handle: submit,
};

/** {@link submitScoreSpec}, with which a server can submit any player's score. */
export const postScoreSpec: OperationSpec<typeof postScoreRequest, SubmissionAnswer> = {
  ...submitScoreSpec,
  request: postScoreRequest,
  handle: submit,
};

async function submit(
  services: Services,
  {
    player: named,
    leaderboard,
    season,
    freshness,
    min_generation,
    min_generations,
    ...submission
  }: ScorePosted,
  caller: Caller | undefined,
): Promise<SubmissionAnswer> {
  const doing = (other: string) => `submitting for "${other}", not yourself,`;
  const meant = await playerMeant(services, caller, named, leaderboard, doing);
  const { player } = meant;
  const said = segmentsSaid(meant, submission.segments);
  const one = { player, ...submission, segments: said.values };
  const [outcome] = await recordSubmissions(services, leaderboard, [one], season);
  if (outcome === undefined) throw new Error("a submission came back without an outcome");
  if ("error" in outcome) throw outcome.error;
  const recorded = { leaderboard, player, applied: outcome.applied, passedOver: said.passedOver };
  const [answer] = await Promise.all([
    answerSubmission(services, recorded, { freshness, min_generation, min_generations }),
    showChanges(services, outcome.changes),
  ]);
  return answer;
}
