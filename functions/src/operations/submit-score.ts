/** `submitScore`: a player's own score. */
import { z } from "zod";
import {
  type SubmissionAnswer,
  submissionSchema,
  type Freshness,
  type Rank,
  type SeasonAnswer,
} from "../model/answers.ts";
import { FirerankError } from "../model/errors.ts";
import { leaderboardId, scorerId, seasonId } from "../model/ids.ts";
import { seasonsSeenMax } from "../model/limits.ts";
import { suffices } from "../model/role.ts";
import { type BoardCache, boardCacheOf } from "../seasons/board.ts";
import { definitionKey } from "../seasons/current.ts";
import { submissionFields } from "../submit/schema.ts";
import { recordSubmissions } from "../submit/record-submissions.ts";
import { segmentsSaid } from "../submit/segments.ts";
import type { Definition } from "../model/definition.ts";
import { freshnessAsked, generation } from "./season-asked.ts";
import { type Caller, requireRole } from "./access.ts";
import type { Services } from "../world/services.ts";
import { type OperationSpec, requireCaller, requirePlayer } from "./spec.ts";
import { isUnpublished } from "../reading/lookup.ts";
import { rankOf } from "../reading/rank.ts";
import { viewAtHand } from "../reading/view-of.ts";
import type { ChangedPlayer } from "../documents/player.ts";
import type { AppliedTo } from "../submit/apply.ts";
import { keepTopLive } from "../top/keep-live.ts";
import { describeError } from "../world/describe-error.ts";

const freshness = freshnessAsked.describe(
  "`live` ranks are 5 seconds old, or more on a busy board. Without it, ranks are live where that costs nothing, or else those of the last publication; the answer says which.",
);

/** The season that a submission names. */
export const seasonSubmittedTo = seasonId
  .optional()
  .describe("An open custom season. Left out, the score counts for all spans of the board.");

const generationsSeen = {
  min_generations: z
    .record(seasonId, generation, 'must be an object of generations by season, such as {"all_time":12}')
    .refine(
      (seen) => Object.keys(seen).length <= seasonsSeenMax,
      `must name at most ${seasonsSeenMax} seasons`,
    )
    .meta({ maxProperties: seasonsSeenMax })
    .optional()
    .describe(
      "The newest `generation` seen of each season, by its id: once that ranking is published, no rank of an older one is answered. Seasons in which the score does not count are ignored.",
    ),
  min_generation: generation
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
  player: scorerId.optional().describe("The player, if a server submits the score; by default the caller."),
});

type Asked = z.infer<typeof postScoreRequest>;

/**
 * Records the caller's score in all spans of a board, or in one open custom season.
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
  { player: named, leaderboard, season, freshness, min_generation, min_generations, ...submission }: Asked,
  caller: Caller | undefined,
): Promise<SubmissionAnswer> {
  const { player, isTrusted, claims } = playerMeant(caller, named, leaderboard, (other) => {
    return `submitting for "${other}", not yourself,`;
  });
  const definition = await requireClientScores(boardCacheOf(services), leaderboard, isTrusted);
  const said = segmentsSaid(definition, { segments: submission.segments, isTrusted, claims });
  const one = { player, ...submission, segments: said.values };
  const [outcome] = await recordSubmissions(services, leaderboard, [one], season);
  if (outcome === undefined) throw new Error("a submission came back without an outcome");
  if ("error" in outcome) throw outcome.error;
  const asked = { freshness, min_generation, min_generations };
  const [answer] = await Promise.all([
    answerSubmission(services, leaderboard, player, outcome.applied, asked),
    showChanges(services, outcome.changes),
  ]);
  return { ...answer, ...passedOverOf(said) };
}

/** What an answer says of segments that were passed over. */
export function passedOverOf({ passedOver }: Pick<ReturnType<typeof segmentsSaid>, "passedOver">) {
  return passedOver.length === 0 ? {} : { segments_passed_over: passedOver.map(({ name }) => name) };
}

/**
 * Whom a call about a player is for: the caller, or the player whom a server names. `isTrusted` is whether the caller may
 * write where only servers may; `claims` are the player's own.
 * @param doing says what is done to another player, for the message.
 * @throws `not_allowed` for another player without the role `submitter`; `unauthenticated`; as {@link requirePlayer}
 */
