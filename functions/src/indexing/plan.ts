/**
 * How the inverted index must change to count a player correctly. Pure and level-triggered: it compares the player's
 * document with what is counted for that player and ignores what the event says. So an event that is late, duplicated
 * or out of order changes nothing.
 */
import type { IndexEntry } from "../documents/index-entry.ts";
import type { RankedScore } from "../documents/ranked-score.ts";

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
 * @returns undefined where index and player agree.
 */
export function planIndexing(ranked: RankedScore, entry: IndexEntry | undefined): IndexingPlan | undefined {
  const next = entryOf(ranked);
  if (next?.score === entry?.score && next?.unusable === entry?.unusable) return undefined;
  const changes: ShardChanges = { playerCount: new Map(), unusable: 0 };
  count(changes, entry, -1);
  count(changes, next, 1);
  return { entry: next ?? null, changes };
}

/** Adds `more` to `sum`; counts that reach zero are removed. */
export function addChanges(sum: ShardChanges, more: ShardChanges): void {
  for (const [score, delta] of more.playerCount) addCount(sum.playerCount, score, delta);
  sum.unusable += more.unusable;
}

function entryOf(ranked: RankedScore): IndexEntry | undefined {
  if (ranked === undefined) return undefined;
  return "score" in ranked ? { score: ranked.score } : { score: null, unusable: ranked.unusable };
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
