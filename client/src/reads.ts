/**
 * The questions that a function answers. All reject with a FirerankError. Costs are those of the functions, in
 * document reads. The last argument bounds the time, by default 70 s, or ends the call; see also `watchTop`, `watchRank`
 * and `rankOf`, which need no function.
 */
import type { Around, Entry, History, Page, Players, Rank, Results, Seasons, Top } from "./answers.ts";
import type { CallOptions } from "./call-options.ts";
import { ask, call } from "./call.ts";
import type { BoardTypes, ColumnsOf, Leaderboard, SegmentNameOf, SegmentOf } from "./leaderboard.ts";

/** How fresh ranks are. */
export interface Fresh {
  /**
   * `published` (the default): as of the last publication. `live`: at most 5 seconds old; `as_of` says when. Live ranks
   * are for signed-in callers, and cost what is pending, at most every 5 seconds for all who ask the same instance.
   */
  freshness?: "published" | "live" | undefined;
}

/** Since when to say how far players have moved: since today began, or this week, in the board's time zone. */
export interface Since {
  since?: "day" | "week" | undefined;
}

/** Within which segment, as in `{ country: "AT" }` or `{ country: "mine" }`; by default among all players. */
export interface Within<Types extends BoardTypes = BoardTypes> {
  segment?: SegmentOf<Types> | undefined;
}

/** Whose rank: that of a player, by default the caller, of a score, or of columns. */
type RankOf<Types extends BoardTypes> =
  | { player?: string | undefined; score?: undefined; columns?: undefined }
  | { score: number; player?: undefined; columns?: undefined }
  | { columns: ColumnsOf<Types>; player?: undefined; score?: undefined };

/** In which rankings: in a segment, or of a player among all and in each of the player's own segments named. */
type RankIn<Types extends BoardTypes> =
  | (Within<Types> & { segments?: undefined })
  | { segments: SegmentNameOf<Types>[]; segment?: undefined; score?: undefined; columns?: undefined };

export type RankRequest<Types extends BoardTypes = BoardTypes> = Fresh &
  Since &
  RankOf<Types> &
  RankIn<Types> & {
    /** Makes the rank certain even if many scores share a row. */
    exact?: boolean | undefined;
  };

/**
 * The rank of a player or of a score.
 *
 * Cost: 1 read by score, 0 while the function has the page in memory; 1 more by player. `exact`, in a merged row: 1 for each 1,000 better players of the
 * row.
 */
export function getRank<Types extends BoardTypes>(
  board: Leaderboard<Types>,
  request: RankRequest<Types> = {},
  options?: CallOptions,
): Promise<Rank<Types>> {
  return ask(board, "getRank", request, options);
}

export interface TopRequest<Types extends BoardTypes = BoardTypes> extends Within<Types> {
  /** How many players; by default, and at most, the board's `top_size`. Of a segment 100 by default, if that is less. */
  limit?: number | undefined;
}

/** The best players. Cost: 1 read; of a segment 1 for each player. */
export function getTop<Types extends BoardTypes>(
  board: Leaderboard<Types>,
  request: TopRequest<Types> = {},
  options?: CallOptions,
): Promise<Top<Types>> {
  return ask(board, "getTop", request, options);
}

export interface HistoryRequest {
  /** By default the caller. */
  player?: string | undefined;
}

/**
 * A player's ranks at the last 8 midnights, and at the beginnings of the last 5 weeks, on a board that keeps `movement`.
 * Cost: 2 reads, and 1 for each midnight whose page the function does not have in memory.
 */
export function getHistory<Types extends BoardTypes>(
  board: Leaderboard<Types>,
  request: HistoryRequest = {},
  options?: CallOptions,
): Promise<History<Types>> {
  return ask(board, "getHistory", request, options);
}

export interface AroundRequest<Types extends BoardTypes = BoardTypes> extends Fresh, Since, Within<Types> {
  /** By default the caller. */
  player?: string | undefined;
  /** How many better players; by default 4, at most 50. */
  above?: number | undefined;
  /** How many worse ones; by default 4, at most 50. */
  below?: number | undefined;
}

/** A player and the neighbours. Cost: 1 read, 1 for each neighbour, and the pages that the function does not have in memory. */
export function getAround<Types extends BoardTypes>(
  board: Leaderboard<Types>,
  request: AroundRequest<Types> = {},
  options?: CallOptions,
): Promise<Around<Types>> {
  return ask(board, "getAround", request, options);
}

/** Where a page begins: how many players to skip, by default 0, or behind the page whose `next_cursor` it is. */
type PagePlace = { offset?: number | undefined; cursor?: undefined } | { cursor: string; offset?: undefined };

