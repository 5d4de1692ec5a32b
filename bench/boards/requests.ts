/** Bills each request of a client, and tells whether the request reads something into an instance's memory. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Bill } from "../../functions/src/documents/ranking-record.ts";
import type { Firestore } from "../../functions/src/documents/firestore.ts";
import { countRequests, type Internals } from "../../functions/src/world/meter.ts";

/** What instances keep in memory, beside what a call reads for itself. */
export type Remembered = "board" | "gate" | "pages";

/** @param billOf what a request is billed to that is sent now, and what it reads into memory or whether it renews a top. */
export function billRequests(db: Firestore, billOf: (what?: Remembered | "top") => Bill | undefined): void {
  const sent = new AsyncLocalStorage<Remembered | "top" | undefined>();
  countRequests(db, () => billOf(sent.getStore()));
  const internals = db as unknown as Internals;
  const request = internals.request.bind(db);
  const requestStream = internals.requestStream.bind(db);
  internals.request = (method, message, ...rest) =>
    sent.run(writesTop(message as Writing) ? "top" : undefined, () => request(method, message, ...rest));
  internals.requestStream = (method, bidirectional, message, ...rest) =>
    sent.run(whatOf(method, message as Reading), () =>
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

interface Writing {
  writes?: { update?: { name?: string } | null }[];
}

const isTop = (name: string) => name.endsWith("/top/current");

const writesTop = ({ writes = [] }: Writing) => writes.some(({ update }) => isTop(update?.name ?? ""));

/** Transactions read for themselves. Of those of a score, only the one that renews the top looks for players and shards. */
function whatOf(method: string, reading: Reading): Remembered | "top" | undefined {
  const { documents: [first = ""] = [], mask, structuredQuery, transaction, newTransaction } = reading;
  const queried = structuredQuery?.from?.[0]?.collectionId ?? "";
  if ((transaction?.length ?? 0) > 0 || newTransaction != null)
    return ["players", "scores"].includes(queried) || isTop(first) ? "top" : undefined;
  if (queried === "scores_ranking") return "pages";
  if (method !== "batchGetDocuments") return undefined;
  // Of a board of a template, the definition and the season are read apart.
  if (/\/documents\/leaderboards\/[^/]+(\/seasons\/[^/]+)?$/.test(first)) return "board";
  return isTop(first) && mask != null ? "gate" : undefined;
}
