/**
 * A Firestore server in memory: it answers the requests of the real client library, so that whatever runs on that
 * library can run without an emulator. It has no listeners. Every round trip is one operation for a scheduler, which may
 * perform it at any time, let it fail, or never perform it.
 */
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { transactionMsMax } from "../../../functions/src/model/limits.ts";
import { grpcCode } from "../../../functions/src/world/retryable.ts";
import { collectionsIn, documentsIn } from "../listing.ts";
import { lockOf, type Locks, type Transaction, waiting } from "../locks.ts";
import { find, type QuerySpec, specOf } from "../query.ts";
import { type Found, grpcError, type Store, type Write } from "../store.ts";
import { numberOf, only, pathOf, sumOf, valueAt } from "../values.ts";
import type {
  Reading,
  Requests,
  WireAggregation,
  WireDocument,
  WireQuery,
  WireTime,
  WireValue,
  WireWrite,
} from "./messages.ts";
import { exactTimeFrom, fieldFrom, pathOfName, wireFields, wireTime, wireValue } from "./values.ts";
import { writeOf } from "./writes.ts";

/** Where operations are scheduled. */
export interface Port {
  /** Performs an operation at some moment, or never; the result `waiting` means "not yet". */
  request<Result>(
    kind: "read" | "commit" | "pause",
    what: string,
    perform: () => Result | typeof waiting,
  ): Promise<Result>;
}

/** The shared state of all clients of a database. */
export interface Database {
  store: Store;
  locks: Locks;
  /** For how long a past moment can be read; by default an hour, as Firestore promises. */
  readableMs?: number;
  /** Changes what arrives, to show what a document that nobody can write does, or a mistake of the functions. */
  meddler?: Meddler;
  /** Hears of each commit that was tried. @param error why it failed */
  tried?: (writes: readonly Write[], error?: unknown) => void;
}

/** What arrives instead of what was sent. */
export interface Meddler {
  /** Nothing for a write that gets lost; it is answered as if it had arrived. */
  write?: (write: Write) => Write | undefined;
  query?: (spec: QuerySpec) => QuerySpec;
  /** As of when a document is read, or a collection searched; nothing stands for the present. */
  readAt?: (path: string, at: Timestamp | undefined) => Timestamp | undefined;
  /** Which document is read in place of another. */
  readFrom?: (path: string) => string;
}

export type Server = {
  [Method in keyof Requests]: (request: Requests[Method]) => unknown;
} & {
  /** Ends the transactions of its client, as if that process died. */
  close(): void;
};

/** Where a read takes place. */
interface Scene {
  /** Without it, the present. */
  at: Timestamp | undefined;
  readTime: WireTime;
  /** Locks these paths in the transaction of the read, if it has one. */
  lock: (paths: readonly string[]) => void;
  /** The id of a transaction that begins with the read. */
  begun: { transaction: Uint8Array } | undefined;
}

type Underway = { locked: Transaction; endsMs: number } | { at: Timestamp };

