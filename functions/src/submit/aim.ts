/** Picks the seasons that a submission counts in, opens them, and says why a season takes no submission. */
import type { SeasonKey } from "../documents/paths.ts";
import { FirerankError, invalidField } from "../model/errors.ts";
import { isoTime } from "../model/instant.ts";
import { boardIfAny, isOpened, boardCacheOf } from "../seasons/board.ts";
import type { Board, OpenedBoard } from "../seasons/read-board.ts";
import { currentOf, requestedBoard } from "../seasons/current.ts";
import { beingDeleted } from "../seasons/new-boards.ts";
import { isTaking, isToCome } from "../seasons/open-now.ts";
import type { SpanSeason } from "../seasons/span-season.ts";
import { isOfTemplate } from "../model/template.ts";
import { inPool } from "../world/pool.ts";
import type { Services } from "../world/services.ts";

/** A season that a submission is meant for. Its document may not exist yet. */
export interface AimedSeason {
  board: Board;
  /** When the season of a span begins and ends; undefined for a custom season. */
  spanSeason: SpanSeason | undefined;
}

/** A season that a submission goes to. */
export interface TargetSeason extends AimedSeason {
  board: OpenedBoard;
  /** The season of the same span before this one, if a submission to it may be sent again. */
  earlier: OpenedBoard | undefined;
}

/** Seasons that take submissions, or that only answer which submissions they took. */
export interface Target {
  leaderboard: string;
  /** At least one. */
  seasons: readonly TargetSeason[];
  /** Why no new submission is taken. */
  closed: FirerankError | undefined;
}

/** How long after a season begins a submission to the season before may be sent again: clients retry for minutes. */
export const repeatedAfterMsMax = 15 * 60_000;

/**
 * The seasons that a submission is for: the present one of each span, or a custom season.
 * Cost: 2 reads a minute for each.
 * @throws `leaderboard_not_found`, `season_not_found`; `invalid_request` for a season of a span, and for a board without spans
 */
export async function aimAt(
  services: Services,
  leaderboard: string,
  season: string | undefined,
  nowMs: number,
): Promise<AimedSeason[]> {
  if (season !== undefined) return [await aimAtCustom(services, { leaderboard, season })];
  const boards = boardCacheOf(services);
  const spanSeasons = currentOf(await boards.loadDefinition(leaderboard), nowMs);
  if (spanSeasons.length === 0) {
    const message = `is missing: leaderboard "${leaderboard}" has no spans, so name an open season`;
    throw invalidField("season", message);
  }
  return Promise.all(
    spanSeasons.map(async (spanSeason) => ({ board: await boards.load(spanSeason.key), spanSeason })),
  );
}

async function aimAtCustom(services: Services, key: SeasonKey): Promise<AimedSeason> {
  const board = await requestedBoard(services, key);
  if (board.season?.span === "custom") return { board, spanSeason: undefined };
  const message = `"${key.season}" belongs to a span of the board; leave season out, and the score counts for all spans`;
  throw invalidField("season", message);
}

/**
 * Opens the seasons that are not open yet. Cost: what opening costs; in the first quarter of an hour of a season, with
 * `mayRepeat`, also 2 reads a minute for the season before.
 * @throws `leaderboard_not_found` for a board of a template that is being deleted
 * @param mayRepeat whether a submission may be one that was recorded before; then the seasons before count too.
 */
export async function openTarget(
  services: Services,
  leaderboard: string,
  aimed: readonly AimedSeason[],
  { mayRepeat, nowMs }: { mayRepeat: boolean; nowMs: number },
): Promise<Target> {
  // The first season of a template's board counts the board as new: two at once would wait for each other's locks.
  const atOnceMax = isOfTemplate(leaderboard) ? 1 : aimed.length;
  const seasons = await inPool(aimed, atOnceMax, async ({ board, spanSeason }): Promise<TargetSeason> => {
    return {
      board: isOpened(board) ? board : await open(services, board, spanSeason),
      spanSeason,
      earlier: mayRepeat ? await seasonBefore(services, spanSeason, nowMs) : undefined,
    };
  });
  // The present season of a span is deleted with its board alone.
  if (seasons.some(({ board }) => board.season.status === "deleting")) throw beingDeleted(leaderboard);
  const closed = seasons.find(({ board }) => !isTaking(board.season, nowMs));
  return { leaderboard, seasons, closed: closed && whyClosed(closed, nowMs) };
}

async function open(services: Services, board: Board, spanSeason: SpanSeason | undefined) {
  if (spanSeason === undefined)
    throw new Error(`the custom season ${board.key.season} was found without its document`);
  return boardCacheOf(services).open(spanSeason, board);
}

/** The season before one that has just begun. */
async function seasonBefore(services: Services, spanSeason: SpanSeason | undefined, nowMs: number) {
  if (spanSeason?.before === undefined || spanSeason.opensAtMs === null) return undefined;
  if (nowMs >= spanSeason.opensAtMs + repeatedAfterMsMax) return undefined;
  // A damaged season before refuses nobody today; what was sent to it again may then count twice.
  const board = await boardIfAny(services, spanSeason.before);
  return board && isOpened(board) ? board : undefined;
}

function whyClosed({ board, spanSeason }: TargetSeason, nowMs: number): FirerankError {
  return spanSeason === undefined ? tournamentClosed(board, nowMs) : spanClosed(board, spanSeason, nowMs);
}

/** How long a season may wait for the schedule to move its end, and instances for the news. */
const lengthenedAfterSeconds = 60;

/**
 * Why the present season of a span takes no submission now. It is never for good, as scores of a span always have a season
 * to go to: a season that has begun to close is followed by the next. One that is open past its stored end will be
 * lengthened, as the rules of its time zone have changed (jobs/closing/end.ts).
 */
function spanClosed({ key, season }: OpenedBoard, { closesAtMs }: SpanSeason, nowMs: number): FirerankError {
  const name = `The season "${key.season}" of leaderboard "${key.leaderboard}"`;
  if (season.status === "open")
    return new FirerankError(
      "contention",
      `${name} is being lengthened, and nothing was recorded; send it again in a minute with the same submission_id.`,
      { retry_after_seconds: lengthenedAfterSeconds },
    );
  const nextMs = closesAtMs ?? nowMs;
  return new FirerankError(
    "contention",
    `${name} has ended, and nothing was recorded; send it again with the same submission_id, and it counts for the next season, from ${new Date(nextMs).toISOString()} on.`,
    { retry_after_seconds: Math.max(1, Math.ceil((nextMs - nowMs) / 1_000)) },
  );
}

/** Why a tournament takes no submission. One that was sent before its end, but arrives when it has begun to close, is late. */
function tournamentClosed({ key, season }: OpenedBoard, nowMs: number): FirerankError {
  const when =
    season.status === "open" && isToCome(season, nowMs)
      ? `opens at ${isoTime(season.opens_at)}`
      : "takes no more scores";
  return new FirerankError(
    "season_closed",
    `The season "${key.season}" of leaderboard "${key.leaderboard}" ${when}; nothing was recorded.`,
  );
}
