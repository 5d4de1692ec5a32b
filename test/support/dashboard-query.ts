/** Queries of the dashboard, as its client sends them. */
import { FieldPath, type Firestore, type Query } from "../../functions/src/documents/firestore.ts";
import { idField, type QuerySpec } from "../../web/src/data/queries.ts";

/** The orders of Firebase's client for the web always end with the id. */
export function dashboardQuery(
  db: Firestore,
  { collection, group, where, orderBy, limit }: QuerySpec,
): Query {
  const idOf = (field: string) => (field === idField ? FieldPath.documentId() : field);
  // In a group, ids are whole paths.
  const documentNamed = (id: unknown) => db.doc(group === true ? String(id) : `${collection}/${String(id)}`);
  const all: Query = group === true ? db.collectionGroup(collection) : db.collection(collection);
  const found = where.reduce(
    (one, [field, op, value]) => one.where(idOf(field), op, field === idField ? documentNamed(value) : value),
    all,
  );
  const [field, direction] = orderBy.at(-1) ?? [undefined, "asc" as const];
  const orders = field === idField ? orderBy : [...orderBy, [idField, direction] as const];
  return orders.reduce((one, [by, way]) => one.orderBy(idOf(by), way), found).limit(limit);
}
