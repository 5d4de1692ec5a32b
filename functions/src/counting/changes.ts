/** Changes of the index: by how many players each score has more or fewer. Pure. */
import type { Counted } from "../documents/mark.ts";

/** What a shard document holds. */
export interface ShardChanges {
  playerCount: Map<number, number>;
  /** Documents more or fewer that cannot be ranked. */
  unusable: number;
  /** Marks that changed: the number of changes, each of a player. */
  marks: number;
}

export function noShardChanges(): ShardChanges {
  return { playerCount: new Map(), unusable: 0, marks: 0 };
}

/** Notes that the index counts `after` for a player and no longer `before`. */
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

/** Adds to a score's count; a count that reaches zero goes. */
export function addCount(counts: Map<number, number>, score: number, delta: number): void {
  const sum = (counts.get(score) ?? 0) + delta;
  if (sum === 0) counts.delete(score);
  else counts.set(score, sum);
}
