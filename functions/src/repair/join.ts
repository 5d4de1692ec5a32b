/**
 * Reads collections in parallel and joins them by document id: a player's document and index entry come together, and
 * either may be missing. Memory: two queries' documents for each collection.
 */
import type { Query, QueryDocumentSnapshot, QuerySnapshot } from "../documents/firestore.ts";
import { compareIds } from "../model/id-order.ts";
import { documentsPerReadMax } from "../model/limits.ts";
import type { IdRange } from "./id-ranges.ts";

/** The collections' documents with one id, in the order of the collections. */
export interface Joined {
  id: string;
  documents: (QueryDocumentSnapshot | undefined)[];
}

export interface Join {
  /** The next ids in order, without gaps; an empty list at the end. */
  next(): Promise<Joined[]>;
  /** The last id that was read from any collection; the rest after it can be cut off. */
  reached(): string | undefined;
  /** Ends the range at an id after {@link Join.reached}. */
  endAt(id: string): void;
}

/** Queries a collection's documents by id, as in documents/queries.ts. */
export type RangeQuery = (limit: number, range: IdRange) => Query;

interface Source {
  query: RangeQuery;
  pending: QueryDocumentSnapshot[];
  last: string | undefined;
  ended: boolean;
}

/**
 * Joins collections over a range of ids. Cost: 1 read a document, and at least 1 a collection.
 * @param get sends a query, in a transaction or not.
 */
export function createJoin(
  get: (query: Query) => Promise<QuerySnapshot>,
  queries: readonly RangeQuery[],
  range: IdRange,
  limit = documentsPerReadMax,
): Join {
  let { until } = range;
  const sources: Source[] = queries.map((query) => ({
    query,
    pending: [],
    last: range.after,
    ended: false,
  }));

  async function fill(source: Source): Promise<void> {
    if (source.pending.length > 0 || source.ended) return;
    const { docs } = await get(source.query(limit, { after: source.last, until }));
    source.pending = docs;
    source.last = docs.at(-1)?.id ?? source.last;
    source.ended = docs.length < limit;
  }

  return {
    async next() {
      await Promise.all(sources.map(fill));
      return takeJoined(sources);
    },
    reached: () =>
      sources
        .map(({ last }) => last)
        .reduce((a, b) => (a === undefined || (b !== undefined && compareIds(a, b) < 0) ? b : a)),
    endAt(id) {
      until = id;
    },
  };
}

/** Takes the ids out of the sources that no further query can add to. */
function takeJoined(sources: Source[]): Joined[] {
  const horizon = sources
    .filter(({ ended }) => !ended)
    .map(({ last }) => last)
    .reduce((a, b) => (a === undefined || (b !== undefined && compareIds(b, a) < 0) ? b : a), undefined);
  const byId = new Map<string, Joined["documents"]>();
  for (const [i, source] of sources.entries()) {
    const end = source.pending.findIndex(({ id }) => horizon !== undefined && compareIds(id, horizon) > 0);
    for (const document of source.pending.splice(0, end === -1 ? source.pending.length : end)) {
      const documents = byId.get(document.id) ?? sources.map(() => undefined);
      documents[i] = document;
      byId.set(document.id, documents);
    }
  }
  return [...byId].map(([id, documents]) => ({ id, documents })).sort((a, b) => compareIds(a.id, b.id));
}
