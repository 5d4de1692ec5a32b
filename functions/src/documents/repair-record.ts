/**
 * Records of audits, sweeps and rebuilds: `runs/{run}`, beside those of ranking runs. They show progress during the
 * work and carry it from one step to the next. They hold counts and scores and no player's id (except for a sweep's
 * cursor, while the sweep lasts), so erasing a player need not search them.
 */
import { z } from "zod";
import { runKeepDays } from "../model/limits.ts";
import { Timestamp } from "./firestore.ts";
import type { SeasonKey } from "./paths.ts";
import type { RankingRecord } from "./ranking-record.ts";

const time = z.instanceof(Timestamp);
const count = z.int();

/** Which call repairs what an audit found. */
export const repairs = ["none", "sweep", "rebuild", "full_rebuild"] as const;
export type Repair = (typeof repairs)[number];

const common = z.object({
  run: z.string(),
  outcome: z.enum(["running", "done", "failed"]),
  leaderboard: z.string(),
  season: z.string(),
  /** For an audit or a rebuild; see their docstrings. */
  full: z.boolean(),
  started_at: time,
  /** When the record was last written: at the end, or with the progress so far. */
  finished_at: time,
  duration_ms: z.number(),
  /** Documents looked at, and about how many there are. */
  progress: z.object({ done: count, total: count }),
  /** Steps of the task that have ended or are running. */
  steps: count,
  /** The time at which everything was read; null for a sweep. */
  read_at: time.nullable(),
  /** The generation audited or published. */
  generation: count.nullable(),
  billed: z.object({ reads: count, writes: count, deletes: count }),
  error: z.string().optional(),
  /** For a TTL policy. */
  run_record_expires_at: time,
});

const auditFindings = z.object({
  /** Players that the published rows hold, and what the pending shards add to them. */
  row_players: count,
  shard_players: count,
  index_entries: count,
  /** Players whom the season should rank. */
  players: count,
  /** Problems of the pages, in words; at most 20. */
  pages: z.array(z.string()),
  /** Rows + shards against index entries. Only a full audit knows which `scores` differ. */
  conservation: z.object({
    difference: count,
    scores: count.nullable(),
    examples: z.array(z.object({ score: z.number(), low: z.number(), too_many: count })),
  }),
  /** Index entries against players. Those `in_flight` changed within the last minute. */
  convergence: z.object({
    difference: count,
    players: count.nullable(),
    in_flight: count.nullable(),
    examples: z.array(z.object({ indexed: z.string(), should_be: z.string() })),
  }),
});
export type AuditFindings = z.infer<typeof auditFindings>;

/** How far a sweep is. */
export const swept = z.object({
  /** The last id that was checked; null at the start and at the end. */
  cursor: z.string().nullable(),
  ended: z.boolean(),
  players: count,
  index_entries: count,
  /** Players with a wrong index entry or an incomplete document. */
  differing: count,
  /** Entries that were corrected. */
  changed: count,
  /** Documents that were no valid index entry and were deleted first: the ranking has to be rebuilt after that. */
  unreadable: count,
});

const rebuilt = z.object({
  phase: z.enum(["sweeping", "reading", "settling", "ended"]),
  /** How often all index entries were read. */
  attempts: count,
  index_entries: count,
  /** Entries without a usable number. */
  unreadable: count,
  pending_shards: count,
  players: count,
  rows: count,
  pages: count,
  /** The rebuild goes on until the shards that were pending when it read are folded. */
  settles_at: time.nullable(),
});

const audit = common.extend({
  kind: z.literal("audit"),
  found: auditFindings.nullable(),
  repair: z.enum(repairs),
});
const sweep = common.extend({ kind: z.literal("sweep"), swept });
const rebuild = common.extend({
  kind: z.literal("rebuild"),
  swept,
  /** When its sweep began or was about to, by the database's clock; absent without one. */
  swept_from: time.exactOptional(),
  rebuilt,
});
export const storedRepairRecord = z.discriminatedUnion("kind", [audit, sweep, rebuild]);

export type AuditRecord = z.infer<typeof audit>;
export type SweepRecord = z.infer<typeof sweep>;
export type RebuildRecord = z.infer<typeof rebuild>;
/** The record of a repair. */
export type RepairRecord = z.infer<typeof storedRepairRecord>;
export type RepairKind = RepairRecord["kind"];
/** The record of a ranking run or a repair; closing-record.ts has the others of `runs`. */
export type RunRecord = RankingRecord | RepairRecord;

/** Reads a record. @throws if the document is not one. */
export function readRepairRecord(data: Record<string, unknown> | undefined): RepairRecord {
  return storedRepairRecord.parse(data);
}

/** The start of a rebuild. */
export const nothingRebuilt: RebuildRecord["rebuilt"] = {
  phase: "reading",
  attempts: 0,
  index_entries: 0,
  unreadable: 0,
  pending_shards: 0,
  players: 0,
  rows: 0,
  pages: 0,
  settles_at: null,
};

/** The start of a sweep. */
export const nothingSwept: SweepRecord["swept"] = {
  cursor: null,
  ended: false,
  players: 0,
  index_entries: 0,
  differing: 0,
  changed: 0,
  unreadable: 0,
};

/** The first record of a repair. */
export function beginRecord(
  kind: RepairKind,
  { leaderboard, season }: SeasonKey,
  { run, full, total, nowMs }: { run: string; full: boolean; total: number; nowMs: number },
): RepairRecord {
  const now = Timestamp.fromMillis(nowMs);
  const begun = {
    run,
    outcome: "running" as const,
    leaderboard,
    season,
    full,
    started_at: now,
    finished_at: now,
    duration_ms: 0,
    progress: { done: 0, total },
    steps: 0,
    read_at: null,
    generation: null,
    billed: { reads: 0, writes: 0, deletes: 0 },
    run_record_expires_at: Timestamp.fromMillis(nowMs + runKeepDays * 86_400_000),
  };
  if (kind === "audit") return { kind, ...begun, found: null, repair: "none" };
  if (kind === "sweep") return { kind, ...begun, swept: nothingSwept };
  return {
    kind,
    ...begun,
    swept: nothingSwept,
    rebuilt: full ? { ...nothingRebuilt, phase: "sweeping" } : nothingRebuilt,
  };
}
