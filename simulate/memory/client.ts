/**
 * The part of the Firestore client that Firerank uses, on a store in memory. Every round trip to the database is one
 * operation for a scheduler, which may perform it at any time, let it fail, or never perform it.
 *
 * Transactions lock what they read, as those of Firestore's server libraries do: a commit that meets another's lock
 * waits, gives up, or breaks it, as the scheduler decides. Like the real client, `runTransaction` retries after any
 * temporary error, even if the commit may have succeeded.
 */
import type { FieldPath, Firestore, Timestamp } from "../../functions/src/documents/firestore.ts";
import { transactionMsMax } from "../../functions/src/model/limits.ts";
import { type Data, type Edit, edited, editOfSet, editOfUpdate, type SetOptions } from "./fields.ts";
import { collectionsIn, documentsIn } from "./listing.ts";
import { createLocks, lockOf, type Locks, type Transaction, waiting } from "./locks.ts";
import { nameField } from "./order.ts";
import { everyDocument, fieldName, find as findIn, type Operator, type QuerySpec } from "./query.ts";
import { cursorOf, type DocumentResult, documentResult } from "./results.ts";
import { grpcError, type Guard, parentOf, type Snapshot, type Store, type Write } from "./store.ts";

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
  /** Weakens the guards of writes, to show what goes wrong without them. */
  weaken?: ((path: string, guard: Guard) => Guard) | undefined;
}

/** A client, and a way to cut it off as if its process died: its locks and snapshots are released. */
export interface Client {
  db: Firestore;
  close(): void;
}

export { createLocks };

/** Codes after which the real client runs a transaction again (nodejs-firestore, `isRetryableTransactionError`). */
const retriedCodes = [1, 2, 4, 8, 10, 13, 14, 16];
const attemptsDefault = 5;

/** The answer to a write. */
type Written = { writeTime: Timestamp } | undefined;

interface Ref {
  path: string;
  id: string;
  get(): Promise<DocumentResult>;
  set(data: Data, options?: SetOptions): Promise<Written>;
  create(data: Data): Promise<Written>;
  update(data: Data, guard?: Guard): Promise<Written>;
  delete(guard?: Guard): Promise<Written>;
  listCollections(): Promise<{ id: string }[]>;
}

interface QueryRef {
  spec: QuerySpec;
  counts?: boolean;
}

/** Documents to read together, and the wanted fields; by default all. */
interface Batch {
  refs: Ref[];
  fields: readonly string[] | undefined;
}

/** Collects writes; the base of batches and transactions. */
function createWriter(weaken: Database["weaken"]) {
  const writes: Write[] = [];
  function add(path: string, guard: Guard, edit: Edit | undefined): void {
    const apply: Write["apply"] = (before, time) => edit && edited(before, edit, time);
    writes.push({ path, guard: weaken?.(path, guard) ?? guard, apply });
  }
  return {
    writes,
    create: ({ path }: Ref, data: Data) => {
      add(path, { exists: false }, editOfSet(data, {}));
    },
    set: ({ path }: Ref, data: Data, options: SetOptions = {}) => {
      add(path, {}, editOfSet(data, options));
    },
    update: ({ path }: Ref, data: Data, guard: Guard = { exists: true }) => {
      add(path, guard, editOfUpdate(data));
    },
    delete: ({ path }: Ref, guard: Guard = {}) => {
      add(path, guard, undefined);
    },
  };
}

/**
 * A client of a database whose operations go through a port. It is one function, as documents, queries and transactions
 * read in the same ways.
 */
