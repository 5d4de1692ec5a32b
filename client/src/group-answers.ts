/** The answers of the calls about private groups. Times are ISO 8601 strings in UTC. */

/** A group that was made. */
export interface GroupMade {
  group: string;
  /** With this, other players join: `7KQ2-M9XD-4TPAW`. */
  code: string;
  name: string;
}

/** The group of a code, of which the player is a member now. */
export interface GroupJoined {
  group: string;
  name: string;
}

/** A group that was left or deleted. */
export interface GroupLeft {
  group: string;
}

/** A group without a member. */
export interface MemberRemoved {
  group: string;
  /** The group's new code: the one of before leads nowhere. */
  code: string;
}

/** One member of a private group. */
export interface GroupMember {
  /** From 1, and never shared: by score, then `achieved_at`, then id. */
  place: number;
  /** 1 + members with a better score; absent without a score this season. */
  rank?: number | undefined;
  player: string;
  score?: number | undefined;
  columns?: Record<string, number> | undefined;
  display_name?: string | undefined;
}

/** What becomes of a group: `ending` after its end, until the last scores are in; `ended` once the places are final. */
export type GroupState = "open" | "ending" | "ended";

/** A private group in a season. */
export interface Group {
  leaderboard: string;
  season: string;
  group: string;
  name: string;
  /** Who may rename it, remove members and delete it; absent while this member is not shown. */
  owner?: string | undefined;
  state: GroupState;
  /** The caller's own; null for one who is not shown. */
  place: number | null;
  /** All members, best first; those without a score this season are last. */
  entries: GroupMember[];
  players: number;
  /** How many members it may have. */
  size: number;
  /** Null for a group that goes on from season to season. */
  ends_at: string | null;
  /** If the request has `with_code`. */
  code?: string | undefined;
  /** When the group was written last. */
  as_of: string;
}

/** A private group, as the device knows it now. */
export interface WatchedGroup extends Omit<Group, "code"> {
  /** True while Firestore answers from its cache because the device is offline. */
  from_cache: boolean;
}

/** The private groups of a board in which the player is, by name. */
export interface MyGroups {
  leaderboard: string;
  groups: {
    group: string;
    name: string;
    /** The season whose scores it showed last. */
    season: string;
    state: GroupState;
    players: number;
    is_owner: boolean;
    ends_at: string | null;
  }[];
}
