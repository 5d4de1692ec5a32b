/**
 * Records of a season's end, among its runs: one of its closing, which carries the work from one step to the next, and one
 * of each revision after it. They stay as long as the season. They hold no player's id, except, while the closing lasts,
 * for the cursor of its search and the ends of its ranges.
 */
import { z } from "zod";
import { Timestamp } from "./firestore.ts";
import type { SeasonKey } from "./paths.ts";
import { bill } from "./ranking-record.ts";

const time = z.instanceof(Timestamp);
const count = z.int().min(0);

/** What the records of closings, audits and repairs have in common: work that goes on from one step to the next. */
export const stepsRecord = z.object({
  kind: z.string(),
  run: z.string(),
  /** `failed`: needs attention; retries of a closing continue. */
  outcome: z.enum(["running", "done", "failed"]),
  leaderboard: z.string(),
  season: z.string(),
  started_at: time,
  /** When the record was last written: at the end, or with the progress so far. */
  finished_at: time,
  duration_ms: z.number(),
  /** How long its steps and the tasks of its ranges have worked, without the waits between them. */
  worked_ms: z.number(),
  /** Documents looked at, of a closing in this phase, and about how many there are; 0 of 0 where that is unknown. */
  progress: z.object({ done: count, total: count }),
  steps: count,
  /** The time at which the documents were read; null before it is chosen. */
  read_at: time.nullable(),
  billed: bill,
  error: z.string().exactOptional(),
});

export type StepsRecord = z.infer<typeof stepsRecord>;

export function beginSteps({ leaderboard, season }: SeasonKey, run: string, nowMs: number, total = 0) {
  const now = Timestamp.fromMillis(nowMs);
  return {
    run,
    outcome: "running" as const,
    leaderboard,
    season,
    started_at: now,
    finished_at: now,
    duration_ms: 0,
    worked_ms: 0,
    progress: { done: 0, total },
    steps: 0,
    read_at: null,
    billed: { reads: 0, writes: 0, deletes: 0 },
  };
}

/** What a closing does, one phase after the other: see "The end of a season" in ARCHITECTURE.md. */
const closingPhase = z.enum(["settling", "completing", "writing", "closing", "clearing", "ended"]);
export type ClosingPhase = z.infer<typeof closingPhase>;

/**
 * A stretch of the players in the total order, whose standings a task of its own writes. `from` (inclusive) and `before`
 * (exclusive) are a score, a time and an id, or the first of these; null at the ends of the order.
 */
export const closingRange = z.object({
  from: z.array(z.unknown()).nullable(),
  before: z.array(z.unknown()).nullable(),
  players: count,
  first: count,
});
export type ClosingRange = z.infer<typeof closingRange>;

/** `closing_ranges/{range}`: how far the standings of a range are. */
export const closingRangeProgress = z.object({
  pass: count,
  documents: count,
  players: count,
  ended: z.boolean(),
  /** It ended at a document that has to be completed first: this pass comes to nothing. */
  is_incomplete: z.literal(true).exactOptional(),
  /** When it last showed progress, or was requested. */
  told_at: time,
  /** What its own tasks were billed; what a step of the closing wrote of it is in the closing's record. */
  billed: bill,
  worked_ms: z.number(),
});
export type ClosingRangeProgress = z.infer<typeof closingRangeProgress>;

export const closingRecord = stepsRecord.extend({
  kind: z.literal("closing"),
  phase: closingPhase,
  /**
   * The search for incomplete documents: how far it is (null before and after it), how many it has completed, how often
   * it was made, and whether the last one found any.
   */
  completed: z.object({
    cursor: z.string().nullable(),
    players: count,
    rounds: count,
    is_missing: z.boolean(),
  }),
  /**
   * How often the players were read again: if Firestore no longer kept the time of the last reading, or documents had to be
   * completed first.
   */
  pass: count,
  ranges: z.array(closingRange),
  /** Who comes first among equal scores in them: the board's setting when they were begun. */
  ties: z.enum(["first", "last"]).exactOptional(),
  players: count.nullable(),
});

/** The record of a season's closing: `runs/{closing_run}`. */
export type ClosingRecord = z.infer<typeof closingRecord>;

export function beginClosing(key: SeasonKey, { run, nowMs }: { run: string; nowMs: number }): ClosingRecord {
  return {
    kind: "closing",
    ...beginSteps(key, run, nowMs),
    phase: "settling",
    completed: { cursor: null, players: 0, rounds: 0, is_missing: true },
    pass: 0,
    ranges: [],
    players: null,
  };
}

export const revisionRecord = z.object({
  kind: z.literal("revision"),
  run: z.string(),
  outcome: z.literal("done"),
  leaderboard: z.string(),
  season: z.string(),
  reason: z.enum(["removed", "hidden", "banned", "active", "merged"]),
  started_at: time,
  finished_at: time,
  /** Revisions of the season, including this one, and players in the standings after it. */
  revisions: count,
  players: count,
});

/** The record of a revision: a player was taken out of a closed season or came back. It does not say who. */
export type RevisionRecord = z.infer<typeof revisionRecord>;
