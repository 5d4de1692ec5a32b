/**
 * Documents in memory with Firestore's promises: a commit succeeds as a whole or not at all, each document keeps the
 * time of its last change as a version for preconditions, and a snapshot reads every document as of one moment.
 *
 * By default old versions are kept only while a snapshot may read them, so that a long simulation needs little memory:
 * the last few snapshots can be read again by their time. A store that keeps all can be read as of any time; Firestore
 * keeps an hour.
 */
import { isDeepStrictEqual } from "node:util";
import { Timestamp } from "../../functions/src/documents/firestore.ts";
import { grpc } from "../../functions/src/world/retryable.ts";
import type { Data } from "./fields.ts";
import { frozen } from "./values.ts";

/** A document at some moment; without `data` it was deleted. Frozen, so stored data cannot be changed. */
export interface Version {
  /** The commit that made it, counted from 1. */
  commit: number;
  data: Data | undefined;
  updateTime: Timestamp;
}

/** A document as a query finds it. */
export interface Found {
  path: string;
  id: string;
  data: Data;
  updateTime: Timestamp;
  /** When its current life began. */
  createTime: Timestamp;
}

/** The precondition of a write. */
export interface Guard {
  exists?: boolean;
  lastUpdateTime?: Timestamp | undefined;
}

/** One write of a commit: maps the old document to the new one; undefined stands for none. */
export interface Write {
  path: string;
  guard: Guard;
  apply: (before: Data | undefined, time: Timestamp) => Data | undefined;
}

/** A document that a commit changed. */
export interface Change {
  path: string;
  before: Data | undefined;
  after: Data | undefined;
  /** The time of the commit. */
  time: Timestamp;
}

/** A moment whose versions are kept until it is released. */
export interface Snapshot {
  commit: number;
  readTime: Timestamp;
}

export interface Store {
  /** A document as of a snapshot, by default now; undefined if there is none. */
  get(path: string, at?: Snapshot): Found | undefined;
  /** The documents of a collection, in no particular order. */
  list(collection: string, at?: Snapshot): Found[];
  /** The paths of all collections that ever held a document. */
  collections(): string[];
  /** A time after all past commits and before all future ones. */
  now(): Timestamp;
  /**
   * The present moment, or that of one of the last snapshots, or in a store that keeps all any other moment.
   * @throws `failedPrecondition` if that is too long ago.
   */
  snapshot(readTime?: Timestamp): Snapshot;
  release(snapshot: Snapshot): void;
  /** Whether nothing was committed since a snapshot. */
  isPresent(snapshot: Snapshot): boolean;
  /** The snapshot of a time, if it can still be read. */
  kept(readTime: Timestamp): Snapshot | undefined;
  /** @throws an error with a gRPC code if a guard fails; then nothing has changed. */
  commit(writes: readonly Write[]): Change[];
  /** Calls a function after each commit that changed something. */
  observe(observer: (changes: readonly Change[]) => void): void;
}

/** How many snapshots can still be read by their time when nobody is reading them. */
const snapshotsKept = 64;

/** An error as the Firestore client throws it: "5 NOT_FOUND: no document to update". */
export function grpcError(code: keyof typeof grpc, message: string): Error & { code: number } {
  const name = code.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
  return Object.assign(new Error(`${grpc[code]} ${name}: ${message}`), { code: grpc[code] });
}

/** If a commit breaks a guard by one of its own earlier writes, that is an invalid argument, whatever is stored. */
function checkItself(path: string, { exists }: Guard, data: Data | undefined): void {
  if (exists === undefined || exists === (data !== undefined)) return;
  throw grpcError("invalidArgument", `${path} was written before, in the same commit`);
}

interface Stored {
  path: string;
  id: string;
  createTime: Timestamp;
  versions: Version[];
  /** What a query finds now. */
  present: Found | undefined;
}

/**
 * An empty store. It is one function, as all of it works on the versions of documents and on who still reads them.
 * @param nowMs the database's own clock, in milliseconds since 1970.
 * @param keepsAll whether each version can be read for ever.
 */
