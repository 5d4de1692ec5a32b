/** The real client library on a server in memory. */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { setImmediate as immediate } from "node:timers/promises";
import { Firestore } from "../../../functions/src/documents/firestore.ts";
import { mendTransactions } from "../../../functions/src/world/mend-transactions.ts";
import type { Internals } from "../../../functions/src/world/meter.ts";
import { createLocks, patient, waiting } from "../locks.ts";
import { createStore, grpcError } from "../store.ts";
import { createServer, type Database, type Port, type Server } from "./server.ts";

const require = createRequire(new URL("../../../functions/src/documents/firestore.ts", import.meta.url));
const backoff = join(dirname(require.resolve("@google-cloud/firestore")), "backoff.js");
const { setTimeoutHandler } = require(backoff) as {
  setTimeoutHandler: (handler: (run: () => void, ms: number) => void) => void;
};

/** Takes the library's pauses away, of seconds before it tries again, from all clients: in memory all else is as much faster. */
function hurry(): void {
  setTimeoutHandler((run, ms) => {
    if (ms === 0) run();
    else setImmediate(run);
  });
}

const databases = new WeakMap<Firestore, Database>();

/** A client of an empty database in memory. */
export function createMemoryFirestore(projectId = "demo-memory"): Firestore {
  const store = createStore(() => Date.now());
  return connected(projectId, { store, locks: createLocks(patient) });
}

/** Another client of the database in memory that a client has; undefined if it has none. */
export function anotherMemoryFirestore(db: Firestore, projectId: string): Firestore | undefined {
  const database = databases.get(db);
  return database && connected(projectId, database);
}

function connected(projectId: string, database: Database): Firestore {
  hurry();
  const db = Object.assign(new Firestore({ projectId }), internalsOf(createServer(database, soon)));
  databases.set(db, database);
  return db;
}

/** Each operation is performed at once, but after the caller has gone on; in the order in which they came. */
export const soon: Port = {
  async request(_kind, _what, perform) {
    for (;;) {
      await immediate();
      const result = perform();
      if (result !== waiting) return result;
    }
  },
};

const base = new Firestore({ projectId: "demo-memory" });

/** A client whose operations go through a port, and a way to cut it off as if its process died. */
export function createClient(database: Database, port: Port): { db: Firestore; close(): void } {
  hurry();
  const server = createServer(database, port);
  const db = Object.assign(Object.create(base) as Firestore, internalsOf(server));
  return {
    db: mendTransactions(db),
    close: () => {
      server.close();
    },
  };
}

function internalsOf(server: Server): Internals {
  function request(method: string, message: unknown): Promise<unknown> {
    if (!(method in server)) throw grpcError("invalidArgument", `the database in memory has no ${method}`);
    return server[method as keyof Server](message as never) as Promise<unknown>;
  }
  return {
    request: async (method, message) => request(method, message),
    requestStream: async (method, _bidirectional, message) =>
      streamOf((await request(method, message)) as object[]),
  };
}

/** The client also ends its streams. */
const streamOf = (answers: readonly object[]): NodeJS.ReadableStream =>
  Object.assign(Readable.from(answers, { highWaterMark: answers.length + 1 }), { end: () => undefined });
