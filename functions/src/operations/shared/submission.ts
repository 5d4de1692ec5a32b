/** What the calls share that submit scores, or change what a top shows of a player. */
import type { Freshness, Rank, SeasonAnswer, SubmissionAnswer } from "../../model/answers.ts";
import { seasonPath } from "../../documents/paths.ts";
import type { ChangedPlayer } from "../../documents/player.ts";
import { toStep } from "../../model/arithmetic.ts";
import { unpackColumns } from "../../model/columns.ts";
import { seasonId } from "../../model/ids.ts";
import { isUnpublished } from "../../reading/lookup.ts";
import { rankOf } from "../../reading/rank.ts";
import { viewAtHand } from "../../reading/view-of.ts";
import type { AppliedTo } from "../../submit/apply.ts";
import { keepPrivateGroups } from "../../groups/keep-private.ts";
import { keepGroupLive } from "../../league/keep-group.ts";
import { keepTopLive } from "../../top/keep-live.ts";
import { describeError } from "../../world/describe-error.ts";
import type { Services } from "../../world/services.ts";

/** The season that a submission names. */
export const seasonSubmittedTo = seasonId
  .optional()
  .describe("An open custom season. Left out, the score counts for all spans of the board.");

/** A submission that was recorded. */
interface RecordedSubmission {
  leaderboard: string;
  player: string;
  applied: readonly AppliedTo[];
  /** Segments that the submission names, and that the board does not have. */
  passedOver?: readonly { name: string }[];
}

/** Which ranks the caller asks for, and the newest generations that the caller has seen. */
interface RanksSeen {
  freshness?: Freshness | undefined;
  min_generation?: number | undefined;
  min_generations?: Readonly<Record<string, number>> | undefined;
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
  { leaderboard, player, applied, passedOver = [] }: RecordedSubmission,
  asked: RanksSeen = {},
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
  const names = passedOver.map(({ name }) => name);
  return { leaderboard, player, seasons, ...(names.length > 0 && { segments_passed_over: names }) };
}

async function answerSeason(
  services: Services,
  id: string,
  { board, player, improved, repeated, refused }: AppliedTo,
  asked: { min_generation: number; freshness: Freshness },
): Promise<SeasonAnswer> {
  const { key, definition } = board;
  const { attempts = 0, status, score: stored } = player ?? {};
  // Where the submission changed nothing, a server may have written a score that is no step of the board, and left other
  // columns beside it.
  const score = toStep(definition, stored ?? 0);
  const columns =
    stored === undefined ? undefined : unpackColumns(definition.order, definition.columns, score);
  let rank: Rank | null = null;
  try {
    if (status === "active" && stored !== undefined) {
      const places = await viewAtHand(services, board, asked).placesOf([score]);
      if (!isUnpublished(places)) rank = rankOf(key, definition, places, score, id);
    }
  } catch (error) {
    const problem = { ...key, player: id, score, cause: describeError(error) };
    services.log.error("a score is recorded, but its rank could not be found out", problem);
  }
  const value = { score, ...(columns && { columns }) };
  const { span } = board.season;
  const error = refused && { error: { code: refused.code, message: refused.message } };
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
 * Shows a commit's changes in the tops of their seasons, and in the groups of players; what fails is shown by the next
 * publication, or with the group's next change.
 * Cost: {@link keepTopLive} for each season, {@link keepGroupLive} for each change, and {@link keepPrivateGroups} for each
 * player.
 */
export async function showChanges(services: Services, changes: readonly ChangedPlayer[] = []): Promise<void> {
  const seasons = Map.groupBy(changes, ({ key }) => seasonPath(key));
  const logged = (message: string) => (error: unknown) => {
    services.log.error(message, { cause: describeError(error) });
  };
  const inTops = [...seasons.values()].map((ofSeason) => {
    const [{ key }] = ofSeason as [ChangedPlayer];
    const problem = "a change waits for the next publication of its top";
    return keepTopLive(services, key, ofSeason).catch(logged(problem));
  });
  const inGroups = changes.map((change) =>
    keepGroupLive(services, change).catch(logged("a change waits for the next one in its group")),
  );
  const players = Map.groupBy(changes, ({ key, document }) => `${key.leaderboard}/${document.id}`);
  const inPrivate = [...players.values()].map((ofPlayer) =>
    keepPrivateGroups(services, ofPlayer).catch(
      logged("a change waits for the next one in its private groups"),
    ),
  );
  await Promise.all([...inTops, ...inGroups, ...inPrivate]);
}
