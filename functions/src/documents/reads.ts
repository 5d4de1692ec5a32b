/** Reads of whole queries and collections, and as of a time. */
import type {
  DocumentReference,
  DocumentSnapshot,
  Query,
  QueryDocumentSnapshot,
  QuerySnapshot,
  Firestore,
  Timestamp,
  Transaction,
} from "./firestore.ts";

export interface Reader {
  getAll(...refs: DocumentReference[]): Promise<DocumentSnapshot[]>;
}

/** One document for each path. */
export type DocumentsAt<Paths extends readonly string[]> = { [At in keyof Paths]: DocumentSnapshot };

/** The documents at some paths, in order, whether they exist or not. Cost: 1 read each. */
export async function documentsAt<const Paths extends readonly string[]>(
  db: Firestore,
  paths: Paths,
  reader: Reader = db,
): Promise<DocumentsAt<Paths>> {
  const found = paths.length === 0 ? [] : await reader.getAll(...paths.map((path) => db.doc(path)));
  return found as DocumentsAt<Paths>;
}

/**
 * Walks over all documents that a query finds. Cost: 1 read a document, at least 1; 1 more if the last chunk is full.
 * @param size documents in a chunk; the last chunk may have fewer. No chunk is empty.
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

/** The first and the last document that a query finds; empty if the query finds nothing. Cost: 2 reads. */
export async function endsOf(query: Query, get: (query: Query) => Promise<QuerySnapshot>) {
  const ends = await Promise.all([query.limit(1), query.limitToLast(1)].map(get));
  return ends.flatMap(({ docs }) => docs);
}

/**
 * The ids of a collection's documents, in order. They include deleted documents that still have documents below them,
 * as the console leaves them; no query finds these. Cost: 1 read each, at least 1.
 */
export async function idsIn(db: Firestore, collection: string): Promise<string[]> {
  const references = await db.collection(collection).listDocuments();
  return references.map(({ id }) => id).toSorted();
}

/** Reads in one read-only transaction, so that all documents are of one moment. */
export function readTogether<Found>(db: Firestore, read: (transaction: Transaction) => Promise<Found>) {
  return db.runTransaction(read, { readOnly: true });
}

/** Reads in one read-only transaction as of a time within the last hour, which Firestore keeps. */
export function asOf<Found>(
  db: Firestore,
  at: Timestamp,
  read: (transaction: Transaction) => Promise<Found>,
): Promise<Found> {
  return db.runTransaction(read, { readOnly: true, readTime: at });
}

export function getAt(db: Firestore, at: Timestamp, query: Query): Promise<QuerySnapshot> {
  return asOf(db, at, (transaction) => transaction.get(query));
}
