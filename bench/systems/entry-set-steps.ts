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

/** What an operation writes; `undefined` deletes. */
export type SetWrites = Map<string, SetNode | undefined>;

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

/**
 * Takes a player's new score in and the old one out.
 * @param newPath of a document of a collection.
 */
export function* change(
  old: Entry | undefined,
  entry: Entry,
  shape: SetShape,
  newPath: (collection: string) => string,
): Steps<SetWrites> {
  const loaded = new Map<string, SetNode>();
  yield* load(loaded, entry, shape, newPath);
  if (old !== undefined) yield* load(loaded, old, shape, newPath);
  const before = new Map([...loaded].map(([path, node]) => [path, [...membersOf(node)]]));
  // The new one first, so that no set in use is empty meanwhile.
  insert(loaded, rootPath, entry, shape, newPath);
  if (old !== undefined) remove(loaded, rootPath, old);
  const writes: SetWrites = new Map();
  for (const [path, node] of loaded) {
    if (isSame(before.get(path), membersOf(node))) continue;
    writes.set(path, path === rootPath || membersOf(node).length > 0 ? node : undefined);
  }
  return writes;
}

/** Loads the manifests and the set where an entry belongs; what is missing on an empty board is made. */
function* load(
  loaded: Map<string, SetNode>,
  entry: Entry,
  { levels }: SetShape,
  newPath: (collection: string) => string,
): Steps<void> {
  let path = rootPath;
  for (let level = levels; level >= 0; level--) {
    const node: SetNode = loaded.get(path) ?? (yield path) ?? (level > 0 ? { refs: [] } : { entries: [] });
    loaded.set(path, node);
    if (node.refs === undefined) return;
    if (node.refs.length === 0) {
      const first = newPath(level > 1 ? "manifests" : "entry_sets");
      node.refs.push({ path: first, length: 0, lowest_score: entry.score, lowest_player: entry.player });
      loaded.set(first, level > 1 ? { refs: [] } : { entries: [] });
    }
    path = node.refs[setFor(node.refs, entry)]?.path ?? "";
  }
}

function insert(
  loaded: Map<string, SetNode>,
  path: string,
  entry: Entry,
  shape: SetShape,
  newPath: (collection: string) => string,
): void {
  const { refs, entries } = loaded.get(path) ?? {};
  if (refs === undefined) {
    const at = entries?.findIndex((other) => compare(other, entry) > 0) ?? -1;
    entries?.splice(at < 0 ? entries.length : at, 0, entry);
    return;
  }
  const at = setFor(refs, entry);
  const child = refs[at]?.path ?? "";
  insert(loaded, child, entry, shape, newPath);
  refs.splice(at, 1, ...split(loaded, child, shape.size, newPath));
}

/** The refs of a set or manifest, which becomes two if it is too large: two new ones in the source, one of them here. */
function split(
  loaded: Map<string, SetNode>,
  path: string,
  size: number,
  newPath: (collection: string) => string,
): SetRef[] {
  const { refs, entries } = loaded.get(path) ?? {};
  const members = refs ?? entries ?? [];
  if (members.length <= size) return [refTo(loaded, path)];
  const other = newPath(refs === undefined ? "entry_sets" : "manifests");
  const half = Math.ceil(members.length / 2);
  if (refs !== undefined) loaded.set(other, { refs: refs.splice(half) });
  else loaded.set(other, { entries: entries?.splice(half) ?? [] });
  return [refTo(loaded, path), refTo(loaded, other)];
}

function remove(loaded: Map<string, SetNode>, path: string, entry: Entry): void {
  const { refs, entries } = loaded.get(path) ?? {};
  if (refs === undefined) {
    const at = entries?.findIndex((other) => compare(other, entry) === 0) ?? -1;
    if (at >= 0) entries?.splice(at, 1);
    return;
  }
  const at = setFor(refs, entry);
  const child = refs[at]?.path ?? "";
  remove(loaded, child, entry);
  const ref = refTo(loaded, child);
  refs.splice(at, 1, ...(ref.length > 0 ? [ref] : []));
}

function refTo(loaded: Map<string, SetNode>, path: string): SetRef {
  const { refs, entries } = loaded.get(path) ?? {};
  const length = refs?.reduce((sum, ref) => sum + ref.length, 0) ?? entries?.length ?? 0;
  const lowest = refs?.at(-1);
  const last = entries?.at(-1);
  return {
    path,
    length,
    lowest_score: lowest?.lowest_score ?? last?.score ?? 0,
    lowest_player: lowest?.lowest_player ?? last?.player ?? "",
  };
}

function membersOf({ refs, entries }: SetNode): (SetRef | Entry)[] {
  return refs ?? entries ?? [];
}

function isSame(before: (SetRef | Entry)[] | undefined, after: (SetRef | Entry)[]): boolean {
  return before?.length === after.length && before.every((member, i) => isEqual(member, after[i]));
}

/** Refs are replaced, never changed, and so are entries. */
function isEqual(a: SetRef | Entry, b: SetRef | Entry | undefined): boolean {
  if (a === b || b === undefined || "player" in a || "player" in b) return a === b;
  return (
    a.path === b.path &&
    a.length === b.length &&
    a.lowest_score === b.lowest_score &&
    a.lowest_player === b.lowest_player
  );
}

/** The index of the first set whose lowest entry is not before this one, else the last. */
function setFor(refs: readonly SetRef[], entry: Entry): number {
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
