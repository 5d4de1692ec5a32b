/** The results of reads: snapshots of documents, with the parts that Firerank uses, and cursors made from them. */
import type { Timestamp } from "../../functions/src/documents/firestore.ts";
import type { Data } from "./fields.ts";
import { nameField, placeOf } from "./order.ts";
import { ordersOf, type QuerySpec } from "./query.ts";
import type { Found } from "./store.ts";
import { frozen, pathOf, valueAt } from "./values.ts";

/** The snapshot of a document, found or not. @param fields those that are sent; by default all. */
export function documentResult<Ref extends { path: string; id: string }>(
  ref: Ref,
  found: Found | undefined,
  readTime: Timestamp,
  fields?: readonly string[],
) {
  const data = found && (fields === undefined ? found.data : frozen(only(found.data, fields)));
  return {
    ref,
    id: ref.id,
    exists: found !== undefined,
    data: () => data,
    get: (field: string) => valueAt(data, pathOf(field)),
    updateTime: found?.updateTime,
    createTime: found?.createTime,
    readTime,
  };
}

export type DocumentResult = ReturnType<typeof documentResult<{ path: string; id: string }>>;

/** A place in a query's order, from a document's snapshot or from values. */
export function cursorOf(spec: QuerySpec, place: readonly unknown[]): unknown[] {
  const [first] = place;
  if (typeof first === "object" && first !== null && "ref" in first) {
    const { ref, data } = first as DocumentResult;
    const at = placeOf({ path: ref.path, data: data() ?? {} }, ordersOf(spec));
    // Even if the document has it, but it was not among the fields that were sent.
    if (at.includes(undefined)) throw new Error("the snapshot lacks a field of the query's order");
    return at;
  }
  if (place.length === 0 || place.length > spec.orders.length)
    throw new Error("a cursor has one to as many values as the query has orders");
  // A plain id stands for the document of that name.
  return place.map((value, i) =>
    spec.orders[i]?.field === nameField && !spec.group ? `${spec.collection}/${String(value)}` : value,
  );
}

/** These fields of a document alone. */
export function only(data: Data, fields: readonly string[]): Data {
  const kept: Record<string, unknown> = {};
  for (const field of fields) {
    const path = pathOf(field);
    const value = valueAt(data, path);
    if (value !== undefined) putAt(kept, path, value);
  }
  return kept;
}

function putAt(map: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [field = "", ...rest] = path;
  if (rest.length === 0) map[field] = value;
  else putAt((map[field] ??= {}) as Record<string, unknown>, rest, value);
}
