/** The answers of the calls, as JSON; times are ISO 8601 strings in UTC. */
import type { BoardTypes, ColumnsOf, MetadataOf, OfSegments, SegmentsOf } from "./leaderboard.ts";
import type { ServerClock } from "./server-clock.ts";

/** How far a rank has moved since a midnight of the board's time zone. */
export interface Moved {
  since: string;
  /** Places up; below 0 down; the best guess if `exact` is false. */
  places: number;
  from_rank: number;
  exact: boolean;
  /** `places` lies between `places_worst` and this. */
  places_best: number;
  places_worst: number;
}

interface OfSegment<Types extends BoardTypes> {
  /** The segment that ranks and `players` are of, as in `{ country: "AT" }`; absent for all players. */
  segment?: SegmentsOf<Types> | undefined;
}

interface Movement {
  /** If the request has `since`; null if there is nothing to compare with. */
  moved?: Moved | null | undefined;
  /**
   * Why `moved` is null: the player was `new` at that midnight or `hidden_then`, or nobody knows (`unknown`), or no ranking of
   * it is kept (`no_baseline`).
   */
  moved_why?: "new" | "hidden_then" | "unknown" | "no_baseline" | undefined;
}

/** The place of a score in a season, or in a segment of it. */
interface Place<Types extends BoardTypes> extends Movement, OfSegment<Types> {
  leaderboard: string;
  season: string;
  /** The player with this score; absent for the rank of a score. */
  player?: string | undefined;
  score: number;
  /** The columns that the score stands for, on a board that has some. */
  columns?: ColumnsOf<Types> | undefined;
  /** 1 + players with a strictly better score; the best guess if `exact` is false. */
  rank: number;
  /** 1 + distinct better scores. */
  dense_rank: number;
  /** Whether `rank` is certain. */
  exact: boolean;
  /** The rank lies between this one and `rank_worst`. */
  rank_best: number;
  rank_worst: number;
  /** Players ranked. */
  players: number;
  /** The percentage of the other players who are not better; 100 for rank 1. */
  percentile: number;
  /** The first of the board's tiers that the rank is in. */
  tier?: string | undefined;
  freshness: "published" | "live";
  /** The time at which the rank was true. */
  as_of: string;
  /** The number of the published ranking; 0 before the first. */
  generation: number;
}

/** The place of a score in a season. */
export interface Rank<Types extends BoardTypes = BoardTypes> extends Place<Types> {
  /** If the request has `segments`: the rank in each of the player's own; null where the player is in none. */
  segments?: OfSegments<Types, Place<Types> | null> | undefined;
}

/** A rank among all players that the device computed. */
export interface WatchedRank<Types extends BoardTypes = BoardTypes> extends Omit<
  Rank<Types>,
  "segment" | "segments"
> {
  /** True while Firestore answers from its cache because the device is offline; `as_of` says how old it is. */
  from_cache: boolean;
}

/** One line of a list. */
export interface Entry<Types extends BoardTypes = BoardTypes> extends Movement {
  player: string;
  /** 1 + players with a strictly better score. */
  rank: number;
  /** Place in the total order: better score, then `achieved_at`, then player id. */
  position: number;
  score: number;
  columns?: ColumnsOf<Types> | undefined;
  display_name?: string | undefined;
  metadata?: MetadataOf<Types> | undefined;
  achieved_at: string;
  /** False if `rank` is the best guess; absent if it is certain. */
  exact?: false | undefined;
  /** False if `position` is a guess: in `getPlayers`, and in an open season in `getAround` and `getPage` below the top. */
  position_exact?: false | undefined;
}

interface List<Types extends BoardTypes> extends OfSegment<Types> {
  leaderboard: string;
  season: string;
  /** Best first. */
  entries: Entry<Types>[];
  /** The time at which the ranks were true. */
  as_of: string;
  /** The number of the published ranking; 0 before the first. */
  generation: number;
}