export type PageRequest<Types extends BoardTypes = BoardTypes> = Fresh &
  Since &
  Within<Types> &
  PagePlace & {
    /** By default 25, at most 100. */
    limit?: number | undefined;
  };

/**
 * A section of the list of all players, from any offset. Cost: a read a player, the pages not in memory, and with an
 * offset the players who share the score at that place, up to 1,000.
 */
export function getPage<Types extends BoardTypes>(
  board: Leaderboard<Types>,
  request: PageRequest<Types> = {},
  options?: CallOptions,
): Promise<Page<Types>> {
  return ask(board, "getPage", request, options);
}

/**
 * The players from an offset or cursor on, best first, until the list ends or the loop is left. Pages are asked for as they
 * are needed, all of the season and the segment in which the first one was.
 *
 * Cost: for each page that is reached that of `getPage`; `limit` is a page's size, by default 25.
 * @param options for each page.
 * @throws FirerankError
 * @example for await (const { rank, player } of pages(board)) if (rank > 100) break;
 */
export function pages<Types extends BoardTypes>(
  board: Leaderboard<Types>,
  request?: PageRequest<Types>,
  options?: CallOptions,
): AsyncGenerator<Entry<Types>, void, undefined>;
export async function* pages(
  board: Leaderboard,
  { offset, cursor, ...request }: PageRequest = {},
  options?: CallOptions,
): AsyncGenerator<Entry, void, undefined> {
  let place: PageRequest = { ...request, ...(cursor === undefined ? { offset } : { cursor }) };
  let asked = board;
  for (;;) {
    const { season, segment, entries, next_cursor: next } = await getPage(asked, place, options);
    yield* entries;
    if (next === undefined) return;
    place = { ...request, segment, cursor: next };
    asked = { ...board, season, span: undefined };
  }
}

/** How to ask for some players. */
export interface PlayersRequest<Types extends BoardTypes = BoardTypes> extends Fresh, Since, Within<Types> {}

/**
 * Some players, friends for instance, best first; those without a rank are left out.
 * @param players 1 to 100 ids.
 *
 * Cost: a read a player, and one for each page that the function does not have in memory.
 */
export function getPlayers<Types extends BoardTypes>(
  board: Leaderboard<Types>,
  players: readonly string[],
  request: PlayersRequest<Types> = {},
  options?: CallOptions,
): Promise<Players<Types>> {
  return ask(board, "getPlayers", { players, ...request }, options);
}

export interface ResultsRequest {
  /** `next_since` of the answer before, or any ISO 8601 time; by default 30 days ago. */
  since?: string | undefined;
  /** The `next_cursor` of the previous answer. */
  cursor?: string | undefined;
  /** How many seasons to search; the player may have no result in some of them. By default 25, at most 100. */
  limit?: number | undefined;
}

/**
 * The player's final ranks in the board's seasons that closed since a given time and at least six minutes ago, the newest
 * first.
 *
 * Cost: 2 reads a season looked at, and for each result 1 or 2 for what the function does not have in memory.
 */
export function getResults<Types extends BoardTypes>(
  board: Leaderboard<Types>,
  request: ResultsRequest = {},
  options?: CallOptions,
): Promise<Results<Types>> {
  return call(board, "getResults", request, options);
}

/**
 * The same over all boards of the project, for a screen of all that a player has won. The board only says where the
 * functions are.
 *
 * Cost: as `getResults`.
 */
export function getResultsOfAllBoards(
  board: Leaderboard,
  request: ResultsRequest = {},
  options?: CallOptions,
): Promise<Results> {
  return call(board, "getResults", { ...request, leaderboard: undefined }, options);
}

/** Which seasons. */
export interface SeasonsRequest {
  /** Only the seasons of this span; `custom` for those that an admin opened. By default all. */
  span?: "all_time" | "daily" | "weekly" | "monthly" | "custom" | undefined;
  /** As stored: a season that has just ended stays `open` until its closing begins. */
  status?: "open" | "closing" | "closed" | undefined;
  /** The `next_cursor` of the previous answer. */
  cursor?: string | undefined;
  /** By default 25, at most 100. With 0 the answer has only `running` and `as_of`. */
  limit?: number | undefined;
}

/**
 * The seasons of a board that were opened, the newest first; `running` has the current ones, opened or not. For the
 * final table of a closed season: `getPage({ ...board, season })`.
 *
 * Cost: 1 read a season, at least 1; none with `limit: 0`.
 * @throws FirerankError
 */
export function listSeasons(
  board: Leaderboard,
  request: SeasonsRequest = {},
  options?: CallOptions,
): Promise<Seasons> {
  return call(board, "listSeasons", request, options);
}