/** The server of one client. It is one function, as all requests work on the same transactions. */
export function createServer(
  { store, locks, meddler = {}, tried, readableMs = 3_600_000 }: Database,
  port: Port,
): Server {
  const transactions = new Map<string, Underway>();

  function begin({ readOnly, readWrite }: NonNullable<Reading["newTransaction"]>): string {
    const before = transactions.get(keyOf(readWrite?.retryTransaction));
    const id = String(transactions.size + 1);
    const again = before && "locked" in before ? before.locked : undefined;
    const endsMs = store.now().toMillis() + transactionMsMax;
    transactions.set(
      id,
      readOnly === undefined ? { locked: locks.begin(again), endsMs } : { at: store.now() },
    );
    return id;
  }

  /** @throws `invalidArgument` if there is no such transaction. */
  function underWay(id: string): Underway {
    const transaction = transactions.get(id);
    if (transaction === undefined) throw grpcError("invalidArgument", "there is no such transaction");
    return transaction;
  }

  /** The emulators answer also for times that are days old, or seconds ahead; Firestore promises neither. */
  function checkReadable(at: Timestamp | undefined): void {
    if (at === undefined) return;
    const now = store.now();
    if (at > now) throw grpcError("invalidArgument", "The requested 'read_time' cannot be in the future.");
    if (at.seconds < 0) throw grpcError("invalidArgument", "Only timestamps past epoch are supported.");
    if (at.toMillis() < now.toMillis() - readableMs)
      throw grpcError("failedPrecondition", "The requested 'read_time' is too old.");
  }

  function sceneOf({ transaction, newTransaction, readTime }: Reading): Scene {
    const id = newTransaction === undefined ? keyOf(transaction) : begin(newTransaction);
    const begun = newTransaction && { transaction: Buffer.from(id) };
    const within = id === "" ? undefined : underWay(id);
    const at = within && "at" in within ? within.at : readTime && exactTimeFrom(readTime);
    checkReadable(at);
    return {
      at,
      readTime: wireTime(at ?? store.now()),
      lock(paths) {
        if (within && "locked" in within) locks.read(within.locked, paths);
      },
      begun,
    };
  }

  const timeOf = (path: string, at: Timestamp | undefined) =>
    meddler.readAt === undefined ? at : meddler.readAt(path, at);

  function search(parent: string, query: WireQuery, { at, lock }: Scene) {
    const asked = specOf(parent, query);
    const spec = meddler.query?.(asked) ?? asked;
    lock([lockOf(spec)]);
    return { found: find(store, spec, timeOf(spec.collection, at)), spec };
  }

  function committed(sent: readonly Write[], self: Transaction | undefined) {
    const arriving = (write: Write) => (meddler.write === undefined ? write : meddler.write(write));
    const writes = sent.map(arriving).filter((write) => write !== undefined);
    try {
      const changes = locks.commit(store, writes, self);
      if (changes !== waiting) tried?.(writes);
      return changes;
    } catch (error) {
      tried?.(writes, error);
      throw error;
    }
  }

  /** @throws `invalidArgument` if one of the writes is none, whatever is stored. */
  function decode(writes: readonly WireWrite[]): Write[] {
    // The time at which the request came: the commit may have to wait.
    const requestTime = Timestamp.fromMillis(store.nowMs());
    return writes.map((one) => writeOf(one, requestTime));
  }

  async function commit(decoded: readonly Write[], transaction?: Uint8Array) {
    const self = transaction && underWay(keyOf(transaction));
    if (self && "at" in self) throw grpcError("invalidArgument", "a read-only transaction cannot write");
    const what = `commit ${decoded.length} writes, first ${decoded[0]?.path ?? "none"}`;
    return port.request("commit", what, () => {
      // Firestore ends a transaction after a time; later code relies on that.
      if (self && store.now().toMillis() > self.endsMs)
        throw grpcError("aborted", "the transaction has expired");
      const changes = committed(decoded, self?.locked);
      if (changes === waiting) return waiting;
      const now = changes[0]?.time ?? store.now();
      const versionOf = (path: string) => store.get(path)?.updateTime ?? now;
      const writeResults = decoded.map(({ path }) => ({ updateTime: wireTime(versionOf(path)) }));
      return { writeResults, commitTime: wireTime(now) };
    });
  }

  return {
    batchGetDocuments({ documents, mask, ...reading }) {
      const paths = documents.map(pathOfName);
      const fields = mask && (mask.fieldPaths ?? []).map(fieldFrom);
      return port.request("read", `read ${paths.length} documents, first ${paths[0]}`, () => {
        const { at, readTime, lock, begun } = sceneOf(reading);
        lock(paths);
        const answers = paths.map((path, i) => {
          const name = documents[i] ?? "";
          const found = store.get(meddler.readFrom?.(path) ?? path, timeOf(path, at));
          if (found === undefined) return { missing: name, readTime };
          return { found: documentOf(found, name, fields), readTime };
        });
        return begun === undefined ? answers : [begun, ...answers];
      });
    },

    runQuery: ({ parent, structuredQuery, ...reading }) =>
      port.request("read", `query ${nameOf(parent, structuredQuery)}`, () => {
        const scene = sceneOf(reading);
        const { found, spec } = search(parent, structuredQuery, scene);
        const before = rootOf(parent);
        const { readTime, begun } = scene;
        return [
          { readTime, ...begun },
          ...found.map((document) => ({
            document: documentOf(document, `${before}${document.path}`, spec.fields),
            readTime,
          })),
        ];
      }),

    runAggregationQuery({ parent, structuredAggregationQuery, ...reading }) {
      const { structuredQuery, aggregations } = structuredAggregationQuery;
      return port.request("read", `count ${nameOf(parent, structuredQuery)}`, () => {
        const scene = sceneOf(reading);
        const { found } = search(parent, structuredQuery, scene);
        // A count beside a sum leaves out those without its field.
        const added = aggregations.flatMap(({ sum }) =>
          sum === undefined ? [] : [pathOf(sum.field.fieldPath)],
        );
        const whole = found.filter(({ data }) => added.every((path) => valueAt(data, path) !== undefined));
        const results = aggregations.map((one) => [one.alias, aggregated(one, whole)]);
        const aggregateFields = Object.fromEntries(results) as Record<string, WireValue>;
        return [{ result: { aggregateFields }, readTime: scene.readTime, ...scene.begun }];
      });
    },

    commit: ({ writes, transaction }) => commit(decode(writes), transaction),

    async batchWrite({ writes }) {
      const outcomes = await Promise.allSettled(decode(writes).map((write) => commit([write])));
      return {
        writeResults: outcomes.map((outcome) =>
          outcome.status === "fulfilled" ? (outcome.value.writeResults[0] ?? {}) : {},
        ),
        status: outcomes.map((outcome) => {
          if (outcome.status === "fulfilled") return { code: 0 };
          const { message } = outcome.reason as Error;
          return { code: grpcCode(outcome.reason), message };
        }),
      };
    },

    rollback({ transaction }) {
      const ended = underWay(keyOf(transaction));
      if ("locked" in ended) locks.end(ended.locked);
      return {};
    },

    listDocuments({ parent, collectionId }) {
      const above = pathOfName(parent);
      const collection = above === "" ? collectionId : `${above}/${collectionId}`;
      return port.request("read", `list ${collection}`, () =>
        documentsIn(store, collection).map((path) => ({ name: `${rootOf(parent)}${path}` })),
      );
    },

    listCollectionIds: ({ parent }) =>
      port.request("read", `list below ${pathOfName(parent)}`, () =>
        collectionsIn(store, pathOfName(parent)),
      ),

    close() {
      for (const one of transactions.values()) if ("locked" in one) locks.end(one.locked);
    },
  };
}

const keyOf = (transaction: Uint8Array | undefined) => Buffer.from(transaction ?? []).toString();

const nameOf = (parent: string, { from: [first] }: WireQuery) =>
  `${pathOfName(parent)}/${first?.collectionId ?? ""}`;

/** What stands before each path: "projects/p/databases/d/documents/". */
const rootOf = (parent: string) => `${parent.split("/").slice(0, 5).join("/")}/`;

function documentOf(found: Found, name: string, fields: readonly string[] | undefined): WireDocument {
  const { data, createTime, updateTime } = found;
  return {
    name,
    fields: wireFields(fields === undefined ? data : only(data, fields)),
    createTime: wireTime(createTime),
    updateTime: wireTime(updateTime),
  };
}

/** @throws `invalidArgument` if it is neither a count nor a sum. */
function aggregated({ count, sum }: WireAggregation, found: readonly Found[]): WireValue {
  if (count !== undefined) return wireValue(found.length);
  if (sum === undefined) throw grpcError("invalidArgument", "the database in memory only counts and adds up");
  const path = pathOf(sum.field.fieldPath);
  const values = found
    .map(({ data }) => valueAt(data, path))
    .filter((value) => numberOf(value) !== undefined);
  return wireValue(values.reduce(sumOf, 0));
}
