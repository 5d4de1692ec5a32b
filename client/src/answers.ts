/** The answers of the calls. Times are ISO 8601 strings in UTC. */
import type { BoardTypes, ColumnsOf, MetadataOf, OfSegments, SegmentsOf } from "./leaderboard.ts";
import type { ServerClock } from "./server-clock.ts";

/** How far a rank has moved since a midnight of the board's time zone. */
export interface Moved {
  /** The midnight. */
  since: string;
  /** How many places the rank has risen; below 0 if it has fallen. If `exact` is false, this is the best guess. */
  places: number;
  /** The rank at the midnight. */
  from_rank: number;
  /** Whether `places` is certain. */
  exact: boolean;
  /** `places` lies between `places_worst` and `places_best`. */
  places_best: number;
  places_worst: number;
}

interface SegmentAnswered<Types extends BoardTypes> {
  /** The segment in which ranks and `players` are counted, as in `{ country: "AT" }`; absent if all players are counted. */
  segment?: SegmentsOf<Types> | undefined;
}

interface Movement {
  /** Present if the request has `since`; null if there is nothing to compare with. */
  moved?: Moved | null | undefined;
  /**
   * Why `moved` is null. At that midnight the player was not there yet (`new`), or was hidden (`hidden_then`), or nobody knows
   * (`unknown`); or no ranking of that midnight is kept (`no_baseline`).
   */
  moved_why?: "new" | "hidden_then" | "unknown" | "no_baseline" | undefined;
}

/** The rank of a score in a season, or in a segment of a season. */
interface PlainRank<Types extends BoardTypes> extends Movement, SegmentAnswered<Types> {
  leaderboard: string;
  season: string;
  /** The player with this score; absent if the request names a score. */
  player?: string | undefined;
  score: number;
  /** On a board with columns: the columns that are packed into the score. */
  columns?: ColumnsOf<Types> | undefined;
  /** 1 + the players with a strictly better score. If `exact` is false, this is the best guess. */
  rank: number;
  /** 1 + the number of distinct better scores. */
  dense_rank: number;
  /** Whether `rank` is certain. */
  exact: boolean;
  /** The rank lies between `rank_best` and `rank_worst`. */
  rank_best: number;
  rank_worst: number;
  /** Players ranked. */
  players: number;
  /** How many percent of the other players are not better; 100 for rank 1. */
  percentile: number;
  /** The first of the board's tiers that the rank is in. */
  tier?: string | undefined;
  freshness: "published" | "live";
  /** The time at which the rank was true. */
  as_of: string;
  /** The number of the published ranking; 0 before the first publication. */
  generation: number;
}

/** The rank of a player or a score in a season. */
export interface Rank<Types extends BoardTypes = BoardTypes> extends PlainRank<Types> {
  /**
   * Present if the request has `segments`: for each of them the rank in the player's own value; null if the player has no
   * value.
   */
  segments?: OfSegments<Types, PlainRank<Types> | null> | undefined;
}

/** A rank among all players, worked out on the device. */
export interface WatchedRank<Types extends BoardTypes = BoardTypes> extends Omit<
  Rank<Types>,
  "segment" | "segments"
> {
  /** True while Firestore answers from its cache because the device is offline; `as_of` says how old the rank is. */
  from_cache: boolean;
}

/** One line of a list. */
export interface Entry<Types extends BoardTypes = BoardTypes> extends Movement {
  player: string;
  /** 1 + the players with a strictly better score. */
  rank: number;
  /** The place in the total order: better score, then `achieved_at`, then player id. */
  position: number;
  score: number;
  columns?: ColumnsOf<Types> | undefined;
  display_name?: string | undefined;
  metadata?: MetadataOf<Types> | undefined;
  achieved_at: string;
  /** False if `rank` is the best guess; absent if `rank` is certain. */
  exact?: false | undefined;
  /** False if `position` is a guess: in `getPlayers`, and in an open season in `getAround` and `getPage` below the top. */
  position_exact?: false | undefined;
}

interface List<Types extends BoardTypes> extends SegmentAnswered<Types> {
  leaderboard: string;
  season: string;
  /** Best first. */
  entries: Entry<Types>[];
  /** The time at which the ranks were true. */
  as_of: string;
  /** The number of the published ranking; 0 before the first publication. */
  generation: number;
}

/** The best players of a season. */
export interface Top<Types extends BoardTypes = BoardTypes> extends List<Types> {
  /** The score that a new score must beat to enter the top; null while there is room for any score. */
  lowest_score: number | null;
  /** Players ranked. */
  players: number;
}

