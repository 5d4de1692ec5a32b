/** Shard documents that a run writes itself: joined ones, and ones that reverse what it took from others. Pure. */
import { Timestamp } from "../documents/firestore.ts";
import type { ShardFields } from "../documents/shard.ts";
import { changesPerShardMax } from "../model/limits.ts";
import { scoreToField } from "../model/score.ts";
import type { Fold } from "./fold.ts";
import { addShard, noSums, type ShardSums } from "./shard-sums.ts";

/** The sum of some shard documents of one slot. */
export interface SlotChanges {
  slotEndMs: number;
  playerCount: Map<number, number>;
  sums: ShardSums;
}

export function noChanges(slotEndMs: number): SlotChanges {
  return { slotEndMs, playerCount: new Map(), sums: noSums() };
}

/** Adds the contents of a shard document. */
export function addDocument({ playerCount, sums }: SlotChanges, data: Record<string, unknown>): void {
  const counts: Pick<Fold, "add"> = {
    add(score, delta) {
      const sum = (playerCount.get(score) ?? 0) + delta;
      if (sum === 0) playerCount.delete(score);
      else playerCount.set(score, sum);
    },
  };
  addShard(counts, sums, data);
}

/** The fields of documents with these changes, at most 6,000 scores each; none if there are no changes. */
export function shardDocuments({ slotEndMs, playerCount, sums }: SlotChanges): ShardFields[] {
  const counts = [...playerCount].map(([score, delta]) => [scoreToField(score), delta] as const);
  const documents: ShardFields[] = [];
  for (let i = 0; i < counts.length; i += changesPerShardMax) {
    const some = counts.slice(i, i + changesPerShardMax);
    documents.push({ slot_ends_at: Timestamp.fromMillis(slotEndMs), player_count: Object.fromEntries(some) });
  }
  const { unusable, marks } = sums;
  const others = Object.entries({ unusable, marks }).filter(([, count]) => count !== 0);
  if (others.length === 0) return documents;
  const [first = { slot_ends_at: Timestamp.fromMillis(slotEndMs) }, ...rest] = documents;
  return [{ ...first, ...Object.fromEntries(others) }, ...rest];
}

/** The changes that undo others. */
export function takenBack({ slotEndMs, playerCount, sums }: SlotChanges): SlotChanges {
  return {
    slotEndMs,
    playerCount: new Map([...playerCount].map(([score, delta]) => [score, -delta])),
    sums: { ...sums, unusable: -sums.unusable, marks: -sums.marks },
  };
}
