/**
 * Listens with Firestore's SDK: to a document, or to a query. Only read.ts imports this file, when it is needed.
 *
 * An empty snapshot from the SDK's cache says that Firestore cannot be reached: the SDK sends one only after it has given
 * up for now, after ten seconds or a refused connection, and sends another when it has reached it.
 */
import {
  collection,
  collectionGroup,
  doc,
  type DocumentData,
  documentId,
  limit,
  onSnapshot,
  orderBy,
  query,
  type Query,
  where,
} from "firebase/firestore";
import { unreached } from "../errors.ts";
import { firestore } from "../firebase/firestore.ts";
import { type Stretch, stretchOf } from "./firestore-json.ts";
import { idField, type QuerySpec } from "./queries.ts";

/** See `watchDocument`. */
export function listenToDocument(
  path: string,
  tell: (data: DocumentData | undefined, isOld: boolean) => void,
  fail: (error: unknown) => void,
): () => void {
  let isKnown = false;
  return onSnapshot(
    doc(firestore(), path),
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

/** See `watchQuery`. */
export function listenToQuery(
  spec: QuerySpec,
  tell: (stretch: Stretch, isOld: boolean) => void,
  fail: (error: unknown) => void,
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
        const found = snapshot.docs.map((one) => ({ id: one.id, path: one.ref.path, data: one.data() }));
        tell(stretchOf(spec, found), fromCache);
      } else fail(unreached());
    },
    fail,
  );
}

function toQuery({ collection: path, group, ...spec }: QuerySpec): Query {
  const db = firestore();
  const id = (field: string) => (field === idField ? documentId() : field);
  return query(
    group === true ? collectionGroup(db, path) : collection(db, path),
    ...spec.where.map(([field, op, wanted]) => where(id(field), op, wanted)),
    ...spec.orderBy.map(([field, direction]) => orderBy(id(field), direction)),
    limit(spec.limit),
  );
}
