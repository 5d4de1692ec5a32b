/** Lists of runs put together. Pure. */
import type { Run } from "../data/documents.ts";

/** The runs of a live list and of one that was read earlier, each once, in the live version; the last first. */
export function merged(live: readonly Run[], read: readonly Run[]): Run[] {
  const byId = new Map([...read, ...live].map((run) => [run.id, run]));
  return [...byId.values()].toSorted((a, b) => startOf(b) - startOf(a));
}

/** The runs of a list, replaced by another list's version if it has one. */
export function asIn(known: readonly Run[], runs: readonly Run[]): Run[] {
  const byId = new Map(known.map((run) => [run.id, run]));
  return runs.map((run) => byId.get(run.id) ?? run);
}

/**
 * Whether runs may have been missed between two states of a live list: it is full, and has none of its earlier runs.
 * This happens in a tab that slept.
 * @param limit the most runs that the live list holds.
 */
export function hasGap(before: readonly Run[], live: readonly Run[], limit: number): boolean {
  if (before.length === 0 || live.length < limit) return false;
  const ids = new Set(before.map(({ id }) => id));
  return !live.some(({ id }) => ids.has(id));
}

function startOf({ record }: Run): number {
  return record?.started_at.toMillis() ?? 0;
}
