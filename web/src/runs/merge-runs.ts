/** Lists of runs put together. Pure. */
import type { Run } from "../data/documents.ts";

/** The runs of a live list and of one that was read before, each once, as the live one has it; the last first. */
export function merged(live: readonly Run[], read: readonly Run[]): Run[] {
  const byId = new Map([...read, ...live].map((run) => [run.id, run]));
  return [...byId.values()].toSorted((a, b) => startOf(b) - startOf(a));
}

function startOf({ record }: Run): number {
  return record?.started_at.toMillis() ?? 0;
}
