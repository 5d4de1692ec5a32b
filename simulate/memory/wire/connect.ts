/** The real client library on a server in memory. */
import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { Firestore } from "../../../functions/src/documents/firestore.ts";
import type { Internals } from "../../../functions/src/world/meter.ts";
import { grpcError } from "../store.ts";
import { createServer, type Server } from "./server.ts";

const servers = new WeakMap<Firestore, Server>();

/** A client of an empty database in memory. */
export function createMemoryFirestore(projectId = "demo-memory"): Firestore {
  return connected(projectId, createServer());
}

/** Another client of the database in memory that a client has; undefined if it has none. */
export function anotherMemoryFirestore(db: Firestore, projectId: string): Firestore | undefined {
  const server = servers.get(db);
  return server && connected(projectId, server);
}

function connected(projectId: string, server: Server): Firestore {
  const db = new Firestore({ projectId });
  servers.set(db, server);
  Object.assign(db, internalsOf(server));
  const runTransaction = db.runTransaction.bind(db);
  db.runTransaction = (work, options) =>
    runTransaction((transaction) => {
      hurry(transaction);
      return work(transaction);
    }, options);
  return db;
}

/** The pause before a transaction's second attempt; the library's is a second. In memory all else is as much faster. */
const pauseMs = 20;

/** Shortens the pauses between the attempts of a transaction. Its first attempt calls this after it has set the next pause. */
function hurry(transaction: object): void {
  const { _backoff: pauses } = transaction as {
    _backoff?: Record<"initialDelayMs" | "maxDelayMs" | "currentBaseMs", number>;
  };
  if (pauses === undefined || pauses.initialDelayMs <= pauseMs) return;
  const times = pauses.initialDelayMs / pauseMs;
  for (const name of ["initialDelayMs", "maxDelayMs", "currentBaseMs"] as const) pauses[name] /= times;
}

/** Each request is performed at once, but after the caller has gone on; in the order in which they came. */
function internalsOf(server: Server): Internals {
  async function request(method: string, message: unknown): Promise<unknown> {
    await setImmediate();
    if (!(method in server)) throw grpcError("invalidArgument", `the database in memory has no ${method}`);
    return server[method as keyof Server](message as never);
  }
  return {
    request,
    async requestStream(method, _bidirectional, message) {
      return streamOf((await request(method, message)) as object[]);
    },
  };
}

/** The client also ends its streams. */
function streamOf(answers: readonly object[]): NodeJS.ReadableStream {
  let next = 0;
  const stream = new Readable({
    objectMode: true,
    highWaterMark: answers.length + 1,
    read() {
      while (next < answers.length) this.push(answers[next++]);
      this.push(null);
    },
  });
  return Object.assign(stream, { end: () => undefined });
}
