/**
 * Massive distributed sorted sets: players, best first, in sets of up to a size, and manifests that name the sets in
 * order, each with its length and its lowest score. A manifest of manifests goes a level further.
 *
 * Example with sets of 3 and one level: the manifest {a: 3 players, lowest 80; b: 2 players, lowest 10} ranks a score
 * of 40 in set b: 3 players of set a are before it, and those in b that are better.
 *
 * The source has no player whose score changes. For these, a manifest also has the lowest player of each set, so that
 * among equal scores one set can hold a player; and a set without players is deleted.
 *
 * Each operation is a generator that yields the path of a document and gets its content. So the same code runs on
 * Firestore and in memory.
 */
import type { Entry } from "../contest/truth.ts";

/** A set or, further up, a manifest of them. */
export interface SetRef {
  path: string;
  length: number;
  lowest_score: number;
  lowest_player: string;
}

/** A document: a manifest has `refs`, a set `entries`. Both are best first. */
export interface SetNode {
  refs?: SetRef[];
  entries?: Entry[];
}

export type Steps<Result> = Generator<string, Result, SetNode | undefined>;

export interface SetShape {
  /** The most players of a set, and sets of a manifest below the first. */
  size: number;
  /** Manifests above a set: 1, or 2 with a manifest of manifests. */
  levels: number;
}

export const rootPath = "manifests/root";

/** How many players have a better score: a read for each level and one for the set. */
export function* playersAbove(score: number): Steps<number> {
  // No player has an empty id, so this is before all with the same score.
  return yield* indexOf({ score, player: "" });
}

/** How many entries come before this one. */
export function* indexOf(entry: Entry): Steps<number> {
  let before = 0;
  let node = yield rootPath;
  while (node?.refs !== undefined) {
    const at = setFor(node.refs, entry);
    before += node.refs.slice(0, at).reduce((sum, { length }) => sum + length, 0);
    const next = node.refs[at];
    if (next === undefined) return before;
    node = yield next.path;
  }
  const entries = node?.entries ?? [];
  const at = entries.findIndex((other) => compare(other, entry) >= 0);
  return before + (at < 0 ? entries.length : at);
}

/** Entries from an index on: a read for each manifest and set that holds some of them. */
export function* pageOf(from: number, size: number, path = rootPath): Steps<Entry[]> {
  const { refs, entries } = (yield path) ?? {};
  if (refs === undefined) return entries?.slice(Math.max(0, from), Math.max(0, from + size)) ?? [];
  const found: Entry[] = [];
  let start = 0;
  for (const ref of refs) {
    if (start + ref.length > from && start < from + size)
      found.push(...(yield* pageOf(from - start, size, ref.path)));
    start += ref.length;
  }
  return found;
}

/** The entries around one. */
export function* aroundOf(entry: Entry, before: number, after: number): Steps<Entry[]> {
  const index = yield* indexOf(entry);
  const from = Math.max(0, index - before);
  return yield* pageOf(from, index + after + 1 - from);
}

/** The index of the first set whose lowest entry is not before this one, else the last. */
export function setFor(refs: readonly SetRef[], entry: Entry): number {
  let low = 0;
  let high = Math.max(0, refs.length - 1);
  while (low < high) {
    const middle = (low + high) >>> 1;
    const { lowest_score: score = NaN, lowest_player: player = "" } = refs[middle] ?? {};
    if (compare({ score, player }, entry) >= 0) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Below 0 if `a` comes first: by score, the best first, then by player. */
export function compare(a: Entry, b: Entry): number {
  return b.score - a.score || (a.player < b.player ? -1 : a.player > b.player ? 1 : 0);
}