/** The best of all players, as the device knows them now. */
export interface WatchedTop<Types extends BoardTypes = BoardTypes> extends Omit<Top<Types>, "segment"> {
  /** True while Firestore answers from its cache because the device is offline. */
  from_cache: boolean;
}

/** A player and the neighbours above and below. */
export type Around<Types extends BoardTypes = BoardTypes> = List<Types>;

/** Those of the requested players who have a rank. */
export type Players<Types extends BoardTypes = BoardTypes> = List<Types>;

/** A player's rank at a midnight. */
export interface DayOfHistory<Types extends BoardTypes = BoardTypes> {
  /** The date of the day that began, such as 2026-11-26. */
  day: string;
  /** The midnight at which the day began. */
  since: string;
  score: number;
  columns?: ColumnsOf<Types> | undefined;
  rank: number;
  /** Whether `rank` is certain. */
  exact: boolean;
  rank_best: number;
  rank_worst: number;
  /** Players ranked. */
  players: number;
}

/** A player's ranks at midnights, the newest first. */
export interface History<Types extends BoardTypes = BoardTypes> {
  leaderboard: string;
  season: string;
  player: string;
  /** Midnights are left out if the player had no rank then, or if no ranking of them is kept. */
  days: DayOfHistory<Types>[];
  generation: number;
}

/** A section of the list of all players. */
export interface Page<Types extends BoardTypes = BoardTypes> extends List<Types> {
  /** The cursor for the next entries; absent at the end of the list. */
  next_cursor?: string | undefined;
  /** Players ranked. */
  players: number;
}

/** A value of a segment, such as a guild, with what its players have together. */
export interface Team {
  team: string;
  /** Place in the list, which no two teams share; equal ones are in the order of their names. */
  place: number;
  /** 1 + teams that are better. */
  rank: number;
  /** The sum or the mean, as the number next to it: ranks are those of the exact sums. */
  score: number;
  /** Players of the team who are ranked. */
  players: number;
}

/** The teams of a segment, best first. */
export interface Teams {
  leaderboard: string;
  season: string;
  entries: Team[];
  /** The cursor for the next entries; absent at the end of the list. */
  next_cursor?: string | undefined;
  /** Teams ranked. */
  teams: number;
  /** The time at which the ranks were true. */
  as_of: string;
  generation: number;
}

/** All teams of a segment, as a watcher reports them. */
export interface WatchedTeams extends Teams {
  /** Whether they come from the device's cache, which may be older. */
  from_cache: boolean;
}

/** The score that one needs for a rank. */
export interface Threshold<Types extends BoardTypes = BoardTypes> extends SegmentAnswered<Types> {
  leaderboard: string;
  season: string;
  /** The rank that one has with the score, or a better one: as asked for, or the worst one with the percentile or in the tier. */
  rank: number;
  /** With this score one has the rank; null if every score is enough. */
  score: number | null;
  columns?: ColumnsOf<Types> | undefined;
  /** Whether every worse score is too little. */
  exact: boolean;
  /** If `exact` is false: scores worse than this are too little, those in between may be enough; null if no bound is known. */
  score_worst?: number | null | undefined;
  /** Players ranked. */
  players: number;
  /** The time at which the ranks were true. */
  as_of: string;
  generation: number;
}

/** Players by score. */
export interface Bin {
  /** The best score in the bin. */
  from: number;
  /** Where the bin ends. Players with this score are in the next bin; in the last bin they are in it. */
  to: number;
  players: number;
}

/** How many players have which scores, best first. */
export interface Histogram<Types extends BoardTypes = BoardTypes> extends SegmentAnswered<Types> {
  leaderboard: string;
  season: string;
  /** On a board with columns, the first one, of which all values are. */
  column?: string | undefined;
  /** Of equal width, side by side, with round edges; none if nobody is ranked. */
  bins: Bin[];
  /** Players who are better than the first bin. */
  better: number;
  /** Players who are worse than the last bin. */
  worse: number;
  /** Whether all numbers of players are certain. */
  exact: boolean;
  /** Players ranked. */
  players: number;
  /** The time at which the ranks were true. */
  as_of: string;
  generation: number;
}

