/**
 * Documents in memory with Firestore's promises: a commit succeeds as a whole or not at all, each document keeps the
 * time of its last change as a version for preconditions, and every document can be read as of one past moment.
 */
import { isDeepStrictEqual } from "node:util";
import { Timestamp } from "../../functions/src/documents/firestore.ts";
import { grpc } from "../../functions/src/world/retryable.ts";
import { frozen } from "./values.ts";

/** The fields of a document. */
export type Data = Readonly<Record<string, unknown>>;

/** A document at some moment; without `data` it was deleted. Frozen, so stored data cannot be changed. */
interface Version {
  data: Data | undefined;
  /** Of its commit. */
  micros: number;
  updateTime: Timestamp;
  createTime: Timestamp;
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
  apply: (before: Data | undefined) => Data | undefined;
}

/** A document that a commit changed. */
export interface Change {
  path: string;
  /** The document before, and its fields. */
  was: Found | undefined;
  before: Data | undefined;
  after: Data | undefined;
  /** The time of the commit. */
  time: Timestamp;
}

export type Store = ReturnType<typeof createStore>;
/** What checks of what is stored read. */
export type Documents = Pick<Store, "get" | "list">;

/** An error as the Firestore client throws it: "5 NOT_FOUND: no document to update". */
export function grpcError(code: keyof typeof grpc, message: string): Error & { code: number } {
  const name = code.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
  return Object.assign(new Error(`${grpc[code]} ${name}: ${message}`), { code: grpc[code] });
}

/** What a commit makes of a document, after some of its writes. */
interface Next {
  data: Data | undefined;
  /** Whether it was deleted in between: then what comes after is another document. */
  isNew: boolean;
  /** The guard of the first write. */
  first: Guard;
}

/**
 * If a commit breaks a guard by one of its own earlier writes, that is an invalid argument, whatever is stored. So is a
 * version wanted by a later write and not by the first one.
 */
function checkItself(path: string, { exists, lastUpdateTime }: Guard, { data, first }: Next): void {
  if (exists !== undefined && exists !== (data !== undefined))
    throw grpcError("invalidArgument", `${path} was written before, in the same commit`);
  if (lastUpdateTime === undefined || first.lastUpdateTime?.isEqual(lastUpdateTime) === true) return;
  throw grpcError("invalidArgument", "Cannot collapse mutations with different version preconditions");
}

/** A document, and its versions that can be read, the newest last. */
interface Stored {
  path: string;
  id: string;
  versions: Version[];
  /** What a query finds now. */
  present: Found | undefined;
}

/** Commits from one removal of deleted documents to the next. */
const commitsPerCleaning = 64;

/**
 * An empty store. It is one function, as all of it works on the versions of documents.
 * @param nowMs the database's own clock, in milliseconds since 1970.
 * @param keptMs for how long past moments are kept.
 */
