/** The orders of queries, and documents in such an order. */
import type { Data, Found } from "./store.ts";
import { comparePaths, compareValues, pathOf, valueAt } from "./values.ts";

export interface Order {
  field: string;
  descending: boolean;
}

/** The name under which documents' ids are ordered. */
export const nameField = "__name__";

/** A document and its place in an order. */
export interface Entry {
  document: Found;
  place: readonly unknown[];
}

/** The documents that have all fields of an order, in this order. */
export function inOrder(documents: readonly Found[], orders: readonly Order[]): Entry[] {
  const entries: Entry[] = [];
  for (const document of documents) {
    const place = placeOf(document, orders);
    if (!place.includes(undefined)) entries.push({ document, place });
  }
  return entries.sort((a, b) => comparePlaces(orders, a.place, b.place));
}

/** A document's place in an order, as a cursor. A field that it does not have is undefined. */
export function placeOf({ path, data }: Pick<Found, "data" | "path">, orders: readonly Order[]): unknown[] {
  return orders.map(({ field }) => (field === nameField ? path : valueIn(data, field)));
}

/** Compares as many parts of two places as both have. Unlike filters, it orders values of different types too. */
export function comparePlaces(
  orders: readonly Order[],
  a: readonly unknown[],
  b: readonly unknown[],
): number {
  const parts = Math.min(orders.length, a.length, b.length);
  for (let i = 0; i < parts; i++) {
    const { field = "", descending = false } = orders[i] ?? {};
    const order = field === nameField ? comparePaths(String(a[i]), String(b[i])) : compareValues(a[i], b[i]);
    if (order !== 0) return descending ? -order : order;
  }
  return 0;
}

/** The index of the first entry of which something is true, as it is of all after it; their number if of none. */
export function firstIndex(entries: readonly Entry[], isTrue: (entry: Entry) => boolean): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const entry = entries[middle];
    if (entry !== undefined && !isTrue(entry)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The value of a field, which may lie in maps. */
export function valueIn(data: Data, field: string): unknown {
  return /[.`]/.test(field) ? valueAt(data, pathOf(field)) : data[field];
}
