/** What the calls answer, as JSON has it; times are ISO 8601 strings in UTC. */
import type { ServerClock } from "./server-clock.ts";

/** The place of a score in a season. */
export interface Rank {
  leaderboard: string;
  season: string;
  /** Whose score it is; absent where a score was asked for. */
  player?: string | undefined;
  score: number;
  /** The columns that the score stands for, on a board that has some. */
  columns?: Record<string, number> | undefined;
  /** 1 + players with a strictly better score; where `exact` is false, the best guess. */
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
  /** The share, in per cent, of the other players who are not better; 100 for rank 1. */
  percentile: number;
  /** The first of the board's tiers that the rank is in. */
  tier?: string | undefined;
  freshness: "published" | "live";
  /** The time at which the rank was true. */
  as_of: string;
  /** The number of the published ranking; 0 before the first. */
  generation: number;
}

/** A rank that was worked out on the device. */
export interface WatchedRank extends Rank {
  /** True while Firestore answers from its cache because the device is offline; `as_of` says how old it is. */
  from_cache: boolean;
}

/** One line of a list. */
export interface Entry {
  player: string;
  /** 1 + players with a strictly better score. */
  rank: number;
  /** Place in the total order: better score, then `achieved_at`, then player id. */
  position: number;
  score: number;
  columns?: Record<string, number> | undefined;
  display_name?: string | undefined;
  metadata?: Record<string, unknown> | undefined;
  achieved_at: string;
  /** False where `rank` is the best guess; absent where it is certain. */
  exact?: false | undefined;
  /** False where `position` is a guess from the published ranks: in `players`, and in `around` below the top. */
  position_exact?: false | undefined;
}

interface List {
  leaderboard: string;
  season: string;
  /** Best first. */
  entries: Entry[];
  /** The time at which the ranks were true. */
  as_of: string;
  /** The number of the published ranking; 0 before the first. */
  generation: number;
}

/** The best players of a season. */
export interface Top extends List {
  /** What a score must beat to enter; null while there is room for any. */
  lowest_score: number | null;
  /** Players ranked. */
  players: number;
}

/** The best players, as the device knows them now. */
export interface WatchedTop extends Top {
  /** True while Firestore answers from its cache because the device is offline. */
  from_cache: boolean;
}

/** A player and the neighbours above and below. */
export type Around = List;

/** The players asked for that have a rank. */
export type Players = List;

/** A section of the list of all players. */
export interface Page extends List {
  /** Asks for the entries after these; absent where the list ended. */
  next_cursor?: string | undefined;
  /** Players ranked. */
  players: number;
}

/** The outcome of a submission in one season. */
export interface SeasonResult {
  season: string;
  span: string;
  /** The player's score after the submission. */
  score: number;
  columns?: Record<string, number> | undefined;
  /** Whether this submission made it better. */
  improved: boolean;
  /** Submissions counted for this player. */
  attempts: number;
  /** True if this `submission_id` was applied before, so nothing was done. */
  repeated?: true | undefined;
  /**
   * The rank in the published ranking; null before the first publication, for a hidden player, and if it could not be
   * read.
   */
  rank: Rank | null;
}

/** The outcome of a submission in each season of the board. */
export interface Submission {
  leaderboard: string;
  player: string;
  seasons: SeasonResult[];
}

/** A player's final rank in a season that has closed. */
export interface Result extends Rank {
  span: string;
  /** When the season's standings became final. */
  closed_at: string;
}

/** A player's final ranks, the newest first. */
export interface Results {
  results: Result[];
  /** Asks for seasons that closed before these; absent where all have been looked at. */
  next_cursor?: string | undefined;
}

/** One season of a board. */
export interface Season {
  season: string;
  /** `all_time`, `daily`, `weekly`, `monthly`; `custom` is one that an admin opened. */
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
  /** The server's clock when it answered. */
  as_of: string;
  /** The current season of each span at that time. */
  running: Running[];
  /** Those that were opened, the newest first. */
  seasons: Season[];
  /** Asks for the seasons before these; absent where fewer than `limit` were left. */
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
