/** The requests of actors that may change players' documents. */
import type { Data } from "../memory/store.ts";
import type { Status } from "./player.ts";

/** A submission, across all calls that send it. */
export interface Submission {
  player: string;
  score: number;
  id: string | undefined;
  /** The values of segments that it gives its player: those that it names, and that the token claims. */
  segments: Readonly<Record<string, string>> | undefined;
  /** How often it was sent. */
  tries: number;
  /** Scores after it, as `season score`, in all orders that explain its commit. */
  mayBe: Set<string>;
  /** Undefined until it is recorded. */
  effect: Effect | undefined;
}

/** What a submission came to. */
export interface Effect {
  /** The seasons of its time; several choices if clocks are wrong. */
  choices: string[][];
  /** The player's score in each of these seasons. */
  scores: ReadonlyMap<string, number>;
  /** When it was committed. */
  tick: number;
  /** Whether another submission may have been recorded in its place. */
  isDoubtful: boolean;
}

/** A call with submissions of different players. */
export interface Call {
  /** The tournament that it names. */
  cup: string | undefined;
  sent: Submission[];
  /** The submissions that are answered: none of them will still be committed. */
  over: Set<Submission>;
  /** The name of the instance, whose lanes commit it, and the error of its clock. */
  instance: string;
  skewMs: number;
  beganMs: number;
  beganTick: number;
}

/** A call that sets a player's status, or erases the player. */
export interface StatusAsked {
  player: string;
  status: Status | "removed";
  began: number;
  /** True if no other call about the player was under way at the same time. */
  isAlone: boolean;
  /** The player's possible statuses before. */
  before: readonly Status[];
}

/** A call that merges a player into another. */
export interface MergeAsked {
  from: string;
  to: string;
  began: number;
  /** As it counts for the statuses of both. */
  statuses: readonly StatusAsked[];
  /** Whether the player who stays asked for it: final tables stay as they are. */
  isGuest: boolean;
}

/** A trusted server writes a player's document by itself. */
export interface DirectWrite {
  kind: "direct";
  season: string;
  player: string;
  /** What becomes of the document. */
  after: (before: Data | undefined) => Data | undefined;
  /** Whether nothing of the document before is left. */
  isWhole: boolean;
}

/** A player changes the name that all open seasons show. */
export interface ProfileChange {
  kind: "profile";
  player: string;
  fields: Data;
  beganMs: number;
}

/** A player leaves the board's league, or takes part again. */
export interface LeagueWish {
  kind: "wish";
  player: string;
  takesPart: boolean;
}

/** A call that makes a private group, or changes who is in one. */
export interface GroupAsked {
  kind: "group";
  what: "create" | "join" | "leave" | "remove" | "rename" | "delete";
  caller: string;
  isModerator: boolean;
  /** Who comes or goes. */
  player: string;
  /** The group; of `create` and `join` nothing. */
  group?: string;
  /** The code of `join`, as it is stored. */
  code?: string;
  /** How a new member is shown until a document has a name. */
  displayName?: string;
}

/** A call about players on all boards of a template. */
export interface PlayersAsked {
  what: Status | "removed" | "merged";
  template: string;
  /** Of a merge, who goes and who stays. */
  players: readonly string[];
  /** Whether no other call about one of the players was under way. */
  isAlone: boolean;
  /** What the template says of the first player, if that is known. */
  statusBefore: Status | undefined;
  /** The tick at which the call began. */
  beganTick: number;
}

/** What an actor may do to players' documents. */
export type Work =
  | { kind: "submit"; call: Call }
  | DirectWrite
  | { kind: "status"; asked: StatusAsked }
  | { kind: "merge"; asked: MergeAsked }
  | ProfileChange
  | LeagueWish
  | GroupAsked
  | { kind: "open" }
  | { kind: "delete" }
  | { kind: "boards"; asked?: PlayersAsked }
  | { kind: "pay" }
  | { kind: "step" }
  | { kind: "lanes"; instance: string }
  | { kind: "other" };
