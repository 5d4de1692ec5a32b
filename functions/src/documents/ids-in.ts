/** Ids of documents, also of those that were deleted by hand. */
import type { Firestore } from "./firestore.ts";

/**
 * The ids of a collection's documents, in order, with those that are missing while something is still stored below them:
 * deleting a document in the console leaves what is below it. No query finds those. Cost: 1 read each, at least 1.
 */
export async function idsIn(db: Firestore, collection: string): Promise<string[]> {
  const references = await db.collection(collection).listDocuments();
  return references.map(({ id }) => id).toSorted();
}
