/**
 * The answer to a submission, for one call and for many. The score is already recorded, so nothing here may fail: what
 * cannot be read is left out. Otherwise the caller would send the score again, or think it lost.
 */
import type { SeasonKey } from "../documents/paths.ts";
import type { Freshness, Rank, SeasonAnswer, SubmissionAnswer } from "../model/answers.ts";
import type { Order } from "../model/score.ts";
import { isUnpublished, placesAsked, placesWith } from "../reading/live.ts";
import type { Places } from "../reading/lookup.ts";
import { rankOf } from "../reading/rank.ts";
import type { ChangedPlayer } from "../submit/commit-submissions.ts";
import type { AppliedTo } from "../submit/players-found.ts";
import { keepTopLive } from "../top/keep-live.ts";
import { describeError } from "../world/describe-error.ts";
import type { Services } from "./services.ts";

/** What a caller wants of the ranks in an answer, and the generations seen: each season counts its own. */
export interface RanksAsked {
  freshness?: Freshness | undefined;
  bySeason?: Readonly<Record<string, number>> | undefined;
  /** Of the first of the seasons that the score counts in, from callers who do not name it. */
  ofFirst?: number | undefined;
}

/**
 * Ranks are live if that is asked, or if the instance has what is pending in memory, at most 5 seconds old.
 *
 * Cost: for each season 1 read, 0 while the page of the score is in memory and not older than the caller has seen; if live
 * ranks are asked for, {@link livePlacesOf}. A rank that cannot be read, for instance because the page is damaged, is null, and logged.
 */
export async function answerSubmission(
  services: Services,
  leaderboard: string,
  player: string,
  applied: readonly AppliedTo[],
  { bySeason = {}, ofFirst = 0, freshness = "published" }: RanksAsked = {},
): Promise<SubmissionAnswer> {
  const seasons = await Promise.all(
    applied.map((result, i) => {
      const { season } = result.board.key;
      const seen = Object.hasOwn(bySeason, season) ? (bySeason[season] ?? 0) : 0;
      const asked = { min_generation: i === 0 ? Math.max(seen, ofFirst) : seen, freshness };
      return answerSeason(services, player, result, asked);
    }),
  );
  return { leaderboard, player, seasons };
}

interface RankAsked {
  min_generation: number;
  freshness: Freshness;
}

async function answerSeason(
  services: Services,
  id: string,
  { board, player, improved, repeated }: AppliedTo,
  asked: RankAsked,
): Promise<SeasonAnswer> {
  const { key, definition } = board;
  const { score = 0, columns, attempts, status } = player;
  let rank: Rank | null = null;
  try {
    const isRanked = status === "active";
    const places = isRanked
      ? await placesOfSubmitted(services, key, definition.order, score, asked)
      : undefined;
    if (places !== undefined && !isUnpublished(places)) rank = rankOf(key, definition, places, score, id);
  } catch (error) {
    services.log.error("a score is recorded, but its rank could not be found out", {
      ...key,
      player: id,
      score,
      cause: describeError(error),
    });
  }
  return {
    season: key.season,
    span: board.season.span,
    score,
    ...(columns === undefined ? {} : { columns }),
    improved,
    attempts,
    ...(repeated ? { repeated } : {}),
    rank,
  };
}

/** Live if that is asked, or if the instance has what is pending in memory. */
async function placesOfSubmitted(
  services: Services,
  key: SeasonKey,
  order: Order,
  score: number,
  asked: RankAsked,
): Promise<Places> {
  const sums = asked.freshness === "live" ? undefined : services.live.peek(key);
  return sums !== undefined && sums.first.generation >= asked.min_generation
    ? placesWith(services, sums, [score])
    : placesAsked(services, key, order, [score], asked);
}

/**
 * Requests refreshes of the tops in which a commit's changes may show. A change that cannot be shown now is shown by the
 * next publication, so nothing fails. Cost: {@link keepTopLive} for each.
 */
export async function showChanges(services: Services, changes: readonly ChangedPlayer[] = []): Promise<void> {
  const shown = await Promise.allSettled(
    changes.map(({ key, ...change }) => keepTopLive(services, key, change)),
  );
  for (const one of shown)
    if (one.status === "rejected")
      services.log.error("a change waits for the next publication of its top", {
        cause: describeError(one.reason),
      });
}
