/** A query's documents, in chunks. */
import type { Query, QueryDocumentSnapshot, QuerySnapshot } from "./firestore.ts";

/**
 * Walks over all documents that a query finds. Cost: 1 read a document, at least 1; 1 more where the last chunk is
 * full.
 * @param size documents in a chunk; the last one may have fewer. No chunk is empty.
 * @param get sends the query: in a transaction, or outside one.
 */
export async function* inChunks(
  query: Query,
  size: number,
  get: (query: Query) => Promise<QuerySnapshot> = (some) => some.get(),
): AsyncGenerator<QueryDocumentSnapshot[], undefined> {
  const first = query.limit(size);
  let last: QueryDocumentSnapshot | undefined;
  do {
    const { docs } = await get(last === undefined ? first : first.startAfter(last));
    if (docs.length > 0) yield docs;
    last = docs.length < size ? undefined : docs.at(-1);
  } while (last !== undefined);
  return undefined;
}
