/** Where queued scores wait: in IndexedDB, or in a storage of the app's. */
import { FirerankError } from "./firerank-error.ts";
import type { Database, DatabaseFactory, DatabaseTransaction, ObjectStore } from "./platform.ts";
import { isSame, type QueuedScore, type QueueStore } from "./send-queue.ts";

/** A storage of texts. `localStorage` is one, and React Native's `AsyncStorage`. */
export interface QueueStorage {
  getItem(key: string): string | null | Promise<string | null>;
  setItem(key: string, value: string): void | Promise<void>;
}

/** A device that many have used keeps the scores of at least this many players. */
const playersKept = 10;

function checkRoom(all: readonly QueuedScore[], { player }: QueuedScore, max: number): void {
  const own = all.filter((one) => one.player === player).length;
  if (own < max && all.length < playersKept * max) return;
  const problem =
    own < max
      ? `${all.length} scores of all players of this device are already waiting to be sent`
      : `${own} scores of this player are already waiting to be sent`;
  throw new FirerankError(
    "not_stored",
    `${problem}, as many as the queue keeps. Send them with flush(), take some out with drop(), or give it a larger max.`,
  );
}

/**
 * All scores of a queue as one text under a key.
 * @param alone runs a change while none of another queue runs.
 * @param formerKeys where scores of this queue may be left: they are taken over with the next change.
 */
export function textStore(
  storage: QueueStorage,
  key: string,
  alone: <Result>(work: () => Promise<Result>) => Promise<Result>,
  formerKeys: readonly string[] = [],
): QueueStore {
  async function using<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (cause) {
      throw storageFailed(cause);
    }
  }
  const under = async (name: string) => read(await using(() => storage.getItem(name)));
  async function all(): Promise<QueuedScore[]> {
    const list = await under(key);
    for (const former of formerKeys)
      for (const one of await under(former)) if (!list.some((other) => isSame(one, other))) list.push(one);
    return list;
  }
  async function write(list: readonly QueuedScore[]): Promise<void> {
    await using(() => storage.setItem(key, JSON.stringify(list)));
    for (const former of formerKeys)
      if ((await under(former)).length > 0) await using(() => storage.setItem(former, "[]"));
  }
  return {
    all,
    add: (queued, max, isReplaced = () => false) =>
      alone(async () => {
        const list = await all();
        if (list.some((one) => isSame(one, queued))) return;
        const kept = list.filter((one) => !isReplaced(one));
        checkRoom(kept, queued, max);
        await write([...kept, queued]);
      }),
    change: (edit) =>
      alone(async () => {
        const list = await all();
        await write(list.map((one) => edit(one, list)).filter((one) => one !== undefined));
      }),
  };
}

/** What another program wrote under the key is no queue, and is replaced. */
function read(text: string | null): QueuedScore[] {
  let list: unknown;
  try {
    list = JSON.parse(text ?? "[]");
  } catch {
    return [];
  }
  const all = Array.isArray(list) ? (list as (Partial<QueuedScore> | null)[]) : [];
  return all.filter((one): one is QueuedScore => one?.score?.submission_id !== undefined);
}

function storageFailed(cause: unknown): FirerankError {
  return new FirerankError("not_stored", `The device's storage failed: ${String(cause)}`, { cause });
}

const databaseName = "firerank";
const storeName = "scores";

/**
 * The scores of a queue in IndexedDB, one record each, in the order of their numbers. It is one function, as all
 * transactions share a connection, which is opened again when it is lost.
 * @param isFormer whether scores under another key are this queue's too.
 */
export function indexedDbStore(
  factory: DatabaseFactory,
  key: string,
  isFormer: (key: string) => boolean = () => false,
): QueueStore {
  let opened: Promise<Database> | undefined;

  async function begin(mode: "readonly" | "readwrite", isAgain = false): Promise<DatabaseTransaction> {
    const opening = (opened ??= openDatabase(factory, () => (opened = undefined)));
    try {
      return (await opening).transaction(storeName, mode);
    } catch (cause) {
      if (opened === opening) opened = undefined;
      if (isAgain) throw storageFailed(cause);
      // Phones close the connections of apps in the background, and don't say so.
      return begin(mode, true);
    }
  }

  /** Does something with the records of this queue, in one transaction. */
  async function inTransaction<Result>(
    mode: "readonly" | "readwrite",
    work: (records: Stored[], store: ObjectStore) => Result,
  ): Promise<Result> {
    const transaction = await begin(mode);
    const store = transaction.objectStore(storeName);
    return new Promise((resolve, reject) => {
      let result: { value: Result } | undefined;
      let fault: Error | undefined;
      const request = store.getAll();
      request.onsuccess = () => {
        try {
          result = {
            value: work(
              (request.result as Stored[]).filter(({ queue }) => queue === key || isFormer(queue)),
              store,
            ),
          };
        } catch (error) {
          fault = asError(error);
          transaction.abort();
        }
      };
      transaction.oncomplete = () => {
        if (result !== undefined) resolve(result.value);
      };
      transaction.onabort = () => reject(fault ?? storageFailed(transaction.error));
    });
  }

  return {
    all: () => inTransaction("readonly", (records) => records.map(({ queued }) => queued)),
    add: (queued, max, isReplaced = () => false) =>
      inTransaction("readwrite", (records, store) => {
        if (records.some((one) => isSame(one.queued, queued))) return;
        const kept = records.map((one) => one.queued).filter((one) => !isReplaced(one));
        checkRoom(kept, queued, max);
        for (const one of records) if (isReplaced(one.queued)) store.delete(one.number);
        store.add({ queue: key, queued });
      }),
    change: (edit) =>
      inTransaction("readwrite", (records, store) => {
        const all = records.map(({ queued }) => queued);
        for (const one of records) {
          const queued = edit(one.queued, all);
          if (queued === undefined) store.delete(one.number);
          else if (queued !== one.queued) store.put({ ...one, queued });
        }
      }),
  };
}

interface Stored {
  number: number;
  queue: string;
  queued: QueuedScore;
}

function openDatabase(factory: DatabaseFactory, onClose: () => void): Promise<Database> {
  return new Promise((resolve, reject) => {
    const request = factory.open(databaseName, 1);
    request.onupgradeneeded = () =>
      request.result.createObjectStore(storeName, { keyPath: "number", autoIncrement: true });
    request.onsuccess = () => {
      const database = request.result;
      database.onclose = onClose;
      database.onversionchange = () => {
        database.close();
        onClose();
      };
      resolve(database);
    };
    request.onerror = () => reject(asError(request.error));
  });
}

function asError(fault: unknown): Error {
  return fault instanceof Error ? fault : new Error(`IndexedDB failed: ${String(fault)}`);
}

/** Where there is no storage at all. */
export function noStore(): QueueStore {
  const fail = () =>
    Promise.reject(
      new FirerankError(
        "not_stored",
        "There is no IndexedDB: give scoreQueue a storage, such as React Native's AsyncStorage.",
      ),
    );
  return { all: () => Promise.resolve([]), add: fail, change: () => Promise.resolve() };
}
