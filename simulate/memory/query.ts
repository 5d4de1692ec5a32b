/** Queries as the client library sends them, and what they find in memory. */
import type { Timestamp } from "../../functions/src/documents/firestore.ts";
import { type Data, type Found, grpcError, type Store } from "./store.ts";
import { comparePaths, compareValues, pathOf, typeRank, valueAt } from "./values.ts";
import type { WireCursor, WireFilter, WireQuery, WireValue } from "./wire/messages.ts";
import { fieldFrom, nameField, pathOfName, valueFrom } from "./wire/values.ts";

interface Order {
  field: string;
  descending: boolean;
}

/** What a comparison has to come out as. */
const comparisons = {
  EQUAL: (order: number) => order === 0,
  LESS_THAN: (order: number) => order < 0,
  LESS_THAN_OR_EQUAL: (order: number) => order <= 0,
  GREATER_THAN: (order: number) => order > 0,
  GREATER_THAN_OR_EQUAL: (order: number) => order >= 0,
};

type Comparison = keyof typeof comparisons;

/** Comparisons with lists. */
const ofLists = ["ARRAY_CONTAINS", "ARRAY_CONTAINS_ANY", "IN"] as const;
const isOfLists = (operator: string) => (ofLists as readonly string[]).includes(operator);

interface Filter {
  field: string;
  operator: Comparison | (typeof ofLists)[number];
  /** A document's name is compared with a path. */
  value: unknown;
}

export type QuerySpec = ReturnType<typeof specOf>;

/** @throws `invalidArgument` for a query with a feature that the database in memory does not have. */
export function specOf(parent: string, query: WireQuery) {
  const { from, where = {}, orderBy = [], startAt, endAt, offset = 0, limit, select } = query;
  const [{ collectionId = "", allDescendants = false } = {}] = from;
  const under = pathOfName(parent);
  const orders = orderBy.map(({ field, direction }) => ({
    field: fieldFrom(field.fieldPath),
    descending: direction === "DESCENDING",
  }));
  const placeAt = ({ values }: WireCursor) => values.map((value, i) => operandOf(orders[i]?.field, value));
  return {
    /** A collection's path, or with `group` the last part of it; a group without a name has all collections. */
    collection: allDescendants || under === "" ? collectionId : `${under}/${collectionId}`,
    group: allDescendants,
    /** The path of a document or "": the collections of a group lie below it. */
    under,
    filters: filtersOf(where),
    orders,
    offset,
    limit: limit?.value ?? Infinity,
    after: startAt && placeAt(startAt),
    isWithAfter: startAt?.before === true,
    before: endAt && placeAt(endAt),
    isWithBefore: endAt?.before !== true,
    /** The fields that are sent; by default all. */
    fields: select?.fields.map(({ fieldPath }) => fieldFrom(fieldPath)),
  };
}

const singleValues: Readonly<Record<string, unknown>> = { IS_NULL: null, IS_NAN: NaN };

function filtersOf({ compositeFilter, fieldFilter, unaryFilter }: WireFilter): Filter[] {
  if (compositeFilter?.op === "AND") return compositeFilter.filters.flatMap(filtersOf);
  if (fieldFilter !== undefined) {
    const { op, field, value } = fieldFilter;
    const name = fieldFrom(field.fieldPath);
    if (op in comparisons || isOfLists(op))
      return [{ field: name, operator: op as Filter["operator"], value: operandOf(name, value) }];
  }
  if (unaryFilter !== undefined) {
    const { op, field } = unaryFilter;
    if (op in singleValues)
      return [{ field: fieldFrom(field.fieldPath), operator: "EQUAL", value: singleValues[op] }];
  }
  const kind = compositeFilter?.op ?? fieldFilter?.op ?? unaryFilter?.op;
  if (kind === undefined) return [];
  throw grpcError("invalidArgument", `the database in memory knows no filter ${kind}`);
}

/** What a field is compared with; a document's name with a path. */
function operandOf(field: string | undefined, value: WireValue): unknown {
  const { referenceValue } = value;
  return field === nameField && referenceValue !== undefined ? pathOfName(referenceValue) : valueFrom(value);
}

/** All orders of a query: its own, those of its inequalities, and the name, which breaks every tie. */
function ordersOf({ filters, orders }: QuerySpec): readonly Order[] {
  const descending = orders.at(-1)?.descending ?? false;
  const unequal = filters.filter(({ operator }) => operator.includes("_THAN")).map(({ field }) => field);
  const ordered = new Set(orders.map(({ field }) => field));
  const implied = [...new Set([...unequal.sort(), nameField])].filter((field) => !ordered.has(field));
  return [...orders, ...implied.map((field) => ({ field, descending }))];
}

