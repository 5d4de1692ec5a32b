/** Reads from Firestore: a document or a query, once or live. */
import { FirebaseError } from "firebase/app";
import {
  collection,
  collectionGroup,
  doc,
  type DocumentData,
  documentId,
  getCountFromServer,
  getDoc,
  getDocsFromServer,
  limit,
  onSnapshot,
  orderBy,
  query,
  type Query,
  type QueryDocumentSnapshot,
  type QuerySnapshot,
  startAfter,
  where,
} from "firebase/firestore";
import { firebase } from "../firebase/connect.ts";
import { idField, type QuerySpec } from "./queries.ts";

export interface Found {
  id: string;
  path: string;
  data: DocumentData;
}

/** `isOld` marks the last known value of something live, while Firestore cannot be reached. */
export type Loaded<T> =
  { state: "loading" } | { state: "ready"; value: T; isOld?: true } | { state: "failed"; error: Error };

export const loading = { state: "loading" } as const;

/** One stretch of a query, and the start of the next. */
export interface Stretch {
  found: Found[];
  /** For {@link readStretch}; undefined at the end of the query. */
  next: QueryDocumentSnapshot | undefined;
}

/** Reads a document. Cost: 1 read. @throws FirestoreError, `unavailable` if Firestore cannot be reached */
export async function readDocument(path: string): Promise<DocumentData | undefined> {
  return (await getDoc(doc(firebase().db, path))).data();
}

/**
 * Reads a query's documents, those after `after`. Cost: 1 read each, at least 1.
 * @throws FirestoreError, `unavailable` if Firestore cannot be reached; the SDK's cache would show no documents
 */
export async function readStretch(spec: QuerySpec, after?: QueryDocumentSnapshot): Promise<Stretch> {
  return stretchOf(spec, await getDocsFromServer(toQuery(spec, after)));
}

/** How many documents a query finds, at most its limit. Cost: 1 read. @throws as {@link readStretch} */
export async function readCount(spec: QuerySpec): Promise<number> {
  return (await getCountFromServer(toQuery(spec))).data().count;
}

function stretchOf({ limit: most }: QuerySpec, { docs }: QuerySnapshot): Stretch {
  const found = docs.map((one) => ({ id: one.id, path: one.ref.path, data: one.data() }));
  return { found, next: docs.length < most ? undefined : docs.at(-1) };
}

/**
 * Listens to one document; `undefined` while it does not exist. It fails with `unavailable` while Firestore cannot be
 * reached and nothing is known, and continues when it can. Cost: 1 read, and 1 for each change.
 * @param tell is also called, at no cost, when the value becomes old, and when it is confirmed.
 */
export function watchDocument(
  path: string,
  tell: (data: DocumentData | undefined, isOld: boolean) => void,
  fail: (error: Error) => void,
): () => void {
  let isKnown = false;
  return onSnapshot(
    doc(firebase().db, path),
    { includeMetadataChanges: true },
    (snapshot) => {
      const { fromCache } = snapshot.metadata;
      if (snapshot.exists() || !fromCache) {
        isKnown = true;
        tell(snapshot.data(), fromCache);
      } else if (!isKnown) fail(unreached());
    },
    fail,
  );
}

/**
 * Listens to a query, whose limit bounds it; as {@link watchDocument}. Cost: 1 read a document, and 1 for each that
 * changes.
 */
export function watchQuery(
  spec: QuerySpec,
  tell: (stretch: Stretch, isOld: boolean) => void,
  fail: (error: Error) => void,
): () => void {
  /** Whether the last reported value was old; undefined before the first one. */
  let wasOld: boolean | undefined;
  return onSnapshot(
    toQuery(spec),
    { includeMetadataChanges: true },
    (snapshot) => {
      const { fromCache } = snapshot.metadata;
      if (wasOld === fromCache && snapshot.docChanges().length === 0) return;
      if (!snapshot.empty || !fromCache || wasOld !== undefined) {
        wasOld = fromCache;
        tell(stretchOf(spec, snapshot), fromCache);
      } else fail(unreached());
    },
    fail,
  );
}

/**
 * The error for an empty snapshot from the SDK's cache: the SDK sends one only after it has given up reaching Firestore
 * for now, after ten seconds or a refused connection, and sends another when it has reached it.
 */
function unreached(): FirebaseError {
  return new FirebaseError("unavailable", "Firestore cannot be reached.");
}

function toQuery({ collection: path, group, ...spec }: QuerySpec, after?: QueryDocumentSnapshot): Query {
  const { db } = firebase();
  const id = (field: string) => (field === idField ? documentId() : field);
  return query(
    group === true ? collectionGroup(db, path) : collection(db, path),
    ...spec.where.map(([field, op, wanted]) => where(id(field), op, wanted)),
    ...spec.orderBy.map(([field, direction]) => orderBy(id(field), direction)),
    ...(after === undefined ? [] : [startAfter(after)]),
    limit(spec.limit),
  );
}
