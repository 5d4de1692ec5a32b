/** Where queued scores wait: in IndexedDB, or in a storage of the app's. */
import { FirerankError } from "./firerank-error.ts";
import type { Database, DatabaseFactory, DatabaseTransaction } from "./platform.ts";
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

/** The scores of some queues, by key. */
type Lists = Record<string, readonly QueuedScore[]>;

/** Where lists are. */
interface Device {
  read: () => Promise<Lists>;
  /** Stores what `edit` makes of the lists; nobody else changes them meanwhile. */
  update: (edit: (lists: Lists) => Lists) => Promise<unknown>;
}

/** @param keys that of the queue, and others whose scores are taken over with the next change. */
function storeOn({ read, update }: Device, [key = "", ...formerKeys]: readonly string[]): QueueStore {
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
 * A queue as a text under its key.
 * @param alone runs a change while none of another queue runs.
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
  const update: Device["update"] = (edit) =>
    alone(async () => {
      const before = await read();
      for (const [key, list] of Object.entries(edit(before)))
        if (list !== before[key]) await using(() => storage.setItem(key, JSON.stringify(list)));
    });
  return storeOn({ read, update }, keys);
}

/** What another program wrote under the key is no queue, and is replaced. */
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

interface Stored {
  queue: string;
  list: readonly QueuedScore[];
}

/** A queue as a record of IndexedDB. All transactions share a connection, which is opened again when it is lost. */
export function indexedDbStore(factory: DatabaseFactory, keys: readonly string[]): QueueStore {
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

  async function run(mode: "readonly" | "readwrite", edit: (lists: Lists) => Lists): Promise<Lists> {
    const transaction = await begin(mode);
    const store = transaction.objectStore(storeName);
    return new Promise((resolve, reject) => {
      let after: Lists = {};
      let fault: Error | undefined;
      const request = store.getAll();
      request.onsuccess = () => {
        try {
          const records = (request.result as Stored[]).filter(({ queue }) => keys.includes(queue));
          const before = Object.fromEntries(records.map(({ queue, list }) => [queue, list]));
          after = edit(before);
          for (const [queue, list] of Object.entries(after))
            if (list !== before[queue]) store.put({ queue, list } satisfies Stored);
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
