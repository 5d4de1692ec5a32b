/**
 * Firestore's rules for indexes, which the emulators do not enforce: which index a query needs, whether
 * `firestore.indexes.json` or Firestore's automatic indexing has it, and how many index entries a document causes.
 *
 * From https://firebase.google.com/docs/firestore/query-data/index-overview:
 *
 * - Each field has an ascending and a descending index of collection scope, unless a field override says otherwise;
 *   an override of a map holds for its subfields. A query over a collection group needs an override that names that scope.
 * - A query that filters or orders by more than one field needs a composite index: first the fields of the equality
 *   filters, in any order, then those of the range and the order, in order and direction. `__name__` ends each
 *   index, in the direction of the field before it. (Firestore can also merge indexes for equality filters; a
 *   query that relies on that counts as having no index here.)
 * - Each scalar field, also inside maps, has an entry in each of its indexes; an array one for each element. A composite
 *   index has an entry for each element of its array, and none of a document without it.
 */

import { isDeepStrictEqual } from "node:util";
import type { Index, IndexFile, Override } from "../../cli/init/index-file.ts";

export type { IndexFile };
type IndexedField = Index["fields"][number];
type FieldIndex = Override["indexes"][number];

/** The parts of a sent structured query that its index depends on. */
export interface SentQuery {
  from?: { collectionId?: string; allDescendants?: boolean }[];
  where?: SentFilter | null;
  orderBy?: { field?: { fieldPath?: string }; direction?: string }[];
}

interface SentFilter {
  compositeFilter?: { op?: string; filters?: SentFilter[] };
  fieldFilter?: { field?: { fieldPath?: string }; op?: string };
  unaryFilter?: { field?: { fieldPath?: string }; op?: string };
}

/** An index that a query needs: `equal` fields in any order, then `ordered` ones, `__name__` the last of them. */
export interface NeededIndex {
  collectionGroup: string;
  scope: "COLLECTION" | "COLLECTION_GROUP";
  equal: string[];
  ordered: { fieldPath: string; order: string }[];
  /** The array that must contain a value. */
  contains?: string;
}

const nameField = "__name__";

/** What decides about the index of a query. @throws for kinds of queries that Firerank does not send, such as OR. */
function partsOf({ from = [], where, orderBy = [] }: SentQuery) {
  const collectionGroup = from[0]?.collectionId;
  if (collectionGroup === undefined || from.length !== 1)
    throw new Error("a query must be of one collection");
  const filters = where == null ? [] : filtersOf(where);
  const pathsOf = (isWanted: (op: string) => boolean) => [
    ...new Set(filters.filter(({ op }) => isWanted(op)).map(({ fieldPath }) => fieldPath)),
  ];
  // For `in`, the index of as many equalities.
  const equal = pathsOf((op) => op === "EQUAL" || op === "IN");
  const [contains] = pathsOf((op) => op === "ARRAY_CONTAINS" || op === "ARRAY_CONTAINS_ANY");
  const ranges = pathsOf((op) => op.includes("_THAN"));
  const orders = orderBy
    .map(({ field, direction }) => ({ fieldPath: field?.fieldPath ?? "", order: direction ?? "ASCENDING" }))
    .filter(({ fieldPath }) => !equal.includes(fieldPath));
  const scope: NeededIndex["scope"] = from[0]?.allDescendants === true ? "COLLECTION_GROUP" : "COLLECTION";
  return { collectionGroup, scope, equal, orders, ranges, ...(contains !== undefined && { contains }) };
}

/** The index that answers a query. */
export function neededIndex(query: SentQuery): NeededIndex {
  const { orders: ordered, ranges, ...needed } = partsOf(query);
  for (const fieldPath of [...ranges.toSorted(), nameField])
    if (!ordered.some((field) => field.fieldPath === fieldPath))
      ordered.push({ fieldPath, order: ordered.at(-1)?.order ?? "ASCENDING" });
  return { ...needed, ordered };
}

/** Whether a query finds its index among the automatic ones and those of the file. */
export function hasIndex(needed: NeededIndex, file: IndexFile): boolean {
  const { collectionGroup, equal, ordered, contains } = needed;
  const fields = ordered.map(({ fieldPath }) => fieldPath).filter((path) => path !== nameField);
  const [fieldPath, ...others] = [...equal, ...fields, ...(contains === undefined ? [] : [contains])];
  // By id alone: of a collection group too, as `getPartitions` divides such queries.
  if (fieldPath === undefined) return ordered.at(-1)?.order === "ASCENDING";
  const ofField = fieldIndexes(collectionGroup, fieldPath, file).map(({ queryScope, ...index }) => ({
    collectionGroup,
    queryScope,
    fields: [{ fieldPath, ...index }],
  }));
  const indexes = others.length === 0 ? [...ofField, ...file.indexes] : file.indexes;
  return indexes.some((index) => {
    const rest = orderIn(index, needed);
    if (rest === undefined) return false;
    const last = index.fields.at(-1);
    const isNamed = last?.fieldPath === nameField;
    const name = { fieldPath: nameField, order: last?.order ?? "ASCENDING" };
    return isDeepStrictEqual(isNamed ? rest : [...rest, name], ordered);
  });
}

/**
 * Whether an Enterprise database finds what a query asks for by one of its indexes, in the order that the query wants.
 * There is none but those of the list, none is merged with another, and no `__name__` is implied. Documents without a
 * condition or order but their ids need none.
 */
