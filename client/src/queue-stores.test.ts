/** An IndexedDB that breaks half-way, which no browser does on demand. Tests in test/emulator/browser use a real IndexedDB. */
import { expect, test } from "vitest";
import type { Database, DatabaseFactory, DatabaseRequest, DatabaseTransaction } from "./platform.ts";
import { indexedDbStore } from "./queue-stores.ts";
import type { QueuedScore } from "./send-queue.ts";

const queued: QueuedScore = {
  player: "ann",
  score: { score: 1, submission_id: "a" },
  made_at: "2026-11-22T12:00:00.000Z",
};

interface Behaviour {
  /** How the next connections fail, until connections work. */
  faults?: ("open fails" | "connection lost" | "commit fails")[];
}

/** An IndexedDB with one object store. It has only what the queue uses. */
function indexedDb({ faults = [] }: Behaviour, records = new Map<string, object>()) {
  let opens = 0;

  function answered<Result>(result: Result, error: unknown = null): DatabaseRequest<Result> {
    const request: DatabaseRequest<Result> = { result, error, onsuccess: null, onerror: null };
    queueMicrotask(() => (error === null ? request.onsuccess : request.onerror)?.());
    return request;
  }

  function begin(fault: string | undefined): DatabaseTransaction {
    const puts: { queue: string }[] = [];
    const transaction = {
      error: null as unknown,
      oncomplete: null as (() => void) | null,
      onabort: null as (() => void) | null,
      abort: () => transaction.onabort?.(),
      objectStore: () => ({
        getAll: () => answered([...records.values()]),
        put: (value: unknown) => puts.push(value as { queue: string }),
      }),
    };
    setTimeout(() => {
      if (fault === "commit fails") {
        transaction.error = new Error("QuotaExceededError");
        transaction.onabort?.();
        return;
      }
      for (const record of puts) records.set(record.queue, record);
      transaction.oncomplete?.();
    });
    return transaction;
  }

  const factory: DatabaseFactory = {
    open() {
      opens++;
      const fault = faults.shift();
      const database: Database = {
        createObjectStore: () => undefined,
        transaction() {
          if (fault === "connection lost") throw new Error("InvalidStateError");
          return begin(fault);
        },
        close: () => undefined,
        onclose: null,
        onversionchange: null,
      };
      const error = fault === "open fails" ? new Error("UnknownError") : null;
      return Object.assign(answered(database, error), { onupgradeneeded: null });
    },
  };
  const storeOf = (...keys: string[]) => indexedDbStore(factory, keys);
  return { store: storeOf("queue"), storeOf, opens: () => opens };
}

test("a lost connection is opened again, as phones close those of apps in the background", async () => {
  const { store, opens } = indexedDb({ faults: ["connection lost"] });
  await store.add(queued, 100);
  expect([await store.all(), opens()]).toEqual([[queued], 2]);
});

test("connections that are lost again and again are an error, and the next use opens one more", async () => {
  const { store } = indexedDb({ faults: ["connection lost", "connection lost"] });
  await expect(store.add(queued, 100)).rejects.toMatchObject({
    code: "not_stored",
    message: expect.stringContaining("InvalidStateError") as string,
  });
  await store.add(queued, 100);
  expect(await store.all()).toEqual([queued]);
});

test("a database that could not be opened is opened with the next use", async () => {
  const { store } = indexedDb({ faults: ["open fails", "open fails"] });
  await expect(store.all()).rejects.toMatchObject({ code: "not_stored" });
  expect(await store.all()).toEqual([]);
});

test("a commit that fails says why", async () => {
  const { store } = indexedDb({ faults: ["commit fails"] });
  await expect(store.add(queued, 100)).rejects.toMatchObject({
    code: "not_stored",
    message: expect.stringContaining("QuotaExceededError") as string,
  });
});

test("a score that takes others out needs no room beside them, and one that finds none takes nothing out", async () => {
  const { store } = indexedDb({});
  const better = { ...queued, score: { score: 2, submission_id: "b" } };
  await store.add(queued, 1);
  await expect(store.add(better, 1)).rejects.toMatchObject({ code: "not_stored" });
  expect(await store.all()).toEqual([queued]);
  await store.add(better, 1, ({ score }) => score.submission_id === "a");
  expect(await store.all()).toEqual([better]);
});

test("a queue takes over what waits under its former keys, each score once, and nothing of others", async () => {
  const { storeOf } = indexedDb({});
  const other = { ...queued, score: { score: 2, submission_id: "b" } };
  await storeOf("former").add(queued, 100);
  await storeOf("another").add(other, 100);
  const store = storeOf("queue", "former");
  expect(await store.all()).toEqual([queued]);
  await store.add(queued, 100);
  expect([await store.all(), await storeOf("former").all()]).toEqual([[queued], []]);
});
