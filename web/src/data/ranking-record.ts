/** Records of ranking runs as stored, also those that another release wrote. */
import { z } from "zod";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import type { RankingRecord } from "../../../functions/src/documents/ranking-record.ts";

/** A count that a release did not know yet is none. */
const count = z.number().default(0);
const bill = z.object({ reads: count, writes: count, deletes: count });
const time = z.instanceof(Timestamp);

const schema = z.looseObject({
  kind: z.literal("ranking"),
  outcome: z.enum(["published", "nothing_to_do", "failed"]),
  leaderboard: z.string(),
  season: z.string(),
  generation: z.number().nullable().default(null),
  started_at: time,
  finished_at: time,
  duration_ms: count,
  attempts: z.number().default(1),
  top_overtaken: count,
  shards_joined: count,
  read: z.object({ pages: count, shards: count, top: count }).prefault({}),
  wrote: z.object({ pages: count, pages_deleted: count, shards_deleted: count, top: count }).prefault({}),
  found: z
    .object({
      shard_writes: count,
      index_retries: count,
      peak_writes_per_second: count,
      changes: count,
      owed_rows: count,
      unusable_scores: count,
      unreadable_changes: count,
    })
    .prefault({}),
  players: count,
  rows: count,
  exact: z.boolean().default(true),
  shards: count,
  lag_ms: z.number().nullable().default(null),
  billed: bill.prefault({}),
  sources: z
    .object({ index: bill.nullable(), count: bill, break_even_changes: z.number() })
    .nullable()
    .default(null),
  error: z.string().exactOptional(),
  run_record_expires_at: time,
});

/** Reads a ranking run's record. @throws ZodError where it is none */
export function readRankingRecord(data: Record<string, unknown>): RankingRecord {
  return schema.parse(data);
}
