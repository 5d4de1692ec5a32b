/**
 * One way to rank players, as people use it or as it was published. All are tried on the same work through this
 * interface, and each is one file of this folder. contest/cases.ts has what each of them passes.
 */
import type { Firestore } from "../../functions/src/documents/firestore.ts";
import type { Bill, Meter } from "../contest/bill.ts";
import type { Change, Entry, Ties, Truth } from "../contest/truth.ts";

/** What a system offers. `run` is its periodic job, if it has one. */
export type Operation = "update" | "rank" | "top" | "around" | "page" | "run";

export interface System {
  /** Also the name of its file, or begins with it. */
  id: string;
  name: string;
  /** The documents that it keeps, in a sentence. */
  layout: string;
  /** Who described it: a name and, if there is one, an address. */
  source: string;
  rank: RankClaim;
  /** Opens it for an empty board. */
  open(place: Place): Opened | Promise<Opened>;
  /**
   * What its operations are billed, by formula, from a board of these players on.
   * @param updatesPerSecond at which updates come; left out where each is done before the next.
   */
  bills(start: Truth, updatesPerSecond?: number): Bills;
  /**
   * Updates a second without a backlog, where each commit takes one: Infinity where only the player's own document is
   * written; otherwise a number, or what the model of waits makes of the commits of each update.
   */
  updatesPerSecondMax: number | Commits;
  /** Seconds from one run of its periodic job to the next; {@link runSecondsDefault} if it says nothing. */
  runSeconds?: number;
  /** Which lists are as of the last run, where ranks are; the others are live. */
  asOfRun?: readonly ("top" | "page")[];
  /** Who comes first among equal scores; the player whose id is last if it says nothing. */
  ties?: Ties;
  /** How old answers get that claim to be exact, as they are shared. */
  ageSeconds?: number;
  /**
   * What it is billed in a second beside its operations, by the clock, with one instance of each function; nothing if
   * left out.
   */
  clock?: Clock;
  /** Where its job runs by tasks, by how many changes come in a second; otherwise a schedule of its own starts the job. */
  tasks?: (updatesPerSecond: number) => Tasks;
  /** What bounds it, such as documents that get too large, in sentences. */
  limit?: string;
  /**
   * Ranks by its estimate, for systems whose rank is one: after each run of its job, from the players at that time. Pure, so
   * that its error can be measured with millions of players.
   */
  estimates?: () => (truth: Truth) => (score: number) => number;
}

/** On a board with so many different scores. */
export type Clock = (load: { updatesPerSecond: number; ranksPerSecond: number; scores: number }) => Bill;

/** In a second: how often the job runs, and operations of the task queue, also for what its clock says. */
export interface Tasks {
  runs: number;
  queued: number;
}

/** As often as other systems are run whose source names no time. */
export const runSecondsDefault = 300;

/**
 * - `exact`: after each update.
 * - `exact at the last run`: for the scores at that time.
 * - `estimate`: without a bound that it keeps by itself.
 */
export type RankClaim = "exact" | "exact at the last run" | "estimate";

/** What a system gets. */
export interface Place {
  /** A client of a database that is otherwise empty. */
  db: Firestore;
  meter: Meter;
  now: () => number;
  /** In [0, 1). */
  random: () => number;
}

/** A new score of a player. Scores are whole numbers from 0 to {@link scoreMax}. */
export interface Submission {
  player: string;
  score: number;
}

export const scoreMax = 9_999;

/** A system with its board. */
export interface Opened {
  /** Takes a score, with all that its triggers do. */
  submit: (submission: Submission) => Promise<unknown>;
  /** The rank of a player, 1 for the best; equal scores share one. `null` if the system knows no rank. */
  rank: (player: string) => Promise<number | null>;
  /** The best players. */
  top: (count: number) => Promise<Entry[]>;
  /** The players before a player, the player, and those after. */
  around: (player: string, before: number, after: number) => Promise<Entry[]>;
  /** `size` players from an index on, which counts from 0. */
  page: (from: number, size: number) => Promise<Entry[]>;
  /** The periodic job. */
  run?: () => Promise<unknown>;
}

/** The bills of each operation. Called in the order of the operations, so that it can remember what it needs. */
export interface Bills {
  /** @param truth before the change. */
  update: (truth: Truth, change: Change) => Bill;
  rank: (truth: Truth, score: number) => Bill;
  top: (truth: Truth, count: number) => Bill;
  /** @param index of the player among all, best first. */
  around: (truth: Truth, index: number, before: number, after: number) => Bill;
  /** `undefined` for a page that the system refuses. */
  page: (truth: Truth, from: number, size: number) => Bill | undefined;
  run?: (truth: Truth) => Bill;
}

/**
 * The shared documents that each commit of an update writes. All its commits come at the same time, and each has to wait for
 * all of its documents.
 */
export type Commits = (change: Change) => string[][];
