/** The stores in which queued scores wait: IndexedDB, or a storage that the app gives. */
import { FirerankError } from "./firerank-error.ts";
import type { Database, DatabaseFactory, DatabaseTransaction } from "./platform.ts";
import { isSame, type QueuedScore, type QueueStore } from "./send-queue.ts";

/** A storage of texts, such as `localStorage` or React Native's `AsyncStorage`. */
export interface QueueStorage {
  getItem(key: string): string | null | Promise<string | null>;
  setItem(key: string, value: string): void | Promise<void>;
}

/** The queue of a device that several players use has room for the scores of so many players. */
const playersKept = 10;

/** @throws `not_stored` if there is no room for another score. @param max how many scores of a player may wait */
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

/** By key of a queue, its scores. */
type Lists = Record<string, readonly QueuedScore[]>;

/** What keeps the lists. */
interface ListStorage {
  read: () => Promise<Lists>;
  /** Stores what `edit` makes of the lists. Nobody else changes the lists meanwhile. */
  update: (edit: (lists: Lists) => Lists) => Promise<unknown>;
}

/** @param keys the key of the queue, and former keys, whose scores come into the queue with the next change. */
function storeOn({ read, update }: ListStorage, [key = "", ...formerKeys]: readonly string[]): QueueStore {
  const all = (lists: Lists) => {
    const found = [key, ...formerKeys].flatMap((name) => lists[name] ?? []);
    return found.filter((one, i) => found.findIndex((other) => isSame(one, other)) === i);
  };
  const replace = async (edit: (list: QueuedScore[]) => QueuedScore[]) => {
    await update((lists) => {
      const emptied = formerKeys.filter((name) => (lists[name]?.length ?? 0) > 0).map((name) => [name, []]);
      return { [key]: edit(all(lists)), ...(Object.fromEntries(emptied) as Lists) };
    });
  };
  return {
    all: async () => all(await read()),
    add: (queued, max, isReplaced = () => false) =>
      replace((list) => {
        if (list.some((one) => isSame(one, queued))) return list;
        const kept = list.filter((one) => !isReplaced(one));
        checkRoom(kept, queued, max);
        return [...kept, queued];
      }),
    change: (edit) => replace((list) => list.flatMap((one) => edit(one, list) ?? [])),
  };
}

/**
 * A store that keeps a queue as a text under the queue's key.
 * @param alone runs a change while no change of another tab runs.
 */
export function textStore(
  storage: QueueStorage,
  keys: readonly string[],
  alone: <Result>(work: () => Promise<Result>) => Promise<Result>,
): QueueStore {
  async function using<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (cause) {
      throw storageFailed(cause);
    }
  }
  async function read(): Promise<Lists> {
    const lists: Lists = {};
    for (const key of keys) lists[key] = listIn(await using(() => storage.getItem(key)));
    return lists;
  }
  const update: ListStorage["update"] = (edit) =>
    alone(async () => {
      const before = await read();
      for (const [key, list] of Object.entries(edit(before)))
        if (list !== before[key]) await using(() => storage.setItem(key, JSON.stringify(list)));
    });
  return storeOn({ read, update }, keys);
}

/** The queue in a text. If another program wrote something else under the key, the queue is empty. */
function listIn(text: string | null): QueuedScore[] {
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
const storeName = "queues";

/** A record of the object store. */
interface QueueRecord {
  queue: string;
  list: readonly QueuedScore[];
}

/**
 * A store that keeps a queue as a record of IndexedDB. All transactions share a connection. If it is lost, it is opened
 * again.
 */
export function indexedDbStore(factory: DatabaseFactory, keys: readonly string[]): QueueStore {
  let opened: Promise<Database> | undefined;

  async function begin(mode: "readonly" | "readwrite", isAgain = false): Promise<DatabaseTransaction> {
    const opening = (opened ??= openDatabase(factory, () => (opened = undefined)));
    try {
      return (await opening).transaction(storeName, mode);
    } catch (cause) {
      if (opened === opening) opened = undefined;
      if (isAgain) throw storageFailed(cause);
      // Phones close the connections of apps in the background without telling the apps.
      return begin(mode, true);
    }
  }

  async function run(mode: "readonly" | "readwrite", edit: (lists: Lists) => Lists): Promise<Lists> {
    const transaction = await begin(mode);
    const store = transaction.objectStore(storeName);
    return new Promise((resolve, reject) => {
      let after: Lists = {};
      let fault: Error | undefined;
      const request = store.getAll();
      request.onsuccess = () => {
        try {
          const records = (request.result as QueueRecord[]).filter(({ queue }) => keys.includes(queue));
          const before = Object.fromEntries(records.map(({ queue, list }) => [queue, list]));
          after = edit(before);
          for (const [queue, list] of Object.entries(after))
            if (list !== before[queue]) store.put({ queue, list } satisfies QueueRecord);
        } catch (error) {
          fault = asError(error);
          transaction.abort();
        }
      };
      transaction.oncomplete = () => resolve(after);
      transaction.onabort = () => reject(fault ?? storageFailed(transaction.error));
    });
  }

  const read = () => run("readonly", (lists) => lists);
  return storeOn({ read, update: (edit) => run("readwrite", edit) }, keys);
}

function openDatabase(factory: DatabaseFactory, onClose: () => void): Promise<Database> {
  return new Promise((resolve, reject) => {
    const request = factory.open(databaseName, 2);
    request.onupgradeneeded = () => request.result.createObjectStore(storeName, { keyPath: "queue" });
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

/** The store on a platform without any storage: it is empty, and refuses each score. */
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
