/** Queries in memory: Firestore's filters, orders, cursors, offsets and limits. */
import type { Timestamp } from "../../functions/src/documents/firestore.ts";
import { indexOf } from "./indexes.ts";
import {
  comparePart,
  comparePlaces,
  type Entry,
  firstIndex,
  inOrder,
  nameField,
  type Order,
  valueIn,
} from "./order.ts";
import type { Found, Store } from "./store.ts";
import { comparePaths, compareValues, typeRank } from "./values.ts";

export type Operator = "==" | "<" | "<=" | ">" | ">=" | "in" | "array-contains";

/** A query, with the features that documents/queries.ts uses. */
export interface QuerySpec {
  /** A collection's path, or with `group` the last part of it; a group without a name has all collections. */
  collection: string;
  group: boolean;
  /** The path of a document or "": the collections of a group lie below it. */
  under: string;
  /** A document's name is compared with a path. */
  filters: readonly { field: string; operator: Operator; value: unknown }[];
  orders: readonly Order[];
  /** The number of documents to skip. */
  offset: number;
  limit: number;
  /** Starts after this place in the order, or at it. */
  after: readonly unknown[] | undefined;
  isWithAfter: boolean;
  /** Ends before this place, or at it. */
  before: readonly unknown[] | undefined;
  isWithBefore: boolean;
  /** The fields that are sent; by default all. */
  fields: readonly string[] | undefined;
}

/** All orders of a query: its own, those of its inequalities, and the name, which breaks every tie. */
function ordersOf({ filters, orders }: QuerySpec): readonly Order[] {
  const descending = orders.at(-1)?.descending ?? false;
  const unequal = filters.filter(({ operator }) => isInequality(operator)).map(({ field }) => field);
  const ordered = new Set(orders.map(({ field }) => field));
  const implied = [...new Set([...unequal.sort(), nameField])].filter((field) => !ordered.has(field));
  return [...orders, ...implied.map((field) => ({ field, descending }))];
}

type Inequality = "<" | "<=" | ">" | ">=";

function isInequality(operator: Operator): operator is Inequality {
  return operator !== "==" && operator !== "in" && operator !== "array-contains";
}

/** The documents that a query finds in a store, in its order; as of a time, by default now. */
export function find(store: Store, query: QuerySpec, at?: Timestamp): Found[] {
  const { collection, group, under } = query;
  const orders = ordersOf(query);
  if (!group && (at === undefined || store.isPresent(at)))
    return select(query, orders, indexOf(store, collection, orders));
  if (!group) return select(query, orders, inOrder(store.list(collection, at), orders));
  const within = under === "" ? "" : `${under}/`;
  const last = collection === "" ? "" : `/${collection}`;
  const from = store.collections().filter((path) => path.startsWith(within) && `/${path}`.endsWith(last));
  const documents = from.flatMap((path) => store.list(path, at));
  return select(query, orders, inOrder(documents, orders));
}

/** @param entries all documents, in the query's order. */
function select(query: QuerySpec, orders: readonly Order[], entries: readonly Entry[]): Found[] {
  const { after, before, offset, limit, isWithAfter, isWithBefore } = query;
  const [first] = orders;
  let [low, high] = [0, entries.length];
  const narrow = (begin: (entry: Entry) => boolean, end: (entry: Entry) => boolean) => {
    low = Math.max(low, firstIndex(entries, begin));
    high = Math.min(high, firstIndex(entries, end));
  };
  const never = () => false;
  const always = () => true;
  if (after !== undefined) {
    const least = isWithAfter ? 0 : 1;
    narrow(({ place }) => comparePlaces(orders, place, after) >= least, never);
  }
  if (before !== undefined) {
    const least = isWithBefore ? 1 : 0;
    narrow(always, ({ place }) => comparePlaces(orders, place, before) >= least);
  }
  const rest = query.filters.filter(({ field, operator, value }) => {
    if (field !== first?.field || !isInequality(operator)) return true;
    const side = sideOf(field, operator, value, first.descending);
    narrow(
      ({ place }) => side(place[0]) >= 0,
      ({ place }) => side(place[0]) > 0,
    );
    return false;
  });
  const found: Found[] = [];
  for (let i = low; i < high && found.length < offset + limit; i++) {
    const document = entries[i]?.document;
    if (document !== undefined && matches(rest, document)) found.push(document);
  }
  return found.slice(offset);
}

/** Says of a value of the first order whether it comes before (-1), among or after (1) those that an inequality finds. */
function sideOf(
  field: string,
  operator: Inequality,
  wanted: unknown,
  descending: boolean,
): (value: unknown) => number {
  const rank = typeRank(wanted);
  const up = (value: unknown) => {
    if (field !== nameField && (typeRank(value) !== rank || Number.isNaN(value) || Number.isNaN(wanted)))
      return typeRank(value) > rank ? 1 : -1;
    return holds(comparePart(field, value, wanted), operator) ? 0 : operator.startsWith(">") ? -1 : 1;
  };
  return (value) => (descending ? -up(value) : up(value));
}

function matches(filters: QuerySpec["filters"], { data, path }: Found): boolean {
  return filters.every(({ field, operator, value }) =>
    field === nameField && operator !== "array-contains" && operator !== "in"
      ? holds(comparePaths(path, String(value)), operator)
      : satisfies(valueIn(data, field), operator, value),
  );
}

/** Filters only find values of their own type; NaN is found by equality, never by a range. */
function satisfies(value: unknown, operator: Operator, wanted: unknown): boolean {
  if (operator === "in") return (wanted as readonly unknown[]).some((one) => satisfies(value, "==", one));
  if (operator === "array-contains")
    return Array.isArray(value) && value.some((item) => satisfies(item, "==", wanted));
  if (value === undefined || typeRank(value) !== typeRank(wanted)) return false;
  if (operator !== "==" && (Number.isNaN(value) || Number.isNaN(wanted))) return false;
  return holds(compareValues(value, wanted), operator);
}

/** Whether a comparison came out as an operator wants it. */
function holds(order: number, operator: Exclude<Operator, "in" | "array-contains">): boolean {
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