/** The best players of a season. */
export interface Top<Types extends BoardTypes = BoardTypes> extends List<Types> {
  /** A score must beat this one to enter; null while there is room for any score. */
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

/** The requested players that have a rank. */
export type Players<Types extends BoardTypes = BoardTypes> = List<Types>;

/** A player's rank at a midnight. */
export interface DayOfHistory<Types extends BoardTypes = BoardTypes> {
  /** The date that began, such as 2026-11-26. */
  day: string;
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
  /** Without midnights at which the player had no rank, or of which no ranking is kept. */
  days: DayOfHistory<Types>[];
  generation: number;
}

/** A section of the list of all players. */
export interface Page<Types extends BoardTypes = BoardTypes> extends List<Types> {
  /** For the next entries; absent at the end of the list. */
  next_cursor?: string | undefined;
  /** Players ranked. */
  players: number;
}

/** The outcome of a submission in one season. */
export interface SeasonResult<Types extends BoardTypes = BoardTypes> {
  season: string;
  span: string;
  /** The player's score after the submission; 0, and no rank, if a server has stored no number there since. */
  score: number;
  columns?: ColumnsOf<Types> | undefined;
  /** Whether this submission improved the score. */
  improved: boolean;
  /** Submissions counted for this player. */
  attempts: number;
  /** True if this `submission_id` was applied before, so nothing was done. */
  repeated?: true | undefined;
  /** Why the submission does not count in this season, though it does in another: its attempts are used up. */
  error?: { code: "too_many_attempts"; message: string } | undefined;
  /**
   * The rank in the published ranking; null before the first publication, for a hidden player, and if it could not be
   * read.
   */
  rank: Rank<Types> | null;
}

/** The outcome of a submission in each season of the board. */
export interface Submission<Types extends BoardTypes = BoardTypes> {
  leaderboard: string;
  player: string;
  seasons: SeasonResult<Types>[];
  /** Segments of which the submission said what the board does not have; absent if there are none. The score counts all the same. */
  segments_passed_over?: string[] | undefined;
}

/** Where a profile was set: in the open seasons in which the player is. */
export interface ProfileSet {
  leaderboard: string;
  player: string;
  /** Empty if the player has no score in any of them: nothing is kept then. */
  seasons: {
    season: string;
    span: string;
    /** Whether the name or the metadata was another there before. */
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
export interface Results<Types extends BoardTypes = BoardTypes> {
  results: Result<Types>[];
  /** For seasons that closed earlier; absent if no more are left to search. */
  next_cursor?: string | undefined;
  /** The next `since`, for results that come later; the same on all pages of an answer. */
  next_since: string;
}

/** One season of a board. */
export interface Season {
  season: string;
  /** `all_time`, `daily`, `weekly` or `monthly`; `custom` for one that an admin opened. */
  span: string;
  /** `open` takes scores from `opens_at` to `closes_at`; `closing` takes none and is being counted; `closed` is final. */
  status: "open" | "closing" | "closed";
  opens_at: string;
  /** Null for a season that ends when an admin ends it, or never. */
  closes_at: string | null;
  /** When its standings became final. */
  closed_at?: string | undefined;
  /** Players ranked. */
  players: number;
  /** The number of its published ranking; 0 before the first. */
  generation: number;
}

/** The current season of a span, whether it has been opened or not. */
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
  /** Those that were opened, the newest first. */
  seasons: Season[];
  /** For the next older seasons; absent if fewer than `limit` were left. */
  next_cursor?: string | undefined;
}

/** A season, as the device knows it now. */
export interface WatchedSeason extends Omit<Season, "status" | "opens_at"> {
  leaderboard: string;
  /** By the server's clock; `to_come` before `opens_at`. */
  status: "to_come" | "open" | "closing" | "closed";
  /** Null for an `all_time` that nobody has played in yet. */
  opens_at: string | null;
  /**
   * The server's clock relative to the device's, for `remaining`; null while the device is offline and has never heard
   * from the server.
   */
  clock: ServerClock | null;
  /** True while Firestore answers from its cache because the device is offline. */
  from_cache: boolean;
}
