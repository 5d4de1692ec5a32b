/**
 * A Firestore client that breaks at its n-th request: as if its process were killed just before or just after it, or as
 * if only the answer were lost. It shows what a process leaves behind, whichever `await` was its last.
 *
 * Like the meter, it overrides the two internal methods through which every request goes.
 */
import { Duplex } from "node:stream";
import { finished } from "node:stream/promises";
import type { Firestore } from "../../functions/src/documents/firestore.ts";
import { mendTransactions } from "../../functions/src/world/mend-transactions.ts";
import { grpc } from "../../functions/src/world/retryable.ts";
import type { Internals } from "../../functions/src/world/meter.ts";
import { anotherClient } from "../support/database.ts";

/**
 * What happens at the request: the process is killed before it is sent, or after the server has executed it but before
 * the answer; or the client gets `UNAVAILABLE` and continues, although a commit succeeded.
 */
export type Fault = "killed before" | "killed after" | "answer lost";

export interface Doomed {
  db: Firestore;
  /** The wire name of the method of the broken request; undefined if it was never made. */
  struck(): string | undefined;
  /**
   * Ends the client, and its open transactions with it. Firestore does that too, but takes up to a minute to notice
   * that a process is gone, and holds its locks for so long.
   */
  bury(): Promise<void>;
}

/** Another client of `healthy`'s project, which breaks at its request number `at`, from 1. */
export function createDoomed(healthy: Firestore, at: number, fault: Fault): Doomed {
  const db = mendTransactions(anotherClient(healthy));
  const internals = db as unknown as Internals & { formattedName: string };
  const request = internals.request.bind(db);
  const requestStream = internals.requestStream.bind(db);
  const open = new Map<string, Uint8Array>();
  /** Queries that are being sent: the library leaves an error unhandled if its client ends meanwhile. */
  const underWay = new Set<Promise<unknown>>();
  let isBuried = false;
  let requests = 0;
  let method: string | undefined;

  async function strike<T>(name: string, perform: () => Promise<T>): Promise<T> {
    requests += 1;
    if (requests < at || (requests > at && fault === "answer lost")) return perform();
    if (requests === at) {
      method = name;
      // A read whose answer is lost would hold its locks until Firestore gives up on them, a minute later.
      if (fault === "killed after" || (fault === "answer lost" && name === "commit")) await perform();
    }
    throw fault === "answer lost" ? unavailable() : new Error("the process is dead");
  }

  internals.request = (name, message, ...rest) =>
    strike(name, async () => {
      const answer = await request(name, message, ...rest);
      const { transaction } = message as { transaction?: Uint8Array };
      if (transaction !== undefined) open.delete(keyOf(transaction));
      return answer;
    });
  internals.requestStream = async (name, bidirectional, message, ...rest) => {
    let stream: NodeJS.ReadableStream | undefined;
    const perform = async () => {
      if (isBuried) throw new Error("the process is dead");
      const sent = requestStream(name, bidirectional, message, ...rest);
      underWay.add(sent);
      stream = await sent.finally(() => underWay.delete(sent));
      stream.on("data", ({ transaction }: { transaction?: Uint8Array }) => {
        if (transaction !== undefined && transaction.length > 0) open.set(keyOf(transaction), transaction);
      });
      stream.pause();
      return stream;
    };
    try {
      return await strike(name, perform);
    } catch (error) {
      if (stream !== undefined) await finished(stream.resume());
      return broken(error as Error);
    }
  };

  return {
    db,
    struck: () => method,
    async bury() {
      const database = internals.formattedName;
      await Promise.all(
        [...open.values()].map((transaction) =>
          // A transaction may have ended another way.
          request("rollback", { database, transaction }, "burial").catch(() => undefined),
        ),
      );
      isBuried = true;
      await Promise.allSettled(underWay);
      await db.terminate();
    },
  };
}

/** Attempts of {@link atEachRequest} at once: most of their time is spent waiting, for locks and between retries. */
const attemptsAtOnce = 8;

/**
 * Breaks an operation at each of its requests: calls `attempt` with 1, 2, 3 and so on, several at once, until one meets
 * no request with its number. Each attempt makes a world of its own.
 * @param attempt returns what was {@link Doomed.struck}.
 * @returns the methods of the broken requests, in order.
 */
export async function atEachRequest(attempt: (n: number) => Promise<string | undefined>): Promise<string[]> {
  const methods: string[] = [];
  for (;;) {
    const next = Array.from({ length: attemptsAtOnce }, (_, i) => methods.length + 1 + i);
    const struck = await Promise.all(next.map(attempt));
    const end = struck.indexOf(undefined);
    methods.push(...struck.slice(0, end === -1 ? undefined : end).filter((method) => method !== undefined));
    if (end !== -1) return methods;
  }
}

/** An answer stream that ends in an error, where the client expects one. Of some requests it also ends the question. */
function broken(error: Error): NodeJS.ReadableStream {
  return new Duplex({
    objectMode: true,
    read() {
      this.destroy(error);
    },
  });
}

const keyOf = (transaction: Uint8Array) => Buffer.from(transaction).toString("base64");

function unavailable(): Error {
  return Object.assign(new Error("UNAVAILABLE: the answer was lost"), { code: grpc.unavailable });
}
