/** Shard documents: adding them up, where to search for them, and the shard documents that a run writes itself. Pure. */
import { changeBytes } from "../counting/changes.ts";
import { Timestamp } from "../documents/firestore.ts";
import type { Page } from "../documents/page.ts";
import { type MarkChange, readShard, type ShardContent, type ShardFields } from "../documents/shard.ts";
import { changesPerShardMax, shardBytesMax, stragglerGenerations } from "../model/limits.ts";
import type { Order } from "../model/score.ts";
import { createMarkFold } from "./ranked.ts";

/** The sums of some shard documents, besides the players of each mark. */
export interface ShardSums {
  /** How many players' documents more cannot be ranked; below 0 if fewer. */
  unusable: number;
  /** How many changes of players' marks the documents sum up. */
  marks: number;
  /** Marks that have changed; one that is in several documents counts several times. */
  changes: number;
  /** Ignored entries: keys that are not a mark, or counts that are not a whole number. */
  unreadable: number;
  /** When the first and the last of the slots end; `Infinity` and 0 without documents. */
  oldestSlotEndMs: number;
  newestSlotEndMs: number;
}

export function noSums(): ShardSums {
  return { unusable: 0, marks: 0, changes: 0, unreadable: 0, oldestSlotEndMs: Infinity, newestSlotEndMs: 0 };
}

/**
 * Adds up what is pending: its changes, its other sums, and how many documents it is in. Memory: that of the changes.
 * @param chunks shard documents, as they are read.
 */
export async function foldPending(
  order: Order,
  chunks: AsyncIterable<readonly ShardDocument[]> | Iterable<readonly ShardDocument[]>,
) {
  const fold = createMarkFold(order);
  const sums = noSums();
  let shards = 0;
  for await (const chunk of chunks) {
    for (const document of chunk) {
      const shard = readShard(document.data());
      for (const { mark, delta } of shard.changes) fold.add(mark, delta);
      addSums(sums, sumsOf(shard));
    }
    shards += chunk.length;
  }
  return { pending: fold.changes(), sums, shards };
}

interface ShardDocument {
  data(): Record<string, unknown>;
}

/** The sums of one shard document. */
function sumsOf({ slotEndMs, changes, unreadable, unusable, marks }: ShardContent): ShardSums {
  const slotEnds = { oldestSlotEndMs: slotEndMs, newestSlotEndMs: slotEndMs };
  return { changes: changes.length, unreadable, unusable, marks, ...slotEnds };
}

export function addSums(sums: ShardSums, others: ShardSums): void {
  sums.changes += others.changes;
  sums.unreadable += others.unreadable;
  sums.unusable += others.unusable;
  sums.marks += others.marks;
  sums.oldestSlotEndMs = Math.min(sums.oldestSlotEndMs, others.oldestSlotEndMs);
  sums.newestSlotEndMs = Math.max(sums.newestSlotEndMs, others.newestSlotEndMs);
}

/** What some shard documents of one slot change together. */
export interface SlotChanges {
  slotEndMs: number;
  /** By the key of the mark; what adds up to 0 is left out. */
  changes: Map<string, MarkChange>;
  sums: ShardSums;
}

export function noChanges(slotEndMs: number): SlotChanges {
  return { slotEndMs, changes: new Map(), sums: noSums() };
}

export function addShard({ changes, sums }: SlotChanges, shard: ShardContent): void {
  for (const change of shard.changes) {
    const delta = (changes.get(change.field)?.delta ?? 0) + change.delta;
    if (delta === 0) changes.delete(change.field);
    else changes.set(change.field, { ...change, delta });
  }
  addSums(sums, sumsOf(shard));
}

/**
 * The fields of documents with these changes, at most 6,000 each, or as many as fit; none if there are no changes.
 * @param sign -1 for the changes that undo them.
 */
export function shardDocuments({ slotEndMs, changes, sums }: SlotChanges, sign: 1 | -1 = 1): ShardFields[] {
  const slot = { slot_ends_at: Timestamp.fromMillis(slotEndMs) };
  const documents: ShardFields[] = [];
  let counts: [field: string, delta: number][] = [];
  let bytes = 0;
  function endDocument(): void {
    if (counts.length > 0) documents.push({ ...slot, player_count: Object.fromEntries(counts) });
    counts = [];
    bytes = 0;
  }
  for (const { field, delta } of changes.values()) {
    const added = changeBytes([field]);
    if (counts.length === changesPerShardMax || bytes + added > shardBytesMax) endDocument();
    counts.push([field, sign * delta]);
    bytes += added;
  }
  endDocument();
  if (sums.unusable === 0 && sums.marks === 0) return documents;
  // The first document has the other sums too.
  const first: ShardFields = documents[0] ?? slot;
  if (sums.unusable !== 0) first.unusable = sign * sums.unusable;
  if (sums.marks !== 0) first.marks = sign * sums.marks;
  documents[0] = first;
  return documents;
}

/**
 * Where to search for shards after a generation: where that generation ended. No change can have been added to an older
 * slot since, and the query need not pass the index entries of thousands of deleted documents. Now and then it is the very
 * beginning (null), in case there is something that Firerank did not write.
 */
export function shardsFromOf(generation: number, from: Timestamp | null | undefined): Timestamp | null {
  return generation % stragglerGenerations === 0 ? null : (from ?? null);
}

/**
 * Where to search: the earlier of what page 0 says (without a page the very beginning) and what the caller remembers.
 * Memory may only make a search longer. It may be from before a repair, which has subtracted all shards, or before a
 * restore from a backup: then changes are pending before the remembered time, and would be left out.
 */
export function searchFrom(
  page: Pick<Page, "generation" | "shards_from"> | undefined,
  remembered: Timestamp | null,
): Timestamp | null {
  if (page === undefined || remembered === null) return null;
  const published = shardsFromOf(page.generation, page.shards_from);
  return published === null || published < remembered ? published : remembered;
}
