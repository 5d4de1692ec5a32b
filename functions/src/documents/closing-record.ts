/**
 * Records of a season's end, among its runs: one of its closing, which carries the work from one step to the next and
 * shows its progress, and one of each revision after it. They are the season's history and stay as long as the season.
 * They hold no player's id, except for a sweep's cursor while the sweep lasts.
 */
import { z } from "zod";
import { Timestamp } from "./firestore.ts";
import type { SeasonKey } from "./paths.ts";
import { nothingSwept, swept } from "./repair-record.ts";

const time = z.instanceof(Timestamp);
const count = z.int().min(0);

/**
 * What a closing does, one phase after the other. `settling`: waits for the last submissions. `sweeping`: indexes
 * changes that no event announced. `auditing`: compares totals; `repairing` where they differ. `ranking`: the last run.
 * `writing`: the standings. `checking`: whether they say what the pages say; then the season is closed. `clearing`:
 * deletes what it no longer needs.
 */
export const closingPhases = [
  "settling",
  "sweeping",
  "auditing",
  "repairing",
  "ranking",
  "writing",
  "checking",
  "clearing",
  "ended",
] as const;
export type ClosingPhase = (typeof closingPhases)[number];

export const closingRecord = z.object({
  kind: z.literal("closing"),
  run: z.string(),
  /** `failed` where somebody has to look at it; it is retried all the same. */
  outcome: z.enum(["running", "done", "failed"]),
  leaderboard: z.string(),
  season: z.string(),
  phase: z.enum(closingPhases),
  started_at: time,
  /** When the record was last written: at the end, or with the progress so far. */
  finished_at: time,
  duration_ms: z.number(),
  /** Documents looked at in this phase, and about how many there are; 0 of 0 where that is unknown. */
  progress: z.object({ done: count, total: count }),
  /** Steps of the task that have begun. */
  steps: count,
  /** How often it started over because standings and pages differed. */
  rounds: count,
  /** How often it failed because they still differed after some rounds: it waits longer after each. */
  disagreements: count.default(0),
  swept,
  /** The pass over the players that writes the standings: its number and its progress. */
  written: z.object({ pass: count, documents: count, players: count, ended: z.boolean() }),
  /** Documents of the standings whose players' index entries are deleted. */
  cleared: count,
  /** What the last check found, in words; at most 20. */
  problems: z.array(z.string()),
  /** The season's `changed_at` as it was before the audit. */
  changed_at: time.nullable(),
  /** The generation that the standings were checked against. */
  generation: count.nullable(),
  /** Players in the standings. */
  players: count.nullable(),
  billed: z.object({ reads: count, writes: count, deletes: count }),
  error: z.string().exactOptional(),
});

/** The record of a season's closing: `runs/{closing_run}`. */
export type ClosingRecord = z.infer<typeof closingRecord>;

/** Reads the record of a closing. @throws ZodError if the document is not one. */
export function readClosingRecord(data: Record<string, unknown> | undefined): ClosingRecord {
  return closingRecord.parse(data);
}

/** The first record of a closing. */
export function beginClosing(
  { leaderboard, season }: SeasonKey,
  { run, nowMs }: { run: string; nowMs: number },
): ClosingRecord {
  const now = Timestamp.fromMillis(nowMs);
  return {
    kind: "closing",
    run,
    outcome: "running",
    leaderboard,
    season,
    phase: "settling",
    started_at: now,
    finished_at: now,
    duration_ms: 0,
    progress: { done: 0, total: 0 },
    steps: 0,
    rounds: 0,
    disagreements: 0,
    swept: nothingSwept,
    written: { pass: 1, documents: 0, players: 0, ended: false },
    cleared: 0,
    problems: [],
    changed_at: null,
    generation: null,
    players: null,
    billed: { reads: 0, writes: 0, deletes: 0 },
  };
}

export const revisionRecord = z.object({
  kind: z.literal("revision"),
  run: z.string(),
  outcome: z.literal("done"),
  leaderboard: z.string(),
  season: z.string(),
  /** What was done to a player: erased, or the status that was set. */
  reason: z.enum(["removed", "hidden", "banned", "active", "merged"]),
  started_at: time,
  finished_at: time,
  /** Revisions of the season, including this one, and players in the standings after it. */
  revisions: count,
  players: count,
});

/** The record of a revision: a player was taken out of a closed season or came back. It does not say who. */
export type RevisionRecord = z.infer<typeof revisionRecord>;

/** Reads the record of a revision. @throws ZodError if the document is not one. */
export function readRevisionRecord(data: Record<string, unknown> | undefined): RevisionRecord {
  return revisionRecord.parse(data);
}
