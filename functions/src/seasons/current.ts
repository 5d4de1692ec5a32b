/** Which season a submission or a question is about. */
import { FirerankError, invalidField } from "../model/errors.ts";
import { type Board, isOpened, type OpenedBoard, boardCacheOf } from "./board.ts";
import { type SpanSeason, spanSeasonAt } from "./span-season.ts";
import type { Services } from "../world/services.ts";

/** What names a season: its id, or a span for its present season; by default the board's first span. */
export interface SeasonAsked {
  leaderboard: string;
  season?: string | undefined;
  span?: string | undefined;
}

/** The key under which a board's definition is in memory, whichever seasons it has. */
export const definitionKey = (leaderboard: string) => ({ leaderboard, season: "all_time" });

/**
 * The season of each span of a board that runs now, in the order of its spans, opened or not. Cost: 2 reads a minute.
 * @throws `leaderboard_not_found`
 */
export async function currentSeasons(
  services: Pick<Services, "memory" | "now">,
  leaderboard: string,
  nowMs = services.now(),
): Promise<SpanSeason[]> {
  return currentOf(await boardCacheOf(services).load(definitionKey(leaderboard)), nowMs);
}

/** The same of a board. Pure. */
export function currentOf(board: Board, nowMs: number): SpanSeason[] {
  return board.definition.spans.map((span) => spanSeasonAt(board.key.leaderboard, board, span, nowMs));
}

/**
 * The board with the season that a request names. A season that runs now exists even before it is opened.
 * Cost: 2 reads a minute, 4 where the season is not `all_time`.
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
  if (board.season?.status === "deleting" || (board.season === undefined && running === undefined))
    throw noSeason(leaderboard, board.key.season, current);
  return board;
}

/** The same, opened if it was not. Cost: as {@link requestedBoard}; opening as `boards.open`. */
export async function requestedOpenBoard(services: Services, asked: SeasonAsked): Promise<OpenedBoard> {
  const board = await requestedBoard(services, asked);
  if (isOpened(board)) return board;
  const current = await currentSeasons(services, asked.leaderboard);
  const spanSeason = current.find(({ key }) => key.season === board.key.season);
  if (spanSeason === undefined) throw noSeason(asked.leaderboard, board.key.season, current);
  return boardCacheOf(services).open(spanSeason);
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
