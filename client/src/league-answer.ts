/** The answer of `getLeague`. Times are ISO 8601 strings in UTC. */

/** One member of a group of a league. */
export interface LeagueMember {
  /** From 1, and never shared: by score, then `achieved_at`, then id. */
  place: number;
  /** 1 + members with a better score; absent for a score that does not count. */
  rank?: number | undefined;
  /** Absent for a member who has left the league: the place stays, without id, score and name. */
  player?: string | undefined;
  score?: number | undefined;
  columns?: Record<string, number> | undefined;
  display_name?: string | undefined;
  /** The tier to which the place leads; absent for a place that stays. */
  zone?: "up" | "down" | undefined;
  /** What has become of the member, once the group is settled. */
  move?: "up" | "stayed" | "down" | undefined;
}

/** The group of a week's league in which the player is. */
export interface LeagueGroup {
  /** The id of the tier. */
  tier: string;
  group: string;
  /** `open` until the week ends; then for some minutes `ending`, while the last scores come in. */
  state: "open" | "ending" | "settled";
  /** The player's own; null for one who is not shown. */
  place: number | null;
  zone: "up" | "down" | null;
  /** The nearest place that leads farther up, or from the way down; null for a player who goes up. */
  next_place: number | null;
  /** The score of who has that place now. */
  next_score: number | null;
  /** All members, best first. */
  entries: LeagueMember[];
  players: number;
  ends_at: string | null;
  as_of: string;
}

/** A player's week in a board's league. */
export interface League {
  leaderboard: string;
  season: string;
  league: LeagueGroup | null;
  /**
   * Why `league` is null: the player has no score this week (`no_score`), or waits for a seat (`seating`), which takes
   * seconds, or after a week's end some minutes; came too late this week (`too_late`), has left the league (`left`), or is not
   * ranked (`not_ranked`).
   */
  why?: "no_score" | "seating" | "too_late" | "left" | "not_ranked" | undefined;
  /** The last week that is settled: from which tier to which; null for a newcomer. */
  last: { season: string; from: string; to: string; place: number; members: number } | null;
}

/** A player's week in a board's league, as the device knows it now. */
export interface WatchedLeague extends League {
  /** True while Firestore answers from its cache because the device is offline. */
  from_cache: boolean;
}