/** The outcome of a submission in one season. */
export interface SeasonResult<Types extends BoardTypes = BoardTypes> {
  season: string;
  span: string;
  /** The player's score after the submission; 0, without a rank, if a server has stored no number as the score since. */
  score: number;
  columns?: ColumnsOf<Types> | undefined;
  /** Whether this submission improved the score. */
  improved: boolean;
  /** How many submissions of this player were counted. */
  attempts: number;
  /** True if a submission with this `submission_id` counted before, so nothing was done. */
  repeated?: true | undefined;
  /**
   * Why the submission counts in another season and not in this one: the player's attempts here are used up, or on a
   * board of sums the total would leave its range.
   */
  error?: { code: "too_many_attempts" | "score_out_of_range"; message: string } | undefined;
  /**
   * The rank in the published ranking; null before the first publication, for a hidden player, and if the ranking could
   * not be read.
   */
  rank: Rank<Types> | null;
}

/** The outcome of a submission in each season of the board. */
export interface Submission<Types extends BoardTypes = BoardTypes> {
  leaderboard: string;
  player: string;
  seasons: SeasonResult<Types>[];
  /**
   * The segments in which the submission named a value that the board does not list, or which the board does not have. The
   * score counts all the same. Absent if there are none.
   */
  segments_passed_over?: string[] | undefined;
}

/** The open seasons in which a profile was set: those in which the player has a score. */
export interface ProfileSet {
  leaderboard: string;
  player: string;
  /** Empty if the player has a score in no open season: then nothing is kept. */
  seasons: {
    season: string;
    span: string;
    /** Whether the name or the metadata has changed in this season. */
    changed: boolean;
  }[];
}

/** A player's final rank in a season that has closed. */
export interface Result<Types extends BoardTypes = BoardTypes> extends Rank<Types> {
  span: string;
  /** When the season's standings became final. */
  closed_at: string;
}

/** A player's final ranks, the newest first. */
/** A season of a board of a template in which the caller has a score. */
export interface MyBoard {
  leaderboard: string;
  season: string;
  score: number;
  columns?: Record<string, number> | undefined;
  /** ISO 8601. */
  achieved_at: string;
}

export interface MyBoards {
  boards: MyBoard[];
  next_cursor?: string | undefined;
}

export interface Results<Types extends BoardTypes = BoardTypes> {
  results: Result<Types>[];
  /** The cursor for seasons that closed earlier; absent if there are no more to search. */
  next_cursor?: string | undefined;
  /** The `since` of the next request, for results that come later. All pages of an answer have the same. */
  next_since: string;
}

/** One season of a board. */
export interface Season {
  season: string;
  /** `all_time`, `daily`, `weekly` or `monthly`; `custom` for a tournament, which an admin opened. */
  span: string;
  /**
   * An `open` season takes scores from `opens_at` to `closes_at`. A `closing` season takes no scores, and its final table is
   * being made. The final table of a `closed` season is there.
   */
  status: "open" | "closing" | "closed";
  opens_at: string;
  /** Null for a season that never ends, or that ends when an admin ends it. */
  closes_at: string | null;
  /** When the season's standings became final. */
  closed_at?: string | undefined;
  /** Players ranked. */
  players: number;
  /** The number of the season's published ranking; 0 before the first publication. */
  generation: number;
}

/** The current season of a span. If nobody has played in the season yet, it has not been opened. */
export interface Running {
  span: string;
  season: string;
  /** Null for `all_time`, which begins with its first score. */
  opens_at: string | null;
  /** Null for `all_time`, which never ends. */
  closes_at: string | null;
  /** The season that follows, unless an admin changes the calendar; null for `all_time`. */
  next: { season: string; opens_at: string; closes_at: string } | null;
}

/** The seasons of a board. */
export interface Seasons {
  leaderboard: string;
  /** The server's clock at the time of the answer. */
  as_of: string;
  /** The current season of each span at that time. */
  running: Running[];
  /** The seasons that were opened, the newest first. */
  seasons: Season[];
  /** The cursor for older seasons; absent if the answer has the oldest season. */
  next_cursor?: string | undefined;
}

/** A season, as the device knows it now. */
export interface WatchedSeason extends Omit<Season, "status" | "opens_at"> {
  leaderboard: string;
  /** The status by the server's clock; `to_come` before `opens_at`. */
  status: "to_come" | "open" | "closing" | "closed";
  /** Null for the season `all_time` if nobody has played in it yet. */
  opens_at: string | null;
  /**
   * The server's clock in relation to the device's clock, for `remaining`; null while the device is offline and has never
   * heard from the server.
   */
  clock: ServerClock | null;
  /** True while Firestore answers from its cache because the device is offline. */
  from_cache: boolean;
}
