/** Adds one shard document to the fold, and counts what else it has. */
import { readShard } from "../documents/shard.ts";
import type { Fold } from "./fold.ts";

/** The sums of some shard documents, besides the players at each score. */
export interface ShardSums {
  /** Players' documents that cannot be ranked: a sum of changes, as the scores are. */
  unusable: number;
  /** Transactions that wrote to the shards. */
  writes: number;
  /** Attempts of these transactions beyond the first of each: contention. */
  retries: number;
  writesOfSlot: WritesOfSlot;
  /** Scores with changes, counted in each document. */
  changes: number;
  /** Ignored entries: keys that are not a score, or counts that are not a whole number. */
  unreadable: number;
  newestSlotEndMs: number;
}

export function noSums(): ShardSums {
  return {
    unusable: 0,
    writes: 0,
    retries: 0,
    writesOfSlot: new Map(),
    changes: 0,
    unreadable: 0,
    newestSlotEndMs: 0,
  };
}

/** Adds a shard document's changes to a fold, or to anything else that adds them up, and its counts to the sums. */
export function addShard(fold: Pick<Fold, "add">, sums: ShardSums, data: Record<string, unknown>): void {
  const { slotEndMs, changes, unreadable, unusable, writes, retries } = readShard(data);
  for (const [score, delta] of changes) fold.add(score, delta);
  sums.changes += changes.length;
  sums.unreadable += unreadable;
  sums.unusable += unusable;
  sums.retries += retries;
  sums.newestSlotEndMs = Math.max(sums.newestSlotEndMs, slotEndMs);
  if (writes === undefined) return;
  sums.writes += writes;
  sums.writesOfSlot.set(slotEndMs, (sums.writesOfSlot.get(slotEndMs) ?? 0) + writes);
}

/** The sum of two parts. */
export function addSums(a: ShardSums, b: ShardSums): ShardSums {
  return {
    unusable: a.unusable + b.unusable,
    writes: a.writes + b.writes,
    retries: a.retries + b.retries,
    writesOfSlot: addWrites(a.writesOfSlot, b.writesOfSlot),
    changes: a.changes + b.changes,
    unreadable: a.unreadable + b.unreadable,
    newestSlotEndMs: Math.max(a.newestSlotEndMs, b.newestSlotEndMs),
  };
}

/** Writes to all shards together, by the end of their slot in milliseconds. */
export type WritesOfSlot = Map<number, number>;

/** The sum of the writes of two parts of a backlog. */
export function addWrites(a: WritesOfSlot, b: WritesOfSlot): WritesOfSlot {
  const sum = new Map(a);
  for (const [slot, writes] of b) sum.set(slot, (sum.get(slot) ?? 0) + writes);
  return sum;
}

/** Writes a second in the busiest slot. */
export function peakPerSecond(writesOfSlot: WritesOfSlot, slotMs: number): number {
  return (Math.max(0, ...writesOfSlot.values()) * 1_000) / slotMs;
}