export function createStore(nowMs: () => number, keepsAll = false): Store {
  const collections = new Map<string, Map<string, Stored>>();
  /** Each with its number of readers. */
  const snapshots = new Map<Snapshot, number>();
  const observers: ((changes: readonly Change[]) => void)[] = [];
  let commits = 0;
  let lastMicros = 0;
  let sinceCleaning = 0;
  /** In a store that keeps all, the time of each commit, in microseconds. */
  const times: number[] = [];

  /** Strictly rising, as commit times are. */
  function nextTime(): Timestamp {
    lastMicros = Math.max(lastMicros + 1, Math.floor(nowMs() * 1_000));
    return new Timestamp(Math.floor(lastMicros / 1_000_000), (lastMicros % 1_000_000) * 1_000);
  }

  /** The number of commits up to a time. */
  function commitsBy({ seconds, nanoseconds }: Timestamp): number {
    const micros = seconds * 1_000_000 + Math.floor(nanoseconds / 1_000);
    return times.findLastIndex((time) => time <= micros) + 1;
  }

  function find(path: string): Stored | undefined {
    return collections.get(parentOf(path))?.get(path);
  }

  function put(path: string, version: Version): void {
    const parent = parentOf(path);
    let documents = collections.get(parent);
    if (documents === undefined) collections.set(parent, (documents = new Map<string, Stored>()));
    const { updateTime: createTime } = version;
    const stored = documents.get(path) ?? {
      path,
      id: path.slice(parent.length + 1),
      createTime,
      versions: [],
      present: undefined,
    };
    if (stored.present === undefined) stored.createTime = createTime;
    if (keepsAll) stored.versions.push(version);
    else stored.versions = [...kept(stored.versions), version];
    stored.present = foundOf(stored, version);
    if (version.data === undefined && snapshots.size === 0 && !keepsAll) documents.delete(path);
    else documents.set(path, stored);
  }

  function oldestCommit(): number {
    let oldest = Infinity;
    for (const { commit } of snapshots.keys()) oldest = Math.min(oldest, commit);
    return oldest;
  }

  /** The versions that an open snapshot can still ask for. */
  function kept(versions: Version[]): Version[] {
    const oldest = oldestCommit();
    if (oldest === Infinity) return [];
    const first = versions.findLastIndex(({ commit }) => commit <= oldest);
    return first <= 0 ? versions : versions.slice(first);
  }

  function dropOldest(): void {
    for (const [snapshot, readers] of snapshots) {
      if (snapshots.size <= snapshotsKept) break;
      if (readers === 0) snapshots.delete(snapshot);
    }
    sinceCleaning += 1;
    if (sinceCleaning % snapshotsKept === 0) dropDeleted();
  }

  function dropDeleted(): void {
    const oldest = oldestCommit();
    for (const documents of collections.values())
      for (const [path, { versions }] of documents) {
        const last = versions.at(-1);
        if (last?.data === undefined && (last?.commit ?? 0) <= oldest) documents.delete(path);
      }
  }

  return {
    get(path, at) {
      const stored = find(path);
      return stored && foundIn(stored, at);
    },
    list(collection, at) {
      const found: Found[] = [];
      for (const stored of collections.get(collection)?.values() ?? []) {
        const document = foundIn(stored, at);
        if (document !== undefined) found.push(document);
      }
      return found;
    },
    collections: () => [...collections.keys()],
    now: nextTime,
    snapshot(readTime) {
      if (keepsAll)
        return readTime === undefined
          ? { commit: commits, readTime: nextTime() }
          : { commit: commitsBy(readTime), readTime };
      const snapshot =
        readTime === undefined ? { commit: commits, readTime: nextTime() } : this.kept(readTime);
      if (snapshot === undefined) throw grpcError("failedPrecondition", "the read time is too old");
      snapshots.set(snapshot, (snapshots.get(snapshot) ?? 0) + 1);
      return snapshot;
    },
    kept: (readTime) => [...snapshots.keys()].find((one) => one.readTime.isEqual(readTime)),
    release(snapshot) {
      if (keepsAll) return;
      snapshots.set(snapshot, (snapshots.get(snapshot) ?? 1) - 1);
      if (snapshots.size > snapshotsKept) dropOldest();
    },
    isPresent: ({ commit }) => commit === commits,
    commit(writes) {
      const time = nextTime();
      const next = new Map<string, Data | undefined>();
      for (const { path, guard, apply } of writes) {
        const before = find(path)?.versions.at(-1);
        const present = next.has(path) ? next.get(path) : before?.data;
        if (next.has(path)) checkItself(path, guard, present);
        check(path, guard, present, before?.updateTime);
        const after = apply(present, time);
        next.set(path, after === undefined ? undefined : frozen(after));
      }
      commits += 1;
      if (keepsAll) times.push(lastMicros);
      const changes: Change[] = [];
      for (const [path, after] of next) {
        const before = find(path)?.versions.at(-1)?.data;
        // A write that changes nothing leaves the document's time unchanged, and causes no event.
        if (isDeepStrictEqual(before, after)) continue;
        put(path, { commit: commits, data: after, updateTime: time });
        changes.push({ path, before, after, time });
      }
      if (changes.length > 0) for (const observer of observers) observer(changes);
      return changes;
    },
    observe: (observer) => void observers.push(observer),
  };
}

/** The path of the collection that holds a document. */
export function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

function foundIn(stored: Stored, at: Snapshot | undefined): Found | undefined {
  if (at === undefined) return stored.present;
  return foundOf(
    stored,
    stored.versions.findLast(({ commit }) => commit <= at.commit),
  );
}

function foundOf({ path, id, createTime }: Stored, version: Version | undefined): Found | undefined {
  if (version?.data === undefined) return undefined;
  return { path, id, data: version.data, updateTime: version.updateTime, createTime };
}

function check(path: string, guard: Guard, data: Data | undefined, updateTime: Timestamp | undefined): void {
  const exists = data !== undefined;
  if (guard.exists === false && exists) throw grpcError("alreadyExists", `${path} exists`);
  if (guard.exists === true && !exists) throw grpcError("notFound", `no document to update: ${path}`);
  const { lastUpdateTime: wanted } = guard;
  if (wanted === undefined) return;
  if (!exists) throw grpcError("notFound", `no document to update: ${path}`);
  if (updateTime?.isEqual(wanted) !== true)
    throw grpcError("failedPrecondition", `${path} was changed meanwhile`);
}
