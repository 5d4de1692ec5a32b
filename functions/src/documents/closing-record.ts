/**
 * Records of a season's end, in the collection `runs`: one record of the closing, which carries the work from one step
 * to the next (jobs/progress.ts writes it), and one record of each later revision (standings/revise.ts). Alerts, the
 * dashboard and the command line read them too. They are deleted with the season. They name no player, but while a closing
 * lasts its cursor and the ends of its ranges hold ids.
 */
import { z } from "zod";
import { Timestamp } from "./firestore.ts";
import type { SeasonKey } from "./paths.ts";
import { bill } from "./ranking-record.ts";

const time = z.instanceof(Timestamp);
const count = z.int().min(0);

/** The fields that the records of closings, audits and repairs share: their work goes on from one step to the next. */
export const stepsRecord = z.object({
  kind: z.string(),
  run: z.string(),
  /** `failed`: the owner should look at it. A closing is retried all the same. */
  outcome: z.enum(["running", "done", "failed"]),
  leaderboard: z.string(),
  season: z.string(),
  started_at: time,
  /** When the record was last written: at the end, or with the progress so far. */
  finished_at: time,
  duration_ms: z.number(),
  /** How long the steps, and the tasks of ranges, have worked, without the waits between them. */
  worked_ms: z.number(),
  /**
   * How many documents were looked at (by a closing: in this phase), and about how many there are; 0 of 0 if that is
   * unknown.
   */
  progress: z.object({ done: count, total: count }),
  steps: count,
  /** The read time of the documents; null before a read time is chosen. */
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

/** The phases of a closing, in order: see "The end of a season" in ARCHITECTURE.md. */
const closingPhase = z.enum(["waiting", "completing", "writing", "publishing", "clearing", "ended"]);
export type ClosingPhase = z.infer<typeof closingPhase>;

/**
 * A range of the players in the total order. A task of its own writes the range's standings. `from` (inclusive) and
 * `before` (exclusive) are a score, a time and an id, or only the first of these; null at the ends of the order.
 * `first` is the number of the range's first document.
 */
const closingRange = z.object({
  from: z.array(z.unknown()).nullable(),
  before: z.array(z.unknown()).nullable(),
  players: count,
  first: count,
});
export type ClosingRange = z.infer<typeof closingRange>;

/**
 * `closing_ranges/{range}`: how far the standings of a range have been written. Whoever writes the range writes it
 * (standings/write-range.ts), and the closing reads all of them. They are deleted when the season is cleared.
 */
export const closingRangeProgress = z.object({
  pass: count,
  documents: count,
  players: count,
  ended: z.boolean(),
  /** The range ended early, at a document that has to be completed first: all ranges are written again. */
  is_incomplete: z.literal(true).exactOptional(),
  /** When the range was requested, or last made progress. */
  told_at: time,
  /** The bill of the range's own tasks. What a step of the closing wrote of the range is in the closing's record. */
  billed: bill,
  worked_ms: z.number(),
});
export type ClosingRangeProgress = z.infer<typeof closingRangeProgress>;

export const closingRecord = stepsRecord.extend({
  kind: z.literal("closing"),
  phase: closingPhase,
  /**
   * The search for incomplete documents: the last id looked at (null before and after a search), how many documents
   * were completed, how many searches were made, and whether the last search found an incomplete document.
   */
  completed: z.object({
    cursor: z.string().nullable(),
    players: count,
    rounds: count,
    is_missing: z.boolean(),
  }),
  /**
   * How often the players were read again, because Firestore no longer kept the last read time, or documents had to be
   * completed first.
   */
  pass: count,
  ranges: z.array(closingRange),
  players: count.nullable(),
});

/** The record of a season's closing: `runs/{closing_run}`. */
export type ClosingRecord = z.infer<typeof closingRecord>;

export function beginClosing(key: SeasonKey, { run, nowMs }: { run: string; nowMs: number }): ClosingRecord {
  return {
    kind: "closing",
    ...beginSteps(key, run, nowMs),
    phase: "waiting",
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
  /** Revisions of the season, including this one, and players in the standings after this revision. */
  revisions: count,
  players: count,
});

/**
 * The record of a revision: a player was taken out of a closed season or came back. The record does not name the
 * player.
 */
export type RevisionRecord = z.infer<typeof revisionRecord>;
