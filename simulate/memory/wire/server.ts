/**
 * A Firestore server in memory: it answers the requests of the real client library, so that whatever runs on that
 * library can run without an emulator. It has no listeners.
 */
import { grpcCode } from "../../../functions/src/world/retryable.ts";
import { collectionsIn, documentsIn } from "../listing.ts";
import { lockOf } from "../locks.ts";
import { type Aged, createPatientLocks } from "../patient-locks.ts";
import { find } from "../query.ts";
import { only } from "../results.ts";
import { createStore, type Found, grpcError, type Snapshot } from "../store.ts";
import { pathOf, valueAt } from "../values.ts";
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
import { specOf } from "./query.ts";
import { pathOfName, timeFrom, wireFields, wireTime, wireValue } from "./values.ts";
import { writeOf } from "./writes.ts";

export type Server = {
  [Method in keyof Requests]: (request: Requests[Method]) => unknown;
};

/** Where a read takes place. */
interface Scene {
  /** Without it, the present. */
  at: Snapshot | undefined;
  readTime: WireTime;
  /** Locks these paths in the transaction of the read, if it has one. */
  lock: (paths: readonly string[]) => void;
  /** The id of a transaction that begins with the read. */
  begun: { transaction: Uint8Array } | undefined;
}

/** It is one function, as all requests work on the same store and transactions. */
export function createServer(): Server {
  const store = createStore(() => Date.now(), true);
  const locks = createPatientLocks(store);
  const transactions = new Map<string, Aged | Snapshot>();

  function begin({ readOnly, readWrite }: NonNullable<Reading["newTransaction"]>): string {
    const before = transactions.get(keyOf(readWrite?.retryTransaction));
    const id = String(transactions.size + 1);
    const again = before !== undefined && "reads" in before ? before : undefined;
    transactions.set(id, readOnly === undefined ? locks.begin(again) : store.snapshot());
    return id;
  }

  /** @throws `invalidArgument` if there is no such transaction. */
  function underWay(id: string): Aged | Snapshot {
    const transaction = transactions.get(id);
    if (transaction === undefined) throw grpcError("invalidArgument", "there is no such transaction");
    return transaction;
  }

  function sceneOf({ transaction, newTransaction, readTime }: Reading): Scene {
    const id = newTransaction === undefined ? keyOf(transaction) : begin(newTransaction);
    const begun = newTransaction && { transaction: Buffer.from(id) };
    const within = id === "" ? undefined : underWay(id);
    const isAt = within !== undefined && "commit" in within;
    const at = isAt ? within : readTime && store.snapshot(timeFrom(readTime));
    return {
      at,
      readTime: wireTime(at?.readTime ?? store.now()),
      lock(paths) {
        if (within !== undefined && !isAt) locks.read(within, paths);
      },
      begun,
    };
  }

  function search(parent: string, query: WireQuery, { at, lock }: Scene) {
    const spec = specOf(parent, query);
    lock([lockOf(spec)]);
    return { found: find(store, spec, at), spec };
  }

  async function commit(writes: readonly WireWrite[], self?: Aged) {
    const decoded = writes.map(writeOf);
    const [change] = await locks.commit(decoded, self);
    const now = change?.time ?? store.now();
    const writeResults = decoded.map(({ path }) => ({
      updateTime: wireTime(store.get(path)?.updateTime ?? now),
    }));
    return { writeResults, commitTime: wireTime(now) };
  }

  return {
    batchGetDocuments({ documents, mask, ...reading }) {
      const { at, readTime, lock, begun } = sceneOf(reading);
      const paths = documents.map(pathOfName);
      lock(paths);
      const answers = paths.map((path, i) => {
        const name = documents[i] ?? "";
        const found = store.get(path, at);
        if (found === undefined) return { missing: name, readTime };
        return { found: documentOf(found, name, mask && (mask.fieldPaths ?? [])), readTime };
      });
      return begun === undefined ? answers : [begun, ...answers];
    },

    runQuery({ parent, structuredQuery, ...reading }) {
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
    },

    runAggregationQuery({ parent, structuredAggregationQuery, ...reading }) {
      const { structuredQuery, aggregations } = structuredAggregationQuery;
      const scene = sceneOf(reading);
      const { found } = search(parent, structuredQuery, scene);
      // A count beside a sum leaves out those without its field.
      const added = aggregations.flatMap(({ sum }) =>
        sum === undefined ? [] : [pathOf(sum.field.fieldPath)],
      );
      const whole = found.filter(({ data }) => added.every((path) => valueAt(data, path) !== undefined));
      const results = aggregations.map((aggregation) => [aggregation.alias, aggregated(aggregation, whole)]);
      const aggregateFields = Object.fromEntries(results) as Record<string, WireValue>;
      return [{ result: { aggregateFields }, readTime: scene.readTime, ...scene.begun }];
    },

    commit({ writes, transaction }) {
      const self = transaction && underWay(keyOf(transaction));
      if (self !== undefined && "commit" in self)
        throw grpcError("invalidArgument", "a read-only transaction cannot write");
      return commit(writes, self);
    },

    async batchWrite({ writes }) {
      const outcomes = await Promise.allSettled(writes.map((write) => commit([write])));
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
      if ("reads" in ended) locks.end(ended);
      return {};
    },

    listDocuments({ parent, collectionId }) {
      const above = pathOfName(parent);
      const collection = above === "" ? collectionId : `${above}/${collectionId}`;
      return documentsIn(store, collection).map((path) => ({ name: `${rootOf(parent)}${path}` }));
    },

    listCollectionIds: ({ parent }) => collectionsIn(store, pathOfName(parent)),
  };
}

const keyOf = (transaction: Uint8Array | undefined) => Buffer.from(transaction ?? []).toString();

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
  const values = found.map(({ data }) => valueAt(data, path)).filter((value) => typeof value === "number");
  return wireValue(values.reduce((all, value) => all + value, 0));
}
