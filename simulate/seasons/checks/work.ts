/** What actors are asked for, as far as it may change players' documents. */
import type { StatusAsked } from "./statuses.ts";

/** A submission, through all the calls that send it. */
export interface Submission {
  player: string;
  score: number;
  id: string | undefined;
  /** Times that it was sent. */
  tries: number;
  /** When it was committed, and where: the seasons of its time, which clocks that are wrong may leave open. */
  effect: { choices: string[][]; scores: Map<string, number>; tick: number } | undefined;
}

/** A call with submissions of different players. */
export interface Call {
  /** The tournament that it names. */
  cup: string | undefined;
  sent: Submission[];
  beganMs: number;
  beganTick: number;
}

/** What an actor may do to players' documents. */
export type Work =
  | { kind: "submit"; call: Call }
  | { kind: "set score"; season: string; player: string; score: number | undefined }
  | { kind: "status"; asked: StatusAsked }
  | { kind: "open" }
  | { kind: "step"; season: string }
  | { kind: "other" };
