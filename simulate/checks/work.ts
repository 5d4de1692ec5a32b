/** The requests of actors that may change players' documents. */
import type { Data } from "../memory/store.ts";
import type { MergeAsked } from "./merges.ts";
import type { StatusAsked } from "./statuses.ts";

/** A submission, across all calls that send it. */
export interface Submission {
  player: string;
  score: number;
  id: string | undefined;
  /** The values of segments that it gives its player: those that it names, and that the token claims. */
  segments: Readonly<Record<string, string>> | undefined;
  /** How often it was sent. */
  tries: number;
  /** What it came to in some order of those that were committed together, as `season score`. */
  mayBe: Set<string>;
  /** When it was committed, and where: the seasons at that time, several choices if clocks are wrong. */
  effect:
    | {
        choices: string[][];
        scores: Map<string, number>;
        tick: number;
        /** Another submission may have been recorded in its place. */
        isDoubtful?: boolean;
      }
    | undefined;
}

/** A call with submissions of different players. */
export interface Call {
  /** The tournament that it names. */
  cup: string | undefined;
  sent: Submission[];
  /** Those that are answered: nothing of them is still to come. */
  over: Set<Submission>;
  /** The name of the instance, whose lanes commit it, and the error of its clock. */
  instance: string;
  skewMs: number;
  beganMs: number;
  beganTick: number;
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

/** What an actor may do to players' documents. */
export type Work =
  | { kind: "submit"; call: Call }
  | DirectWrite
  | { kind: "status"; asked: StatusAsked }
  | { kind: "merge"; asked: MergeAsked }
  | ProfileChange
  | { kind: "open" }
  | { kind: "delete" }
  | { kind: "pay" }
  | { kind: "step"; season: string }
  | { kind: "lanes"; instance: string }
  | { kind: "other" };
