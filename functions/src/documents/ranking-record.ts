/**
 * Records of ranking runs: documents in `runs`. The commit that publishes writes one, or a run that failed
 * (ranking/attempts.ts). A TTL policy deletes it. Usual runs of small boards have none: recent-runs.ts says where they
 * are told of, and who reads runs reads both there.
 */
import { z } from "zod";
import { runKeepDays } from "../model/limits.ts";
import { Timestamp } from "./firestore.ts";
import type { SeasonKey } from "./paths.ts";

const time = z.instanceof(Timestamp);
/** A count that an older release did not know is 0. */
const count = z.number().default(0);

export const bill = z.object({ reads: count, writes: count, deletes: count });
export type Bill = z.infer<typeof bill>;

export const rankingRecord = z.object({
  kind: z.literal("ranking"),
  /** `nothing_to_do` is answered and not stored, so that an idle board costs no write. */
  outcome: z.enum(["published", "nothing_to_do", "failed"]),
  leaderboard: z.string(),
  season: z.string(),
  /**
   * The generation that the run published, or found published if there was nothing to do; null if it read none, or none
   * exists.
   */
  generation: z.number().nullable().default(null),
  started_at: time,
  finished_at: time,
  duration_ms: count,
  /** Attempts to publish: more than one if a shard changed, or another run published, in the meantime. */
  attempts: z.number().default(1),
  /** How often a refresh of the top overtook the last attempt, so that only the top was read again. */
  top_overtaken: count,
  shards_joined: count,
  read: z.object({ pages: count, shards: count, top: count }).prefault({}),
  wrote: z
    .object({ pages: count, segment_pages: count, pages_deleted: count, shards_deleted: count, top: count })
    .prefault({}),
  found: z
    .object({
      /** Changes of players that were folded: new scores, better ones, statuses. */
      changed_players: count,
      /** Different scores with changes. */
      changes: count,
      /** Rows with a negative count, because the other half of a change is still pending. */
      owed_rows: count,
      /** Players of merged rows that are too wide and could not be read again yet: their ranks are less exact. */
      wide_players: count,
      unusable_scores: count,
      /**
       * How many values of segments are ranked; `left_out`: how many players have a value that is not ranked, by
       * segment.
       */
      segments: count,
      left_out: z.record(z.string(), z.number()).exactOptional(),
      /** Entries of shard documents that are no change of a mark, and were ignored. */
      unreadable_changes: count,
    })
    .prefault({}),
  players: count,
  rows: count,
  exact: z.boolean().default(true),
  /** Time from the end of the newest folded slot's interval to the publication; null if nothing was folded. */
  lag_ms: z.number().nullable().default(null),
  billed: bill.prefault({}),
  error: z.string().exactOptional(),
  /** The runs before it that have no record, in numbers (recent-runs.ts). Only in the stored record. */
  recent_runs: z.array(z.number()).exactOptional(),
  run_record_expires_at: time,
});

/** A ranking run's record: `runs/{run}`. With times in ISO 8601 it is the answer of `runRanking`. */
export type RankingRecord = z.infer<typeof rankingRecord>;

export function emptyRecord({ leaderboard, season }: SeasonKey, startedMs: number): RankingRecord {
  const started = Timestamp.fromMillis(startedMs);
  return rankingRecord.parse({
    kind: "ranking",
    outcome: "nothing_to_do",
    leaderboard,
    season,
    started_at: started,
    finished_at: started,
    run_record_expires_at: Timestamp.fromMillis(startedMs + runKeepDays * 86_400_000),
  });
}

export function finished<Of extends { started_at: Timestamp }>(record: Of, nowMs: number): Of {
  return {
    ...record,
    finished_at: Timestamp.fromMillis(nowMs),
    duration_ms: nowMs - record.started_at.toMillis(),
  };
}
