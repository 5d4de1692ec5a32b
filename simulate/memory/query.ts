/** Queries in memory: Firestore's filters, its order of values of all types, cursors and limits. */
import { FieldPath, Timestamp } from "../../functions/src/firestore.ts";
import type { Data } from "./fields.ts";
import type { Found } from "./store.ts";

export type Operator = "==" | "<" | "<=" | ">" | ">=";

/** A query, as far as those of model/queries.ts go. */
export interface QuerySpec {
  /** A collection's path, or with `group` the last part of it. */
  collection: string;
  group: boolean;
  filters: readonly { field: string; operator: Operator; value: unknown }[];
  orders: readonly { field: string; descending: boolean }[];
  limit: number;
  /** Whether the limit keeps the last ones. */
  fromEnd?: boolean;
  /** Begins after this place in the order, or with it. */
  after: readonly unknown[] | undefined;
  isWithAfter?: boolean;
  /** Ends before this one, or with it. */
  before: readonly unknown[] | undefined;
  isWithBefore?: boolean;
}

/** The name under which documents' ids are ordered. */
export const nameField = "__name__";

/** The name of a field that a query was given. */
export function fieldName(field: string | FieldPath): string {
  if (typeof field === "string") return field;
  if (field.isEqual(FieldPath.documentId())) return nameField;
  throw new Error("the simulation knows no field paths but documentId()");
}

/** All orders of a query: its own, that of its inequality, and the name, which breaks every tie. */
export function ordersOf({ filters, orders }: QuerySpec): QuerySpec["orders"] {
  const inequality = filters.find(({ operator }) => operator !== "==")?.field;
  const own =
    orders.length === 0 && inequality !== undefined ? [{ field: inequality, descending: false }] : orders;
  if (own.some(({ field }) => field === nameField)) return own;
  return [...own, { field: nameField, descending: own.at(-1)?.descending ?? false }];
}

/** Whether a document's fields are among a query's, its place and limit aside. */
export function matches({ filters, orders }: QuerySpec, data: Data): boolean {
  return (
    filters.every(({ field, operator, value }) => satisfies(valueAt(data, field), operator, value)) &&
    orders.every(({ field }) => field === nameField || valueAt(data, field) !== undefined)
  );
}

/** The documents that a query finds, in its order. */
export function select(query: QuerySpec, documents: readonly Found[]): Found[] {
  const orders = ordersOf(query);
  const placed = documents
    .filter(({ data }) => matches(query, data))
    .map((document) => ({ document, place: placeOf(document, orders) }));
  const { after, before, limit } = query;
  const rest = placed.filter(
    ({ place }) =>
      (after === undefined || comparePlaces(orders, place, after) > (query.isWithAfter === true ? -1 : 0)) &&
      (before === undefined || comparePlaces(orders, place, before) < (query.isWithBefore === true ? 1 : 0)),
  );
  rest.sort((a, b) => comparePlaces(orders, a.place, b.place));
  const kept = query.fromEnd === true ? rest.slice(Math.max(0, rest.length - limit)) : rest.slice(0, limit);
  return kept.map(({ document }) => document);
}

/** A document's place in an order, as a cursor. */
export function placeOf(document: Pick<Found, "data" | "path">, orders: QuerySpec["orders"]): unknown[] {
  return orders.map(({ field }) => (field === nameField ? document.path : valueAt(document.data, field)));
}

/** The value at a dotted path. */
function valueAt(data: Data, field: string): unknown {
  if (!field.includes(".")) return data[field];
  return field.split(".").reduce<unknown>((value, name) => (value as Data | undefined)?.[name], data);
}

/** Firestore's order of values: by type, then within the type; NaN is the least number. */
export function compareValues(a: unknown, b: unknown): number {
  const rank = typeRank(a) - typeRank(b);
  if (rank !== 0) return rank;
  if (a instanceof Timestamp && b instanceof Timestamp) return compare(a.valueOf(), b.valueOf());
  if (typeof a === "number" && typeof b === "number") return compareNumbers(a, b);
  if (typeof a === "string" && typeof b === "string") return compare(a, b);
  if (typeof a === "boolean" && typeof b === "boolean") return Number(a) - Number(b);
  return 0;
}

function satisfies(value: unknown, operator: Operator, wanted: unknown): boolean {
  if (value === undefined || typeRank(value) !== typeRank(wanted)) return false;
  const order = compareValues(value, wanted);
  switch (operator) {
    case "==":
      return order === 0;
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    case ">":
      return order > 0;
    case ">=":
      return order >= 0;
  }
}

function comparePlaces(orders: QuerySpec["orders"], a: readonly unknown[], b: readonly unknown[]): number {
  for (const [i, { descending }] of orders.entries()) {
    if (i >= a.length || i >= b.length) return 0;
    const order = compareValues(a[i], b[i]);
    if (order !== 0) return descending ? -order : order;
  }
  return 0;
}

function compareNumbers(a: number, b: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(b)) - Number(Number.isNaN(a));
  return compare(a, b);
}

function compare<Value extends number | string>(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function typeRank(value: unknown): number {
  if (value === null) return 0;
  if (typeof value === "boolean") return 1;
  if (typeof value === "number") return 2;
  if (value instanceof Timestamp) return 3;
  if (typeof value === "string") return 4;
  return Array.isArray(value) ? 5 : 6;
}
