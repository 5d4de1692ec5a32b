/** Lists of runs put together. Pure. */
import type { Run } from "../data/documents.ts";

/** The runs of a live list and of one that was read before, each once, as the live one has it; the last first. */
export function merged(live: readonly Run[], read: readonly Run[]): Run[] {
  const byId = new Map([...read, ...live].map((run) => [run.id, run]));
  return [...byId.values()].toSorted((a, b) => startOf(b) - startOf(a));
}

/** The runs of a list, those that another list knows as that one has them. */
export function asIn(known: readonly Run[], runs: readonly Run[]): Run[] {
  const byId = new Map(known.map((run) => [run.id, run]));
  return runs.map((run) => byId.get(run.id) ?? run);
}

/**
 * Whether runs may have passed unseen between two states of a live list: it is full, and holds none of those that it
 * held before. A tab that slept finds it so.
 * @param limit how many runs the live list holds at most.
 */
export function hasGap(before: readonly Run[], live: readonly Run[], limit: number): boolean {
  if (before.length === 0 || live.length < limit) return false;
  const ids = new Set(before.map(({ id }) => id));
  return !live.some(({ id }) => ids.has(id));
}

function startOf({ record }: Run): number {
  return record?.started_at.toMillis() ?? 0;
}