export function createStore(nowMs: () => number, keptMs = Infinity) {
  const collections = new Map<string, Map<string, Stored>>();
  /** The paths of collections by the last part of their names. */
  const groups = new Map<string, Set<string>>();
  /** Documents in the order of their deletions. */
  const deleted: { stored: Stored; micros: number }[] = [];
  const observers: ((changes: readonly Change[]) => void)[] = [];
  let commits = 0;
  let lastMicros = 0;

  /** Strictly rising, as commit times are. */
  function nextTime(): Timestamp {
    lastMicros = Math.max(lastMicros + 1, Math.floor(nowMs() * 1_000));
    return timeOf(lastMicros);
  }

  const oldest = () => lastMicros - keptMs * 1_000;

  function find(path: string): Stored | undefined {
    return collections.get(parentOf(path))?.get(path);
  }

  function put(path: string, { data, isNew }: Next, time: Timestamp): void {
    const parent = parentOf(path);
    const documents = collections.get(parent) ?? newCollection(parent);
    const id = path.slice(parent.length + 1);
    const stored = documents.get(path) ?? { path, id, versions: [], present: undefined };
    documents.set(path, stored);
    if (keptMs < Infinity) {
      const first = stored.versions.findLastIndex(({ micros }) => micros <= oldest());
      if (first > 0) stored.versions.splice(0, first);
    }
    const createTime = (isNew ? undefined : stored.present?.createTime) ?? time;
    const version = { data, micros: microsOf(time), updateTime: time, createTime };
    stored.versions.push(version);
    stored.present = foundOf(stored, version);
    if (data === undefined && keptMs < Infinity) deleted.push({ stored, micros: version.micros });
  }

  function newCollection(path: string): Map<string, Stored> {
    const documents = new Map<string, Stored>();
    collections.set(path, documents);
    const name = path.slice(path.lastIndexOf("/") + 1);
    groups.set(name, (groups.get(name) ?? new Set()).add(path));
    return documents;
  }

  /** Removes documents whose deletion is older than what can be read, and that nobody has written since. */
  function removeDeleted(): void {
    const younger = deleted.findIndex(({ micros }) => micros > oldest());
    for (const { stored, micros } of deleted.splice(0, younger === -1 ? deleted.length : younger))
      if (stored.versions.at(-1)?.micros === micros)
        collections.get(parentOf(stored.path))?.delete(stored.path);
  }

  return {
    /** A document as of a time, by default now; undefined if there is none. */
    get(path: string, at?: Timestamp): Found | undefined {
      const stored = find(path);
      return stored && foundIn(stored, at && microsOf(at));
    },
    /** The documents of a collection, in no particular order; as of a time, by default now. */
    list(collection: string, at?: Timestamp): Found[] {
      const found: Found[] = [];
      const micros = at && microsOf(at);
      for (const stored of collections.get(collection)?.values() ?? []) {
        const document = foundIn(stored, micros);
        if (document !== undefined) found.push(document);
      }
      return found;
    },
    /** What a document was at a time and has become since; undefined if that is too long ago. */
    history(path: string, since: Timestamp): (Data | undefined)[] | undefined {
      const micros = microsOf(since);
      if (micros < oldest()) return undefined;
      const { versions } = find(path) ?? { versions: [] };
      const later = versions.filter((version) => version.micros > micros);
      const [before] = versions.slice(0, versions.length - later.length).slice(-1);
      return [before?.data, ...later.map(({ data }) => data)];
    },
    /** The paths of all collections that ever held a document, or of those with this last part of the name. */
    collections: (name?: string) => [...(name === undefined ? collections.keys() : (groups.get(name) ?? []))],
    /** A time after all past commits and before all future ones. */
    now: nextTime,
    /** The whole millisecond before that, as `serverTimestamp` is told. */
    nowMs: () => Math.ceil(microsOf(nextTime()) / 1_000) - 1,
    /** Whether a time is recent enough to be read. */
    isKept: (at: Timestamp) => microsOf(at) >= oldest(),
    /** @throws an error with a gRPC code if a guard fails; then nothing has changed. */
    commit(writes: readonly Write[]): Change[] {
      const time = nextTime();
      const next = new Map<string, Next>();
      let refusal: Error | undefined;
      for (const { path, guard, apply } of writes) {
        const before = find(path)?.present;
        const earlier = next.get(path);
        const present = earlier === undefined ? before?.data : earlier.data;
        // A commit that contradicts itself is told so, also where what is stored contradicts it, too.
        if (earlier === undefined) refusal ??= refusalOf(path, guard, before);
        else checkItself(path, guard, earlier);
        const after = apply(present);
        const data = after === undefined ? undefined : frozen(after);
        next.set(path, {
          data,
          isNew: earlier?.isNew === true || after === undefined,
          first: earlier?.first ?? guard,
        });
      }
      if (refusal !== undefined) throw refusal;
      commits += 1;
      const changes: Change[] = [];
      for (const [path, made] of next) {
        const was = find(path)?.present;
        const [before, after] = [was?.data, made.data];
        // A write that changes nothing leaves the document's time unchanged, and causes no event.
        if (isDeepStrictEqual(before, after) && !(made.isNew && after !== undefined)) continue;
        put(path, made, time);
        changes.push({ path, was, before, after, time });
      }
      if (keptMs < Infinity && commits % commitsPerCleaning === 0) removeDeleted();
      if (changes.length > 0) for (const observer of observers) observer(changes);
      return changes;
    },
    /** Calls a function after each commit that changed something. */
    observe: (observer: (changes: readonly Change[]) => void) => void observers.push(observer),
  };
}

/** The path of the collection that holds a document. */
export function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

/** A time in microseconds since 1970, and back. */
export const microsOf = ({ seconds, nanoseconds }: Timestamp) =>
  seconds * 1_000_000 + Math.floor(nanoseconds / 1_000);
export const timeOf = (micros: number) =>
  new Timestamp(Math.floor(micros / 1_000_000), (micros % 1_000_000) * 1_000);

function foundIn(stored: Stored, at: number | undefined): Found | undefined {
  if (at === undefined) return stored.present;
  return foundOf(
    stored,
    stored.versions.findLast(({ micros }) => micros <= at),
  );
}

function foundOf({ path, id }: Stored, version: Version | undefined): Found | undefined {
  if (version?.data === undefined) return undefined;
  const { data, updateTime, createTime } = version;
  return { path, id, data, updateTime, createTime };
}

/** Why a document does not meet a guard; undefined if it does. */
function refusalOf(path: string, guard: Guard, found: Found | undefined): Error | undefined {
  if (guard.exists === false && found) return grpcError("alreadyExists", `${path} exists`);
  if (guard.exists === true && !found) return grpcError("notFound", `no document to update: ${path}`);
  const { lastUpdateTime: wanted } = guard;
  if (wanted === undefined || found?.updateTime.isEqual(wanted) === true) return undefined;
  return grpcError("failedPrecondition", `${path} was changed meanwhile`);
}