export function createClient({ store, locks, weaken }: Database, port: Port): Client {
  const held = new Set<() => void>();

  function hold(letGo: () => void): () => void {
    const once = () => {
      held.delete(once);
      letGo();
    };
    held.add(once);
    return once;
  }

  const read = (path: string, at?: Snapshot, fields?: readonly string[]) =>
    documentResult(doc(path), store.get(path, at), at?.readTime ?? store.now(), fields);

  const readAll = ({ refs, fields }: Batch, at?: Snapshot) => refs.map(({ path }) => read(path, at, fields));

  /** Reads at a moment that can be read again, as repairs do. */
  function readNow(path: string): DocumentResult {
    const at = store.snapshot();
    const result = read(path, at);
    store.release(at);
    return result;
  }

  function find({ spec, counts }: QueryRef, at?: Snapshot) {
    const found = findIn(store, spec, at);
    const readTime = at?.readTime ?? store.now();
    if (counts === true) return { data: () => ({ count: found.length }), readTime };
    const docs = found.map((document) => documentResult(doc(document.path), document, readTime, spec.fields));
    return { docs, size: docs.length, empty: docs.length === 0, readTime };
  }

  /** Answers with the time of each document's last change, as the real client does. */
  const commit = (what: string, writes: readonly Write[], self?: Transaction) =>
    port.request("commit", what, () => {
      if (locks.commit(store, writes, self) === waiting) return waiting;
      return writes.map(({ path }) => ({ writeTime: store.get(path)?.updateTime ?? store.now() }));
    });

  function doc(path: string): Ref {
    const alone = async (what: string, fill: (writer: ReturnType<typeof createWriter>) => void) => {
      const writer = createWriter(weaken);
      fill(writer);
      const [result] = await commit(`${what} ${path}`, writer.writes);
      return result;
    };
    const ref: Ref = {
      path,
      id: path.slice(parentOf(path).length + 1),
      get: () => port.request("read", `get ${path}`, () => readNow(path)),
      set: (data, options) =>
        alone("set", (writer) => {
          writer.set(ref, data, options);
        }),
      create: (data) =>
        alone("create", (writer) => {
          writer.create(ref, data);
        }),
      update: (data, guard) =>
        alone("update", (writer) => {
          writer.update(ref, data, guard);
        }),
      delete: (guard) =>
        alone("delete", (writer) => {
          writer.delete(ref, guard);
        }),
      listCollections: () =>
        port.request("read", `list below ${path}`, () => collectionsIn(store, path).map((id) => ({ id }))),
    };
    return ref;
  }

  const ask = (ref: QueryRef) =>
    port.request("read", `${ref.counts === true ? "count" : "query"} ${ref.spec.collection}`, () =>
      find(ref),
    );
  const query = (spec: QuerySpec) => queryOf(spec, ask);

  const db = {
    doc,
    collection: (path: string) => ({
      ...query(everyDocument(path)),
      doc: (id: string) => doc(`${path}/${id}`),
      listDocuments: () => port.request("read", `list ${path}`, () => documentsIn(store, path).map(doc)),
    }),
    collectionGroup: (id: string) => query(everyDocument(id, true)),
    getAll(...given: (Ref | object)[]) {
      const batch = batchOf(given);
      return port.request("read", namesOf(batch), () => readAll(batch));
    },
    batch() {
      const { writes, ...writer } = createWriter(weaken);
      return { ...writer, commit: () => commit(`commit ${writes.length} writes`, writes) };
    },
    runTransaction: <Result>(
      update: (transaction: object) => Promise<Result>,
      options: { readOnly?: boolean; readTime?: Timestamp; maxAttempts?: number } = {},
    ): Promise<Result> =>
      options.readOnly === true
        ? readOnly(update, options.readTime)
        : readWrite(update, options.maxAttempts ?? attemptsDefault),
  };

  async function readOnly<Result>(
    update: (transaction: object) => Promise<Result>,
    readTime: Timestamp | undefined,
  ): Promise<Result> {
    let at: Snapshot | undefined;
    let letGo: (() => void) | undefined;
    function begun(): Snapshot {
      if (at !== undefined) return at;
      const snapshot = (at = store.snapshot(readTime));
      letGo = hold(() => {
        store.release(snapshot);
      });
      return snapshot;
    }
    try {
      return await update({
        get: (ref: Ref | QueryRef) =>
          port.request("read", `read ${nameOf(ref)}`, () =>
            "spec" in ref ? find(ref, begun()) : read(ref.path, begun()),
          ),
        getAll(...given: (Ref | object)[]) {
          const batch = batchOf(given);
          return port.request("read", namesOf(batch), () => readAll(batch, begun()));
        },
      });
    } finally {
      letGo?.();
    }
  }

  async function readWrite<Result>(
    update: (transaction: object) => Promise<Result>,
    attempts: number,
  ): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      const self = locks.begin();
      const letGo = hold(() => {
        locks.end(self);
      });
      const endsAtMs = store.now().toMillis() + transactionMsMax;
      const { writes, ...writer } = createWriter(weaken);
      const locked = <Read>(what: string, paths: readonly string[], perform: () => Read) => {
        if (writes.length > 0) throw new Error("transactions must read before they write");
        return port.request("read", what, () => {
          locks.read(self, paths);
          return perform();
        });
      };
      try {
        const result = await update({
          ...writer,
          get: (ref: Ref | QueryRef) =>
            "spec" in ref
              ? locked(`read ${nameOf(ref)}`, [lockOf(ref.spec)], () => find(ref))
              : locked(`read ${nameOf(ref)}`, [ref.path], () => read(ref.path)),
          getAll(...given: (Ref | object)[]) {
            const batch = batchOf(given);
            const paths = batch.refs.map(({ path }) => path);
            return locked(namesOf(batch), paths, () => readAll(batch));
          },
        });
        await port.request("commit", `commit ${writes.length} writes in a transaction`, () => {
          // Firestore ends a transaction after a time; later code relies on that.
          if (store.now().toMillis() > endsAtMs) throw grpcError("aborted", "the transaction has expired");
          return locks.commit(store, writes, self);
        });
        return result;
      } catch (error) {
        if (!isRetried(error) || attempt === attempts) throw error;
        await port.request("pause", "back off", () => undefined);
      } finally {
        letGo();
      }
    }
  }

  return {
    // The only place where the partial client is passed off as the whole. A missing method fails as "not a function".
    db: db as unknown as Firestore,
    close() {
      for (const letGo of held) letGo();
    },
  };
}

