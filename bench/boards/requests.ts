/** Bills each request of a client, and tells whether the request reads something into an instance's memory. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Bill } from "../../functions/src/documents/ranking-record.ts";
import type { Firestore } from "../../functions/src/documents/firestore.ts";
import { countRequests, type Internals } from "../../functions/src/world/meter.ts";

/** What instances keep in memory, beside what a call reads for itself. */
export type Remembered = "board" | "gate" | "pages";

/** @param billOf what a request is billed to that is sent now, and what the request reads into memory, if anything. */
export function billRequests(db: Firestore, billOf: (read?: Remembered) => Bill | undefined): void {
  const sent = new AsyncLocalStorage<Remembered | undefined>();
  countRequests(db, () => billOf(sent.getStore()));
  const internals = db as unknown as Internals;
  const requestStream = internals.requestStream.bind(db);
  internals.requestStream = (method, bidirectional, message, ...rest) =>
    sent.run(rememberedOf(method, message as Reading), () =>
      requestStream(method, bidirectional, message, ...rest),
    );
}

interface Reading {
  documents?: string[];
  mask?: object | null;
  transaction?: Uint8Array | null;
  newTransaction?: object | null;
  structuredQuery?: { from?: { collectionId?: string }[] };
}

/** Transactions read for themselves. */
function rememberedOf(method: string, reading: Reading): Remembered | undefined {
  const { documents: [first = ""] = [], mask, structuredQuery, transaction, newTransaction } = reading;
  if ((transaction?.length ?? 0) > 0 || newTransaction != null) return undefined;
  if (structuredQuery?.from?.[0]?.collectionId === "scores_ranking") return "pages";
  if (method !== "batchGetDocuments") return undefined;
  // Of a board of a template, the definition and the season are read apart.
  if (/\/documents\/leaderboards\/[^/]+(\/seasons\/[^/]+)?$/.test(first)) return "board";
  return first.endsWith("/top/current") && mask != null ? "gate" : undefined;
}