/** The documents that a query finds in a store, in its order; as of a time, by default now. */
export function find(store: Store, query: QuerySpec, at?: Timestamp): Found[] {
  const { filters, after, before, offset, limit, isWithAfter, isWithBefore } = query;
  const orders = ordersOf(query);
  if (isBackwardsById(orders, filters))
    throw grpcError("failedPrecondition", "Firestore does not support descending key scans");
  function isWithin(place: readonly unknown[]): boolean {
    // Who lacks a field of the order is not found.
    if (place.includes(undefined)) return false;
    if (after !== undefined && comparePlaces(orders, place, after) < (isWithAfter ? 0 : 1)) return false;
    return before === undefined || comparePlaces(orders, place, before) < (isWithBefore ? 1 : 0);
  }
  return collectionsOf(store, query)
    .flatMap((collection) => store.list(collection, at))
    .filter((document) => filters.every((filter) => matches(filter, document)))
    .map((document) => ({ document, place: placeOf(document, orders) }))
    .filter(({ place }) => isWithin(place))
    .sort((a, b) => comparePlaces(orders, a.place, b.place))
    .slice(offset, offset + limit)
    .map(({ document }) => document);
}

/** No index of one field alone has the ids from the last to the first. */
function isBackwardsById([first]: readonly Order[], filters: readonly Filter[]): boolean {
  const isEqualAlone = ({ operator }: Filter) => !operator.includes("_THAN");
  return first?.field === nameField && first.descending && !filters.some(isEqualAlone);
}

/** The paths of the collections that a query looks at. */
function collectionsOf(store: Store, { collection, group, under }: QuerySpec): string[] {
  if (!group) return [collection];
  const within = under === "" ? "" : `${under}/`;
  const all = collection === "" ? store.collections() : store.collections(collection);
  return all.filter((path) => path.startsWith(within));
}

/** A document's place in an order, as a cursor. A field that it does not have is undefined. */
function placeOf({ path, data }: Pick<Found, "data" | "path">, orders: readonly Order[]): unknown[] {
  return orders.map(({ field }) => (field === nameField ? path : valueIn(data, field)));
}

/** Compares as many parts of two places as both have. Unlike filters, it orders values of different types too. */
function comparePlaces(orders: readonly Order[], a: readonly unknown[], b: readonly unknown[]): number {
  const parts = Math.min(orders.length, a.length, b.length);
  for (let i = 0; i < parts; i++) {
    const { field = "", descending = false } = orders[i] ?? {};
    const order = field === nameField ? comparePaths(String(a[i]), String(b[i])) : compareValues(a[i], b[i]);
    if (order !== 0) return descending ? -order : order;
  }
  return 0;
}

/** Filters only find values of their own type; NaN is found by equality, never by a range. */
function matches({ field, operator, value: wanted }: Filter, { data, path }: Found): boolean {
  if (operator in comparisons && field === nameField)
    return comparisons[operator as Comparison](comparePaths(path, String(wanted)));
  const value = valueIn(data, field);
  if (operator === "IN")
    return (wanted as readonly unknown[]).some((one) => !isSingle(one) && isEqual(value, one));
  const contains = (one: unknown) => Array.isArray(value) && value.some((element) => isEqual(element, one));
  if (operator === "ARRAY_CONTAINS_ANY") return (wanted as readonly unknown[]).some(contains);
  if (operator === "ARRAY_CONTAINS") return contains(wanted);
  if (operator === "EQUAL") return isEqual(value, wanted);
  if (value === undefined || typeRank(value) !== typeRank(wanted)) return false;
  return !Number.isNaN(value) && !Number.isNaN(wanted) && comparisons[operator](compareValues(value, wanted));
}

/** What `in` never finds. */
const isSingle = (value: unknown) => value === null || Number.isNaN(value);

const isEqual = (value: unknown, wanted: unknown) =>
  value !== undefined && typeRank(value) === typeRank(wanted) && compareValues(value, wanted) === 0;

/** The value of a field, which may lie in maps. */
function valueIn(data: Data, field: string): unknown {
  return /[.`]/.test(field) ? valueAt(data, pathOf(field)) : data[field];
}
