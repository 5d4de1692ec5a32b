/**
 * The questions that a function answers. Each call rejects with a FirerankError. The last argument of each call says how long
 * the call may take, by default 70 s, and what ends the call. Costs are the document reads of the functions. `watchTop`,
 * `watchRank` and `rankOf` need no function.
 */
import type {
  Around,
  Entry,
  Histogram,
  History,
  MyBoards,
  Page,
  Players,
  Rank,
  Results,
  Seasons,
  Teams,
  Threshold,
  Top,
} from "./answers.ts";
import type { CallOptions } from "./call-options.ts";
import { ask, call, callAbout } from "./call.ts";
import { generationsOf } from "./generations.ts";
import type { League } from "./league-answer.ts";
import type { BoardTypes, ColumnsOf, Leaderboard, SegmentNameOf, SegmentOf } from "./leaderboard.ts";

/** How fresh ranks are. */
export interface Fresh {
  /**
   * `published` (the default): ranks as of the last publication. `live`: ranks that are some seconds old; `as_of` says how
   * old. Live ranks are for signed-in callers. They cost 1 read for each pending shard, at most every 5 seconds for all who
   * ask the same instance.
   */
  freshness?: "published" | "live" | undefined;
}

/** Asks how far players have moved. */
export interface Since {
  /** Since today began (`day`), or since this week began (`week`), in the board's time zone. */
  since?: "day" | "week" | undefined;
}

/** Asks about the players of one segment. */
export interface SegmentAsked<Types extends BoardTypes = BoardTypes> {
  /** The segment, as in `{ country: "AT" }` or `{ country: "mine" }`; by default all players. */
  segment?: SegmentOf<Types> | undefined;
}

/** Whose rank is asked for: a player's (by default the caller's), or that of `columns` or of a (packed) `score`. */
type RankAsked<Types extends BoardTypes> =
  | { player?: string | undefined; score?: undefined; columns?: undefined }
  | { score: number; player?: undefined; columns?: undefined }
  | { columns: ColumnsOf<Types>; player?: undefined; score?: undefined };

/**
 * In which rankings the rank is asked for: among all players or in one `segment`; or with `segments` a player's rank among all
 * players, and in the player's own value of each segment named.
 */
type RankingsAsked<Types extends BoardTypes> =
  | (SegmentAsked<Types> & { segments?: undefined })
  | { segments: SegmentNameOf<Types>[]; segment?: undefined; score?: undefined; columns?: undefined };

export type RankRequest<Types extends BoardTypes = BoardTypes> = Fresh &
  Since &
  RankAsked<Types> &
  RankingsAsked<Types> & {
    /** Whether the rank has to be certain even if many scores share a row. */
    exact?: boolean | undefined;
  };

/**
 * The rank of a player or of a score.
 *
 * Cost: for a score 1 read, and 0 while the function has the page in memory. For a player 1 read more. With `exact`, in a row
 * that several scores share, 1 read for each 1,000 better players of the row.
 */
export function getRank<Types extends BoardTypes>(
  board: Leaderboard<Types>,
  request: RankRequest<Types> = {},
  options?: CallOptions,
): Promise<Rank<Types>> {
  return ask(board, "getRank", request, options);
}

export interface TopRequest<Types extends BoardTypes = BoardTypes> extends SegmentAsked<Types> {
  /**
   * How many players: at most the board's `top_size`, which is also the default. In a segment the default is at most 100.
   */
  limit?: number | undefined;
}

/** The best players. Cost: 1 read. In a segment 1 read for each player. */
export function getTop<Types extends BoardTypes>(
  board: Leaderboard<Types>,
  request: TopRequest<Types> = {},
  options?: CallOptions,
): Promise<Top<Types>> {
  return ask(board, "getTop", request, options);
}

