/** Changes of the index: of each mark, how many players more or fewer have it. Pure. */
import type { Counted } from "../documents/mark.ts";

/** What a shard document holds. */
export interface ShardChanges {
  /** By the key of the mark. */
  playerCount: Map<string, number>;
  /** Documents more or fewer that cannot be ranked. */
  unusable: number;
  /** Marks that changed: the number of changes, each of a player. */
  marks: number;
}

export function noShardChanges(): ShardChanges {
  return { playerCount: new Map(), unusable: 0, marks: 0 };
}

export function change(changes: ShardChanges, before: Counted, after: Counted): void {
  if (before === after) return;
  changes.marks += 1;
  for (const [counted, delta] of [
    [before, -1],
    [after, 1],
  ] as const)
    if (counted === "unusable") changes.unusable += delta;
    else if (counted !== undefined) addCount(changes.playerCount, counted, delta);
}

/** Adds to a mark's count; a count that reaches zero goes. */
function addCount(counts: Map<string, number>, field: string, delta: number): void {
  const sum = (counts.get(field) ?? 0) + delta;
  if (sum === 0) counts.delete(field);
  else counts.set(field, sum);
}

/** Bytes that changes add to a shard document: each key with its end, and 8 for the count. */
export function changeBytes(fields: Iterable<string>): number {
  return Array.from(fields).reduce((sum, { length }) => sum + length + 1 + 8, 0);
}
