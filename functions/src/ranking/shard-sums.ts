/** Adds one shard document to the fold, and counts what else it has. */
import { readShard } from "../documents/shard.ts";
import type { Fold } from "./fold.ts";

/** The sums of some shard documents, besides the players at each score. */
export interface ShardSums {
  /** Players' documents that cannot be ranked: a sum of changes, as the scores are. */
  unusable: number;
  /** Changes of players that were counted. */
  marks: number;
  /** Scores with changes, counted in each document. */
  changes: number;
  /** Ignored entries: keys that are not a score, or counts that are not a whole number. */
  unreadable: number;
  /** When the first and the last of the slots end; `Infinity` and 0 without documents. */
  oldestSlotEndMs: number;
  newestSlotEndMs: number;
}

export function noSums(): ShardSums {
  return { unusable: 0, marks: 0, changes: 0, unreadable: 0, oldestSlotEndMs: Infinity, newestSlotEndMs: 0 };
}

/** Adds a shard document's changes to a fold, or to anything else that adds them up, and its counts to the sums. */
export function addShard(fold: Pick<Fold, "add">, sums: ShardSums, data: Record<string, unknown>): void {
  const { slotEndMs, changes, unreadable, unusable, marks } = readShard(data);
  for (const [score, delta] of changes) fold.add(score, delta);
  sums.changes += changes.length;
  sums.unreadable += unreadable;
  sums.unusable += unusable;
  sums.marks += marks;
  sums.oldestSlotEndMs = Math.min(sums.oldestSlotEndMs, slotEndMs);
  sums.newestSlotEndMs = Math.max(sums.newestSlotEndMs, slotEndMs);
}