export interface HistoryRequest {
  /** Whose history; by default the caller's. */
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

export interface AroundRequest<Types extends BoardTypes = BoardTypes>
  extends Fresh, Since, SegmentAsked<Types> {
  /** The player in the middle; by default the caller. */
  player?: string | undefined;
  /** How many better players; by default 4, at most 50. */
  above?: number | undefined;
  /** How many worse players; by default 4, at most 50. */
  below?: number | undefined;
}

/**
 * A player and the neighbours above and below. Cost: 1 read for the player, 1 for each neighbour, and 1 for each page that the
 * function does not have in memory.
 */
export function getAround<Types extends BoardTypes>(
  board: Leaderboard<Types>,
  request: AroundRequest<Types> = {},
  options?: CallOptions,
): Promise<Around<Types>> {
  return ask(board, "getAround", request, options);
}

/**
 * Where a page begins: after `offset` players, by default 0; with the best player who has a `score` or a worse one, or
 * `columns`; or after the page that had `cursor` as its `next_cursor`.
 */
type PagePlace<Types extends BoardTypes> =
  | { offset?: number | undefined; cursor?: undefined; score?: undefined; columns?: undefined }
  | { score: number; offset?: undefined; cursor?: undefined; columns?: undefined }
  | { columns: ColumnsOf<Types>; offset?: undefined; cursor?: undefined; score?: undefined }
  | { cursor: string; offset?: undefined; score?: undefined; columns?: undefined };

export type PageRequest<Types extends BoardTypes = BoardTypes> = Fresh &
  Since &
  SegmentAsked<Types> &
  PagePlace<Types> & {
    /** How many players; by default 25, at most 100. */
    limit?: number | undefined;
  };

/**
 * A section of the list of all players, from any offset or score.
 *
 * Cost: 1 read for each player, and 1 for each page that the function does not have in memory. With an offset also the players
 * before the offset who share its score, up to 1,000.
 */
export function getPage<Types extends BoardTypes>(
  board: Leaderboard<Types>,
  request: PageRequest<Types> = {},
  options?: CallOptions,
): Promise<Page<Types>> {
  return ask(board, "getPage", request, options);
}

/**
 * The players from an offset, a score or a cursor on, best first, until the list ends or the loop is left. Each page is asked for when it
 * is needed. All pages are of the season and the segment of the first page.
 *
 * Cost: for each page that the loop reaches, that of `getPage`. `limit` is the size of a page, by default 25.
 * @param options how long each page may take, and what ends the call.
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
  request: PageRequest = {},
  options?: CallOptions,
): AsyncGenerator<Entry, void, undefined> {
  const { freshness, since, limit } = request;
  let place = request;
  let asked = board;
  for (;;) {
    const { season, segment, entries, next_cursor: next } = await getPage(asked, place, options);
    yield* entries;
    if (next === undefined) return;
    place = { freshness, since, limit, segment, cursor: next };
    asked = { ...board, season, span: undefined };
  }
}

/** What the score is for. */
export type ThresholdRequest<Types extends BoardTypes = BoardTypes> = SegmentAsked<Types> &
  (
    | { rank: number; percentile?: undefined; tier?: undefined }
    | { percentile: number; rank?: undefined; tier?: undefined }
    | { tier: string; rank?: undefined; percentile?: undefined }
  );

/**
 * The score that one needs for a rank, a percentile or a tier, in the published ranking.
 *
 * Cost: 1 read, and 0 while the function has the page in memory.
 * @example const { score } = await getThreshold(board, { percentile: 90 }); // for the best 10 %
 */
export function getThreshold<Types extends BoardTypes>(
  board: Leaderboard<Types>,
  request: ThresholdRequest<Types>,
  options?: CallOptions,
): Promise<Threshold<Types>> {
  return ask(board, "getThreshold", request, options);
}

export interface HistogramRequest<Types extends BoardTypes = BoardTypes> extends SegmentAsked<Types> {
  /** How many bins at most, 2 to 50; by default 20. */
  bins?: number | undefined;
  /** Where the bins begin, or just before it; by default at the best score. On a board with columns, a value of the first column. */
  best?: number | undefined;
  /** Where the bins end, or just behind it; by default at the worst score. */
  worst?: number | undefined;
}

/**
 * How many players have which scores, in the published ranking; on a board with columns by the first column.
 *
 * Cost: 1 read for each edge of a bin whose page the function does not have in memory.
 */
export function getHistogram<Types extends BoardTypes>(
  board: Leaderboard<Types>,
  request: HistogramRequest<Types> = {},
  options?: CallOptions,
): Promise<Histogram<Types>> {
  return ask(board, "getHistogram", request, options);
}

export interface TeamsRequest<Types extends BoardTypes = BoardTypes> {
  /** The name of a segment that has `teams`, such as `guild`. */
  segment: SegmentNameOf<Types>;
  /** The `next_cursor` of the previous answer. */
  cursor?: string | undefined;
  /** How many teams; by default 25, at most 100. */
  limit?: number | undefined;
}

/**
 * The teams of a segment as of the last publication, best first: guilds by the sum of their members' scores, or as the board
 * says.
 *
 * Cost: 1 read.
 */
export function getTeams<Types extends BoardTypes>(
  board: Leaderboard<Types>,
  request: TeamsRequest<Types>,
  options?: CallOptions,
): Promise<Teams> {
  // Teams may be older than the ranking: their generation is not remembered.
  const { seen } = generationsOf(board);
  return callAbout(board, "getTeams", { min_generation: seen, ...request }, options);
}

/** How to ask for some players. */
export interface PlayersRequest<Types extends BoardTypes = BoardTypes>
  extends Fresh, Since, SegmentAsked<Types> {}

/**
 * Some players, such as friends, best first. Players without a rank are left out.
 *
 * Cost: 1 read for each player, and 1 for each page that the function does not have in memory.
 * @param players 1 to 100 ids.
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
  /** The `next_since` of the previous answer, or any ISO 8601 time; by default 30 days ago. */
  since?: string | undefined;
  /** The `next_cursor` of the previous answer. */
  cursor?: string | undefined;
  /** How many seasons to search; by default 25, at most 100. The player may have no result in some of the seasons. */
  limit?: number | undefined;
}