/** A query as it is built. @param ask sends it */
function queryOf(spec: QuerySpec, ask: (ref: QueryRef) => Promise<unknown>): object {
  const query = (more: Partial<QuerySpec>) => queryOf({ ...spec, ...more }, ask);
  const counted = { spec, counts: true };
  return {
    spec,
    where(field: string | FieldPath, operator: Operator, operand: unknown) {
      const name = fieldName(field);
      const value = name === nameField ? `${spec.collection}/${String(operand)}` : operand;
      return query({ filters: [...spec.filters, { field: name, operator, value }] });
    },
    orderBy: (field: string | FieldPath, direction: "asc" | "desc" = "asc") =>
      query({ orders: [...spec.orders, { field: fieldName(field), descending: direction === "desc" }] }),
    limit: (limit: number) => query({ limit }),
    limitToLast: (limit: number) => {
      if (spec.orders.length === 0) throw new Error("limitToLast() needs an order");
      return query({ limit, fromEnd: true });
    },
    offset: (offset: number) => query({ offset }),
    select: (...fields: string[]) => query({ fields }),
    startAt: (...place: unknown[]) => query({ after: cursorOf(spec, place), isWithAfter: true }),
    startAfter: (...place: unknown[]) => query({ after: cursorOf(spec, place), isWithAfter: false }),
    endAt: (...place: unknown[]) => query({ before: cursorOf(spec, place), isWithBefore: true }),
    endBefore: (...place: unknown[]) => query({ before: cursorOf(spec, place), isWithBefore: false }),
    count: () => ({ ...counted, get: () => ask(counted) }),
    get: () => ask({ spec }),
  };
}

function isRetried(error: unknown): boolean {
  return error instanceof Error && "code" in error && retriedCodes.includes(error.code as number);
}

/** The arguments of `getAll`: references, and options as the last one. */
function batchOf(given: readonly (Ref | object)[]): Batch {
  const refs = given.filter((one): one is Ref => "path" in one);
  const { fieldMask } = (given.at(-1) ?? {}) as { fieldMask?: readonly string[] };
  return { refs, fields: fieldMask };
}

const nameOf = (ref: Ref | QueryRef) => ("spec" in ref ? ref.spec.collection : ref.path);
const namesOf = ({ refs }: Batch) => `read ${refs.length} documents, first ${refs[0]?.path ?? "none"}`;