export function playerMeant(
  caller: Caller | undefined,
  named: string | undefined,
  leaderboard: string,
  doing: (player: string) => string,
) {
  const self = requireCaller(caller);
  const isOwn = named === undefined || named === self.uid;
  if (!isOwn) requireRole(self, "submitter", doing(named), leaderboard);
  const player = named ?? requirePlayer(caller, scorerId);
  const isTrusted = suffices(self, "submitter", leaderboard);
  return { player, isTrusted, claims: isOwn ? self.claims : undefined };
}

/** The definition. @throws `server_scores_only` where players may not write by themselves. Cost: 2 reads a minute. */
export async function requireClientScores(
  boards: BoardCache,
  leaderboard: string,
  isTrusted: boolean,
): Promise<Definition> {
  const { definition } = await boards.load(definitionKey(leaderboard));
  if (definition.submit === "client" || isTrusted) return definition;
  const message = `Leaderboard "${leaderboard}" takes scores from its server only: send this score to your server, which calls submitScores.`;
  throw new FirerankError("server_scores_only", message);
}

/**
 * The answer to a submission, for one call and for many. The score is already recorded, so nothing here may fail: the
 * caller would send it again, or think it lost. A rank that cannot be read, as the page is damaged, is null, and
 * logged. Ranks are live if that is asked, or if the instance has what is pending in memory, at most 5 seconds old.
 *
 * Cost: for each season 1 read, 0 while the page of the score is in memory and not older than the caller has seen; if
 * live ranks are asked for, {@link liveRanks}.
 */
export async function answerSubmission(
  services: Services,
  leaderboard: string,
  player: string,
  applied: readonly AppliedTo[],
  asked: Partial<Pick<Asked, "freshness" | "min_generation" | "min_generations">> = {},
): Promise<SubmissionAnswer> {
  // Without the season's id, a caller has seen that of the first one.
  const { freshness = "published", min_generation: ofFirst = 0, min_generations: bySeason = {} } = asked;
  const seasons = await Promise.all(
    applied.map((result, i) => {
      const { season } = result.board.key;
      const seen = Object.hasOwn(bySeason, season) ? (bySeason[season] ?? 0) : 0;
      const min_generation = i === 0 ? Math.max(seen, ofFirst) : seen;
      return answerSeason(services, player, result, { min_generation, freshness });
    }),
  );
  return { leaderboard, player, seasons };
}

async function answerSeason(
  services: Services,
  id: string,
  { board, player, improved, repeated, refused }: AppliedTo,
  asked: { min_generation: number; freshness: Freshness },
): Promise<SeasonAnswer> {
  const { key, definition } = board;
  const { score = 0, columns, attempts, status } = player;
  let rank: Rank | null = null;
  try {
    if (status === "active" && player.score !== undefined) {
      const places = await viewAtHand(services, board, asked).placesOf([score]);
      if (!isUnpublished(places)) rank = rankOf(key, definition, places, score, id);
    }
  } catch (error) {
    const problem = { ...key, player: id, score, cause: describeError(error) };
    services.log.error("a score is recorded, but its rank could not be found out", problem);
  }
  const value = { score, ...(columns && { columns }) };
  const { span } = board.season;
  const error = refused && { error: { code: "too_many_attempts" as const, message: refused.message } };
  return {
    season: key.season,
    span,
    ...value,
    improved,
    attempts,
    ...(repeated && { repeated }),
    ...error,
    rank,
  };
}

/**
 * Requests refreshes of the tops in which a commit's changes may show; what fails is shown by the next publication.
 * Cost: {@link keepTopLive} for each.
 */
export async function showChanges(services: Services, changes: readonly ChangedPlayer[] = []): Promise<void> {
  await Promise.all(
    changes.map(({ key, ...change }) =>
      keepTopLive(services, key, change).catch((error: unknown) => {
        const problem = { cause: describeError(error) };
        services.log.error("a change waits for the next publication of its top", problem);
      }),
    ),
  );
}
