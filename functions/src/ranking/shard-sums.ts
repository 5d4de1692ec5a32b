/** One shard document into the fold, and what is counted on the way. */
import type { Timestamp } from "../firestore.ts";
import { fieldToScore } from "../model/score.ts";
import type { Fold } from "./fold.ts";

/** What some shard documents add up to, beside the players at each score. */
export interface ShardSums {
  /** Players' documents that cannot be ranked: a sum of changes, as the scores are. */
  unusable: number;
  /** Transactions that wrote to the shards. */
  writes: number;
  /** Scores with changes, counted in each document. */
  changes: number;
  /** Keys that are no score, or counts that are no whole number; passed over. */
  unreadable: number;
  newestSlotEndMs: number;
}

export function noSums(): ShardSums {
  return { unusable: 0, writes: 0, changes: 0, unreadable: 0, newestSlotEndMs: 0 };
}

/** Adds a shard document's changes to a fold and its counts to the sums. */
export function addShard(fold: Fold, sums: ShardSums, data: Record<string, unknown>): void {
  const { player_count: counts = {}, unusable, writes, slot_ends_at: slotEndsAt } = data;
  for (const [field, delta] of Object.entries(counts as Record<string, unknown>)) {
    const score = fieldToScore(field);
    if (score === undefined || !Number.isSafeInteger(delta)) {
      sums.unreadable += 1;
    } else if (delta !== 0) {
      fold.add(score, delta as number);
      sums.changes += 1;
    }
  }
  if (typeof unusable === "number") sums.unusable += unusable;
  if (typeof writes === "number") sums.writes += writes;
  sums.newestSlotEndMs = Math.max(sums.newestSlotEndMs, (slotEndsAt as Timestamp).toMillis());
}