/**
 * The caller's final ranks in the board's seasons, the newest first: seasons that closed since a given time, and at least six
 * minutes ago.
 *
 * Cost: 2 reads for each season searched, and for each result 1 or 2 reads for what the function does not have in memory.
 */
export function getResults<Types extends BoardTypes>(
  board: Leaderboard<Types>,
  request: ResultsRequest = {},
  options?: CallOptions,
): Promise<Results<Types>> {
  return call(board, "getResults", request, options);
}

/**
 * The caller's final ranks on all boards of the project, as {@link getResults} has them for one board. `board` only says
 * where the functions are.
 *
 * Cost: that of `getResults`.
 */
export function getResultsOfAllBoards(
  board: Leaderboard,
  request: ResultsRequest = {},
  options?: CallOptions,
): Promise<Results> {
  return call(board, "getResults", { ...request, leaderboard: undefined }, options);
}

/** What is asked of a league. */
export interface LeagueRequest {
  /** A week by its season; by default the season or span that the board names, or the present week. */
  season?: string | undefined;
  /** Another player, for moderators; by default the caller. */
  player?: string | undefined;
}

/**
 * The signed-in player's group in the board's league, by place, with the zones that lead up and down; and what became of the
 * player in the last week.
 *
 * Cost: 3 reads.
 * @throws FirerankError `invalid_request` for a board that has no league
 * @example const { league } = await getLeague(board);
 */
export function getLeague(
  board: Leaderboard,
  request: LeagueRequest = {},
  options?: CallOptions,
): Promise<League> {
  return callAbout(board, "getLeague", request, options);
}

/** Where the list of one's boards goes on. */
export interface MyBoardsRequest {
  /** The `next_cursor` of the previous answer. */
  cursor?: string | undefined;
  /** How many seasons to look at; by default 25, at most 100. Some may be left out. */
  limit?: number | undefined;
}

/**
 * The seasons of boards of templates in which the caller has a score, the last achieved first. `board` only says where the
 * functions are.
 *
 * Cost: 1 read for each season.
 */
export function getMyBoards(
  board: Leaderboard,
  request: MyBoardsRequest = {},
  options?: CallOptions,
): Promise<MyBoards> {
  return call(board, "getMyBoards", { ...request, leaderboard: undefined }, options);
}

/** Which seasons to list. */
export interface SeasonsRequest {
  /** Only the seasons of this span; `custom` stands for tournaments. By default all seasons. */
  span?: "all_time" | "daily" | "weekly" | "monthly" | "custom" | undefined;
  /** The stored status. A season that has just ended is `open` until its closing begins. */
  status?: "open" | "closing" | "closed" | undefined;
  /** The `next_cursor` of the previous answer. */
  cursor?: string | undefined;
  /** How many seasons; by default 25, at most 100. With 0 the answer has only `running` and `as_of`. */
  limit?: number | undefined;
}

/**
 * The seasons of a board that were opened, the newest first. `running` has the current season of each span, whether it was
 * opened or not. `getPage({ ...board, season })` has the final table of a closed season.
 *
 * Cost: 1 read for each season, at least 1; none with `limit: 0`.
 * @throws FirerankError
 */
export function listSeasons(
  board: Leaderboard,
  request: SeasonsRequest = {},
  options?: CallOptions,
): Promise<Seasons> {
  return call(board, "listSeasons", request, options);
}
