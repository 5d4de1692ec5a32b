/** Sorted sets in memory, for the formulas and the tests: the steps of entry-set-steps.ts, with what they would cost. */
import type { Bill } from "../contest/bill.ts";
import type { Entry, Truth } from "../contest/truth.ts";
import type { SetWrites } from "./entry-set-changes.ts";
import { rootPath, type SetNode, type SetRef, type SetShape, type Steps } from "./entry-set-steps.ts";

export interface MemorySets {
  /** Takes steps. Each document is read once. */
  take<Result>(steps: Steps<Result>): { result: Result; reads: number };
  /** @returns what the writes cost. */
  write(writes: SetWrites): Pick<Bill, "writes" | "deletes">;
  newPath: (collection: string) => string;
  nodes: Map<string, SetNode>;
}

/** How full the sets of a board are on which players have moved for long: half after a split, and full before one. */
const fill = 0.75;

/**
 * Sets that hold the players of a board; their entries are made when they are asked for. It is one function, as a read
 * makes the entries that the references made at the start promise.
 */
export function createMemorySets(start: Truth, { size, levels }: SetShape): MemorySets {
  const nodes = new Map<string, SetNode>();
  const perSet = Math.max(1, Math.floor(size * fill));
  const startOf = new Map<string, number>();
  let ids = 0;
  const newPath = (collection: string) => `${collection}/${++ids}`;

  function entriesFrom(from: number): Entry[] {
    const length = Math.min(perSet, start.players - from);
    return Array.from({ length }, (_, i) => ({ player: nameOf(from + i), score: start.scoreAt(from + i) }));
  }

  function read(path: string): SetNode | undefined {
    const from = startOf.get(path);
    if (from !== undefined && !nodes.has(path)) nodes.set(path, { entries: entriesFrom(from) });
    return nodes.get(path);
  }

  let refs: SetRef[] = [];
  for (let from = 0; from < start.players; from += perSet) {
    const path = newPath("entry_sets");
    startOf.set(path, from);
    const end = Math.min(from + perSet, start.players) - 1;
    const [lowest_score, lowest_player] = [start.scoreAt(end), nameOf(end)];
    refs.push({ path, length: end + 1 - from, lowest_score, lowest_player });
  }
  for (let level = 1; level < levels; level++) refs = grouped(refs, perSet, nodes, newPath);
  if (start.players > 0) nodes.set(rootPath, { refs });

  return {
    take(steps) {
      const seen = new Set<string>();
      let step = steps.next();
      while (!step.done) {
        seen.add(step.value);
        step = steps.next(read(step.value));
      }
      return { result: step.value, reads: seen.size };
    },
    write(writes) {
      const cost = { writes: 0, deletes: 0 };
      for (const [path, node] of writes) {
        if (node === undefined) nodes.delete(path);
        else nodes.set(path, node);
        cost[node === undefined ? "deletes" : "writes"] += 1;
      }
      return cost;
    },
    newPath,
    nodes,
  };
}

/** Manifests of these, and the refs to them. */
function grouped(
  refs: readonly SetRef[],
  size: number,
  nodes: Map<string, SetNode>,
  newPath: (collection: string) => string,
): SetRef[] {
  const manifests: SetRef[] = [];
  for (let i = 0; i < refs.length; i += size) {
    const members = refs.slice(i, i + size);
    const last = members.at(-1);
    if (last === undefined) break;
    const path = newPath("manifests");
    nodes.set(path, { refs: members });
    manifests.push({ ...last, path, length: members.reduce((sum, { length }) => sum + length, 0) });
  }
  return manifests;
}

/** A name for a player of whom only the index is known; their order is that of the indexes. */
function nameOf(index: number): string {
  return `~${String(index).padStart(12, "0")}`;
}
