/** Which season a submission or a read is about. */
import { FirerankError, invalidField } from "../model/errors.ts";
import { isOpened, boardCacheOf } from "./board.ts";
import { beingDeleted } from "./new-boards.ts";
import type { Board, OpenedBoard } from "./read-board.ts";
import { nextSpanSeasons, type SpanSeason, spanSeasonAt } from "./span-season.ts";
import type { Services } from "../world/services.ts";

/**
 * How a request names a season: by its id, or by a span for the span's present season; by default by the board's first
 * span.
 */
export interface SeasonAsked {
  leaderboard: string;
  season?: string | undefined;
  span?: string | undefined;
}

/** The season `all_time` of a board, whether or not the board has it. */
export const allTimeKey = (leaderboard: string) => ({ leaderboard, season: "all_time" });

/**
 * The running season of each of a board's spans, in the order of the spans, opened or not. Cost: 2 reads a minute.
 * @throws `leaderboard_not_found`
 */
export async function currentSeasons(
  services: Pick<Services, "memory" | "now">,
  leaderboard: string,
): Promise<SpanSeason[]> {
  const nowMs = services.now();
  return currentOf(await boardCacheOf(services).loadDefinition(leaderboard), nowMs);
}

/**
 * The running season of each of a board's spans, and the next one, into which a trusted server may write already. Cost: 2
 * reads a minute. @throws `leaderboard_not_found`
 */
export async function presentAndNextSeasons(
  services: Pick<Services, "memory" | "now">,
  leaderboard: string,
): Promise<SpanSeason[]> {
  const nowMs = services.now();
  const board = await boardCacheOf(services).loadDefinition(leaderboard);
  return [...currentOf(board, nowMs), ...nextSpanSeasons(leaderboard, board, nowMs)];
}

/** The running season of each of a board's spans, as {@link currentSeasons} has them. Pure. */
export function currentOf(board: Board, nowMs: number): SpanSeason[] {
  return board.definition.spans.map((span) => spanSeasonAt(board.key.leaderboard, board, span, nowMs));
}

/**
 * The board with the season that a request names. A running season is found even before it is opened. Cost: 2 reads a
 * minute, or 4 for another season than `all_time`.
 * @throws `leaderboard_not_found`, `season_not_found`
 */
export async function requestedBoard(
  services: Pick<Services, "memory" | "now">,
  { leaderboard, season, span }: SeasonAsked,
): Promise<Board> {
  const current = await currentSeasons(services, leaderboard);
  const running =
    season === undefined
      ? bySpan(leaderboard, current, span)
      : current.find(({ key }) => key.season === season);
  const board = await boardCacheOf(services).load(running?.key ?? { leaderboard, season: season ?? "" });
  if (board.season?.board_deleted === true) throw beingDeleted(leaderboard);
  if (board.season?.status === "deleting" || (board.season === undefined && running === undefined))
    throw noSeason(leaderboard, board.key.season, current);
  return board;
}

/**
 * The board with the season that a request names, which is opened if it was not. Cost: {@link requestedBoard}, and
 * opening as `boards.open`.
 */
export async function requestedOpenBoard(services: Services, asked: SeasonAsked): Promise<OpenedBoard> {
  const board = await requestedBoard(services, asked);
  if (isOpened(board)) return board;
  const current = await currentSeasons(services, asked.leaderboard);
  const spanSeason = current.find(({ key }) => key.season === board.key.season);
  if (spanSeason === undefined) throw noSeason(asked.leaderboard, board.key.season, current);
  return boardCacheOf(services).open(spanSeason, board);
}

function bySpan(leaderboard: string, current: readonly SpanSeason[], span: string | undefined): SpanSeason {
  const found = span === undefined ? current[0] : current.find((one) => one.span === span);
  if (found !== undefined) return found;
  if (span === undefined) {
    const message = `is missing: leaderboard "${leaderboard}" has no spans, so name one of its seasons`;
    throw invalidField("season", message);
  }
  const spans = current.map((one) => `"${one.span}"`).join(", ");
  const others = spans === "" ? "it has none" : `its spans are ${spans}`;
  throw new FirerankError(
    "season_not_found",
    `Leaderboard "${leaderboard}" has no span "${span}"; ${others}.`,
  );
}

function noSeason(leaderboard: string, season: string, current: readonly SpanSeason[]): FirerankError {
  const running = current.map(({ key }) => `"${key.season}"`).join(", ");
  const advice = `${running === "" ? "" : ` Running now: ${running}.`} listSeasons has all of them.`;
  return new FirerankError(
    "season_not_found",
    `Leaderboard "${leaderboard}" has no season "${season}".${advice}`,
  );
}
