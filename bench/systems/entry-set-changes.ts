/** How a player moves between the sets of entry-set-steps.ts: what has to be read, and what is written then. */
import type { Entry } from "../contest/truth.ts";
import {
  compare,
  rootPath,
  setFor,
  type SetNode,
  type SetRef,
  type SetShape,
  type Steps,
} from "./entry-set-steps.ts";

/** What an operation writes; `undefined` deletes. */
export type SetWrites = Map<string, SetNode | undefined>;

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