export function hasEnterpriseIndex(query: SentQuery, indexes: readonly Index[]): boolean {
  const { orders, ranges: all, ...needed } = partsOf(query);
  const { equal, contains, scope } = needed;
  const ranges = all.filter((path) => path !== nameField);
  const isPlain = equal.length === 0 && contains === undefined && ranges.length === 0;
  if (isPlain && orders.every(({ fieldPath, order }) => fieldPath === nameField && order === "ASCENDING"))
    return scope === "COLLECTION";
  return indexes.some((index) => {
    const rest = orderIn(index, needed);
    if (rest === undefined) return false;
    // What contains one value is in order of the ids.
    if (contains !== undefined && equal.length + ranges.length === 0) return true;
    const ordered = rest.slice(0, Math.max(1, orders.length));
    return (
      isDeepStrictEqual(rest.slice(0, orders.length), orders) &&
      ranges.every((path) => ordered.some(({ fieldPath }) => fieldPath === path))
    );
  });
}

/**
 * The fields that order an index, after the array that must contain a value and those of the equality filters; undefined
 * if it is another collection's, or has other fields first.
 */
function orderIn(
  { collectionGroup, queryScope, fields }: Index,
  needed: Omit<NeededIndex, "ordered">,
): IndexedField[] | undefined {
  const { contains, equal } = needed;
  const arrays = fields.flatMap(({ fieldPath, arrayConfig }) =>
    arrayConfig === undefined ? [] : [fieldPath],
  );
  const begins = [
    ...arrays,
    ...fields
      .slice(arrays.length, arrays.length + equal.length)
      .map(({ fieldPath }) => fieldPath)
      .toSorted(),
  ];
  const wanted = [...(contains === undefined ? [] : [contains]), ...equal.toSorted()];
  const isOfIt = collectionGroup === needed.collectionGroup && queryScope === needed.scope;
  return isOfIt && isDeepStrictEqual(begins, wanted) ? fields.slice(wanted.length) : undefined;
}

/**
 * How many index entries a document causes, at most: maps and arrays count as values beside what they hold.
 * Firestore allows 40,000.
 */
export function indexEntries(collectionGroup: string, fields: object, file: IndexFile): number {
  return Object.entries(fields).reduce(
    (sum, [name, value]) => sum + entriesOf(collectionGroup, name, value, file),
    compositeEntries(collectionGroup, fields, file),
  );
}

/** Those in composite indexes. */
export function compositeEntries(collectionGroup: string, fields: object, file: IndexFile): number {
  const composites = file.indexes.filter((index) => index.collectionGroup === collectionGroup);
  return composites.reduce((sum, { fields: indexed }) => sum + timesIn(fields, indexed), 0);
}

/** How often a document is in a composite index: once, or for each element of its array. */
function timesIn(fields: object, indexed: readonly IndexedField[]): number {
  const array = indexed.find(({ arrayConfig }) => arrayConfig !== undefined);
  if (array === undefined) return 1;
  const value = array.fieldPath
    .split(".")
    .reduce<unknown>((inner, name) => (isMap(inner) ? Reflect.get(inner, name) : undefined), fields);
  return Array.isArray(value) ? value.length : 0;
}

function entriesOf(collectionGroup: string, path: string, value: unknown, file: IndexFile): number {
  if (value === undefined) return 0;
  const indexes = fieldIndexes(collectionGroup, path, file);
  const own = indexes.filter(({ order }) => order !== undefined).length;
  if (Array.isArray(value)) {
    return own + indexes.filter(({ arrayConfig }) => arrayConfig !== undefined).length * value.length;
  }
  if (!isMap(value)) return own;
  const inner = Object.entries(value).map(([key, item]) =>
    entriesOf(collectionGroup, `${path}.${key}`, item, file),
  );
  return inner.reduce((a, b) => a + b, own);
}

/** The automatic indexes that an override takes away from foreign collections of that name. */
export function indexesLost(collectionGroup: string, fieldPath: string, file: IndexFile): FieldIndex[] {
  const left = fieldIndexes(collectionGroup, fieldPath, file);
  return automatic.filter((index) => !left.some((other) => JSON.stringify(other) === JSON.stringify(index)));
}

const automatic: FieldIndex[] = [
  { order: "ASCENDING", queryScope: "COLLECTION" },
  { order: "DESCENDING", queryScope: "COLLECTION" },
  { arrayConfig: "CONTAINS", queryScope: "COLLECTION" },
];

/** The single-field indexes of a field: those of the nearest override, of the field itself or a map around it. */
function fieldIndexes(
  collectionGroup: string,
  fieldPath: string,
  { fieldOverrides }: IndexFile,
): FieldIndex[] {
  const parts = fieldPath.split(".");
  const paths = parts.map((_, i) => parts.slice(0, parts.length - i).join("."));
  for (const path of [...paths, "*"]) {
    const found = fieldOverrides.find(
      (field) => field.collectionGroup === collectionGroup && field.fieldPath === path,
    );
    if (found !== undefined) return found.indexes;
  }
  return automatic;
}

const ops = /^(EQUAL|IN|ARRAY_CONTAINS|ARRAY_CONTAINS_ANY|(LESS|GREATER)_THAN(_OR_EQUAL)?)$/;

function filtersOf({
  compositeFilter,
  fieldFilter,
  unaryFilter,
}: SentFilter): { fieldPath: string; op: string }[] {
  if (compositeFilter?.op === "AND") return (compositeFilter.filters ?? []).flatMap(filtersOf);
  const op = fieldFilter?.op ?? "";
  const fieldPath = fieldFilter?.field?.fieldPath;
  if (compositeFilter == null && unaryFilter == null && fieldPath !== undefined && ops.test(op))
    return [{ fieldPath, op }];
  throw new Error(
    `the check knows no such filter: ${JSON.stringify({ compositeFilter, fieldFilter, unaryFilter })}`,
  );
}

function isMap(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
