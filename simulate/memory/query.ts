/** Queries in memory: Firestore's filters, orders, cursors, offsets and limits. */
import { FieldPath } from "../../functions/src/documents/firestore.ts";
import type { Data } from "./fields.ts";
import type { Found } from "./store.ts";
import { comparePaths, compareValues, pathOf, typeRank, valueAt } from "./values.ts";

export type Operator = "==" | "<" | "<=" | ">" | ">=" | "array-contains";

/** A query, with the features that documents/queries.ts uses. */
export interface QuerySpec {
  /** A collection's path, or with `group` the last part of it. */
  collection: string;
  group: boolean;
  filters: readonly { field: string; operator: Operator; value: unknown }[];
  orders: readonly { field: string; descending: boolean }[];
  /** The number of documents to skip. */
  offset: number;
  limit: number;
  /** Whether the limit keeps the last ones. */
  fromEnd?: boolean;
  /** Starts after this place in the order, or at it. */
  after: readonly unknown[] | undefined;
  isWithAfter?: boolean;
  /** Ends before this place, or at it. */
  before: readonly unknown[] | undefined;
  isWithBefore?: boolean;
  /** The fields that are sent; by default all. */
  fields?: readonly string[] | undefined;
}

/** All documents of a collection, or of a group of collections. */
export function everyDocument(collection: string, group = false): QuerySpec {
  const all = { filters: [], orders: [], offset: 0, limit: Infinity, after: undefined, before: undefined };
  return { collection, group, ...all };
}

/** The name under which documents' ids are ordered. */
export const nameField = "__name__";

/** The name of a field that a query was given. */
export function fieldName(field: string | FieldPath): string {
  if (typeof field === "string") return field;
  if (field.isEqual(FieldPath.documentId())) return nameField;
  throw new Error("the imitation knows no field paths but documentId()");
}

/** All orders of a query: its own, those of its inequalities, and the name, which breaks every tie. */
export function ordersOf({ filters, orders }: QuerySpec): QuerySpec["orders"] {
  const descending = orders.at(-1)?.descending ?? false;
  const unequal = filters.filter(({ operator }) => isInequality(operator)).map(({ field }) => field);
  const ordered = new Set(orders.map(({ field }) => field));
  const implied = [...new Set([...unequal.sort(), nameField])].filter((field) => !ordered.has(field));
  return [...orders, ...implied.map((field) => ({ field, descending }))];
}

function isInequality(operator: Operator): boolean {
  return operator !== "==" && operator !== "array-contains";
}

/** Whether a document is among a query's, its place and limit aside. */
function matches(
  { collection, filters, orders }: QuerySpec,
  { data, path }: Pick<Found, "data" | "path">,
): boolean {
  return (
    filters.every(({ field, operator, value }) =>
      field === nameField && operator !== "array-contains"
        ? holds(comparePaths(path, `${collection}/${String(value)}`), operator)
        : satisfies(valueIn(data, field), operator, value),
    ) && orders.every(({ field }) => field === nameField || valueIn(data, field) !== undefined)
  );
}

/** The documents that a query finds, in its order. */
export function select(query: QuerySpec, documents: readonly Found[]): Found[] {
  const orders = ordersOf(query);
  const placed = documents
    .filter((document) => matches(query, document))
    .map((document) => ({ document, place: placeOf(document, orders) }));
  const { after, before, offset, limit } = query;
  const rest = placed.filter(
    ({ place }) =>
      (after === undefined || comparePlaces(orders, place, after) > (query.isWithAfter === true ? -1 : 0)) &&
      (before === undefined || comparePlaces(orders, place, before) < (query.isWithBefore === true ? 1 : 0)),
  );
  rest.sort((a, b) => comparePlaces(orders, a.place, b.place));
  const kept =
    query.fromEnd === true
      ? rest.slice(Math.max(0, rest.length - offset - limit), rest.length - offset)
      : rest.slice(offset, offset + limit);
  return kept.map(({ document }) => document);
}

/** A document's place in an order, as a cursor. */
export function placeOf(document: Pick<Found, "data" | "path">, orders: QuerySpec["orders"]): unknown[] {
  return orders.map(({ field }) => (field === nameField ? document.path : valueIn(document.data, field)));
}

/** The value at a path with dots. */
function valueIn(data: Data, field: string): unknown {
  return field.includes(".") ? valueAt(data, pathOf(field)) : data[field];
}

/** Filters only find values of their own type; NaN is found by equality, never by a range. */
function satisfies(value: unknown, operator: Operator, wanted: unknown): boolean {
  if (operator === "array-contains")
    return Array.isArray(value) && value.some((item) => satisfies(item, "==", wanted));
  if (value === undefined || typeRank(value) !== typeRank(wanted)) return false;
  if (operator !== "==" && (Number.isNaN(value) || Number.isNaN(wanted))) return false;
  return holds(compareValues(value, wanted), operator);
}

/** Whether a comparison came out as an operator wants it. */
function holds(order: number, operator: Exclude<Operator, "array-contains">): boolean {
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

/** Unlike filters, cursors order values of different types too. */
function comparePlaces(orders: QuerySpec["orders"], a: readonly unknown[], b: readonly unknown[]): number {
  for (const [i, { field, descending }] of orders.entries()) {
    if (i >= a.length || i >= b.length) return 0;
    const order = field === nameField ? comparePaths(String(a[i]), String(b[i])) : compareValues(a[i], b[i]);
    if (order !== 0) return descending ? -order : order;
  }
  return 0;
}
