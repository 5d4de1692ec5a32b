/** Run records: one document for each run that did something. */
import { runKeepDays } from "../model/limits.ts";
import type { SourceCosts } from "../ranking/sources.ts";
import { Timestamp } from "./firestore.ts";
import type { SeasonKey } from "./paths.ts";

/** What Firestore bills. */
export interface Bill {
  reads: number;
  writes: number;
  deletes: number;
}

/** A ranking run's record: `runs/{run}`, and the answer of `runRanking`. Times in ISO 8601 there, timestamps when stored. */
export interface RankingRecord<Time = Timestamp> {
  kind: "ranking";
  /** `nothing_to_do` is answered and not stored: an idle board costs no write. */
  outcome: "published" | "nothing_to_do" | "failed";
  leaderboard: string;
  season: string;
  /** The generation published; of a run that did not, the one it found, or null where it did not look. */
  generation: number | null;
  started_at: Time;
  finished_at: Time;
  duration_ms: number;
  /** Attempts to publish; more than one where a shard changed or another run published meanwhile. */
  attempts: number;
  /** Times that a refresh of the top came before the last attempt's commit, so that the top alone was read again. */
  top_overtaken: number;
  /** Shard documents that were joined into fewer before the publication. */
  shards_joined: number;
  /** What the attempt that counted read, document by document. */
  read: { pages: number; shards: number; top: number };
  wrote: { pages: number; pages_deleted: number; shards_deleted: number; top: number };
  found: {
    /** Transactions that the folded shards gathered: changed scores, roughly. */
    shard_writes: number;
    /** Attempts of these beyond the first of each: contention on shards or players. */
    index_retries: number;
    /** Writes to all shards together in the busiest slot. */
    peak_writes_per_second: number;
    /** Different scores with changes. */
    changes: number;
    /** Rows with a negative count, whose other half is pending. */
    owed_rows: number;
    /** Players' documents that cannot be ranked now. */
    unusable_scores: number;
    /** Keys of shard documents that are no score and were passed over. */
    unreadable_changes: number;
  };
  players: number;
  rows: number;
  exact: boolean;
  /** Shards that changes are spread over from now on. */
  shards: number;
  /** From the end of the interval that the newest folded slot belongs to, to the publication; null where nothing was folded. */
  lag_ms: number | null;
  /** Operations of all attempts. */
  billed: Bill;
  /** What this interval costs with either source; null where nothing was published. */
  sources: SourceCosts | null;
  error?: string;
  /** For a TTL policy. */
  run_record_expires_at: Time;
}

/** A record of nothing, to be filled in. */
export function emptyRecord({ leaderboard, season }: SeasonKey, startedMs: number): RankingRecord {
  const started = Timestamp.fromMillis(startedMs);
  return {
    kind: "ranking",
    outcome: "nothing_to_do",
    leaderboard,
    season,
    generation: null,
    started_at: started,
    finished_at: started,
    duration_ms: 0,
    attempts: 1,
    top_overtaken: 0,
    shards_joined: 0,
    read: { pages: 0, shards: 0, top: 0 },
    wrote: { pages: 0, pages_deleted: 0, shards_deleted: 0, top: 0 },
    found: {
      shard_writes: 0,
      index_retries: 0,
      peak_writes_per_second: 0,
      changes: 0,
      owed_rows: 0,
      unusable_scores: 0,
      unreadable_changes: 0,
    },
    players: 0,
    rows: 0,
    exact: true,
    shards: 0,
    lag_ms: null,
    billed: { reads: 0, writes: 0, deletes: 0 },
    sources: null,
    run_record_expires_at: Timestamp.fromMillis(startedMs + runKeepDays * 86_400_000),
  };
}

/** A record with its end. */
export function finished(record: RankingRecord, nowMs: number): RankingRecord {
  return {
    ...record,
    finished_at: Timestamp.fromMillis(nowMs),
    duration_ms: nowMs - record.started_at.toMillis(),
  };
}

/** A record as a callable answers it. */
export function toJson(record: RankingRecord): RankingRecord<string> {
  const iso = (time: Timestamp) => time.toDate().toISOString();
  return {
    ...record,
    started_at: iso(record.started_at),
    finished_at: iso(record.finished_at),
    run_record_expires_at: iso(record.run_record_expires_at),
  };
}
