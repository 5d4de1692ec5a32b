/**
 * What the inverted index must change so that it counts a player as it should. Pure and level-triggered: it
 * compares the player's document with what is counted for that player and believes no event, so that an event
 * which is late, doubled or out of order changes nothing.
 */
import { z } from "zod";
import type { Standing } from "../documents/standing.ts";

/** `index_entries/{player}`: what the index counts for a player. `score` is null where the player's is unusable. */
export interface IndexEntry {
  score: number | null;
  /** Why the score cannot be ranked; only with a null score. */
  unusable?: string;
}

const storedEntry = z.object({ score: z.number().nullable(), unusable: z.string().optional() });

/** Reads an index entry. @throws if it is none, which only a hand-made document can cause. */
export function readEntry(data: Record<string, unknown> | undefined): IndexEntry | undefined {
  if (data === undefined) return undefined;
  const { score, unusable } = storedEntry.parse(data);
  return unusable === undefined ? { score } : { score, unusable };
}

/** Changes to one shard document: players gained (or lost) at each score, and documents that cannot be ranked. */
export interface ShardChanges {
  playerCount: Map<number, number>;
  unusable: number;
}

/** A player's next index entry (null: none) and the changes that keep rows + shards equal to all entries. */
export interface IndexingPlan {
  entry: IndexEntry | null;
  changes: ShardChanges;
}

/**
 * Plans one player's indexing.
 * @returns nothing where index and player agree.
 */
export function planIndexing(standing: Standing, entry: IndexEntry | undefined): IndexingPlan | undefined {
  const next = entryOf(standing);
  if (next?.score === entry?.score && next?.unusable === entry?.unusable) return undefined;
  const changes: ShardChanges = { playerCount: new Map(), unusable: 0 };
  count(changes, entry, -1);
  count(changes, next, 1);
  return { entry: next ?? null, changes };
}

/** Adds `more` to `sum`; counts that reach zero leave no trace. */
export function addChanges(sum: ShardChanges, more: ShardChanges): void {
  for (const [score, delta] of more.playerCount) addCount(sum.playerCount, score, delta);
  sum.unusable += more.unusable;
}

function entryOf(standing: Standing): IndexEntry | undefined {
  if (standing === undefined) return undefined;
  return "score" in standing ? { score: standing.score } : { score: null, unusable: standing.unusable };
}

function count(changes: ShardChanges, entry: IndexEntry | undefined, delta: number): void {
  if (entry === undefined) return;
  if (entry.score === null) changes.unusable += delta;
  else addCount(changes.playerCount, entry.score, delta);
}

function addCount(counts: Map<number, number>, score: number, delta: number): void {
  const sum = (counts.get(score) ?? 0) + delta;
  if (sum === 0) counts.delete(score);
  else counts.set(score, sum);
}
