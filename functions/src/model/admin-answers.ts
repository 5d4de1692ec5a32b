/** Answers of calls that handle one player, for the functions and for the client's types. */
import type { ErrorCode } from "./errors.ts";
import type { PlayerStatus } from "./player-status.ts";

/** A season in which a player has a document. */
export interface SeasonOfStatus {
  /** The board, where the status is a template's. */
  leaderboard?: string;
  season: string;
  span: string;
  status: PlayerStatus;
  /** Kept while the player is hidden or banned; absent while no submission has counted. */
  score?: number;
  columns?: Record<string, number>;
}

/** A player's status in each season; of a template's boards in the first 1,000. */
export interface PlayerStatusAnswer {
  leaderboard: string;
  player: string;
  seasons: SeasonOfStatus[];
  /** The rest of a template's boards follow in steps after the answer. */
  continues?: true;
}

/** Where a season had a player: in a player's document, in its top. */
export interface ErasedFrom {
  leaderboard: string;
  season: string;
  player: boolean;
  top: boolean;
}

export interface RemovePlayerAnswer {
  player: string;
  /** Seasons that had the player: the first 1,000. */
  removed: ErasedFrom[];
  /** The rest of the boards follow in steps after the answer. */
  continues?: true;
}

/** All that one season stores about a player. */
export interface SeasonOfPlayer {
  season: string;
  span: string;
  /**
   * As stored: `open`, `closing`, `closed` or `deleting`; `open` for a season that no score has opened yet. Span and
   * status are `unknown` if there is no season.
   */
  status: string;
  /** ISO 8601. */
  opens_at: string | null;
  closes_at: string | null;
  /** The paths of the documents from which the fields below come. */
  documents: string[];
  /** The player's document, with all of its fields; `counted` is what the ranking counts for the player. */
  player?: Record<string, unknown>;
  /** The player's line in the top. */
  top?: Record<string, unknown>;
  /** The player's seats in groups of the season's league. */
  league_seats?: Record<string, unknown>[];
  /** The player's line in the final standings of a closed season; `players` is how many the standings have. */
  standing?: {
    rank: number;
    position: number;
    players: number;
    score: number;
    achieved_at: string;
    display_name?: string;
    metadata?: unknown;
  };
}

/** All that is stored about a player on a board. */
export interface ExportPlayerAnswer {
  player: string;
  leaderboard: string;
  /** ISO 8601, by the server's clock; all parts of an answer belong to one moment. */
  exported_at: string;
  /** The note of an erasure or a merge, which does not name the player: until when boards refuse the player. */
  erasure?: { document: string; erasure: Record<string, unknown> };
  /**
   * The status that the board keeps for seasons to come and its reason, and where the player stands in its league, with
   * the path of the document.
   */
  status?: { document: string; status?: unknown; reason?: unknown; league?: unknown };
  /** The private groups in which the player is, with the player's seat. */
  private_groups?: { document: string; name: string; is_owner: boolean; seat: Record<string, unknown> }[];
  /** Every season that stores anything about the player. */
  seasons: SeasonOfPlayer[];
  /** Events that name the player, each with the path of its document. Other players are left out of the events. */
  events: { document: string; event: Record<string, unknown> }[];
}

export interface MergePlayersAnswer {
  from: string;
  to: string;
  /** Every season in which `to` has a document now, and those in which the two could not be merged. */
  seasons: (SeasonOfStatus & {
    leaderboard: string;
    attempts: number;
    /** Whether this call has merged `from` into it. */
    merged: boolean;
    /** Submission ids that both players had: see "What a merge tells" in docs/calls.md. */
    repeated?: string[];
    /** Why `from` is still there. */
    error?: { code: ErrorCode; message: string };
  })[];
  /** Of a call for all boards: those not merged, or only in part, as something is damaged or of another release. */
  failed?: { leaderboard: string; message: string }[];
}

export interface GuestMerged {
  /** The guest, who is gone from the open seasons. */
  from: string;
  /** The signed-in player. */
  to: string;
  /** The open seasons that had the guest. */
  seasons: {
    season: string;
    span: string;
    /** Ids of submissions that both players had. */
    repeated?: string[];
  }[];
}
