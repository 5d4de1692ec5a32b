/** Values as Firestore stores them, and its order of values of all types. */
import { Timestamp } from "../../functions/src/documents/firestore.ts";

/** A map, not an instance of a class. */
export function isMap(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** The value at a path of names; undefined if there is none. */
export function valueAt(data: unknown, path: readonly string[]): unknown {
  return path.reduce((value, name) => (isMap(value) ? value[name] : undefined), data);
}

/** The names of a path with dots. */
export const pathOf = (field: string): string[] => field.split(".");

/** A time as it is stored: truncated to the microsecond. */
export function storedTime(time: Timestamp): Timestamp {
  const finer = time.nanoseconds % 1_000;
  return finer === 0 ? time : new Timestamp(time.seconds, time.nanoseconds - finer);
}

/** A frozen copy; timestamps are shared, as they never change. */
export function frozen<Value>(value: Value): Value {
  if (Array.isArray(value)) return Object.freeze(value.map(frozen)) as Value;
  if (!isMap(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) copy[key] = frozen(value[key]);
  return Object.freeze(copy) as Value;
}

/** The rank of a type in the order of types. Values of different types are never equal. */
export function typeRank(value: unknown): number {
  if (value === null) return 0;
  if (typeof value === "boolean") return 1;
  if (typeof value === "number") return 2;
  if (value instanceof Timestamp) return 3;
  if (typeof value === "string") return 4;
  return Array.isArray(value) ? 5 : 6;
}

/** Firestore's order of values: by type, then within the type; NaN is the least number. */
export function compareValues(a: unknown, b: unknown): number {
  const rank = typeRank(a) - typeRank(b);
  if (rank !== 0) return rank;
  if (a instanceof Timestamp && b instanceof Timestamp) return compare(a.valueOf(), b.valueOf());
  if (typeof a === "number" && typeof b === "number") return compareNumbers(a, b);
  if (typeof a === "string" && typeof b === "string") return compareStrings(a, b);
  if (typeof a === "boolean" && typeof b === "boolean") return Number(a) - Number(b);
  if (Array.isArray(a) && Array.isArray(b)) return compareLists(a, b);
  if (isMap(a) && isMap(b)) return compareLists(entriesOf(a), entriesOf(b));
  return 0;
}

/** Compares paths of documents name by name: "a/x" comes before "a-b/x", though "-" is less than "/". */
export function comparePaths(a: string, b: string): number {
  return compareLists(a.split("/"), b.split("/"));
}

/** Strings are ordered by their bytes in UTF-8, that is by code points and not by UTF-16 units. */
function compareStrings(a: string, b: string): number {
  if (!surrogate.test(a) && !surrogate.test(b)) return compare(a, b);
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

const surrogate = /[\ud800-\udfff]/;

function compareLists(a: readonly unknown[], b: readonly unknown[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const order = compareValues(a[i], b[i]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Names and values alternately, ordered by name: maps are compared like this. */
function entriesOf(map: Record<string, unknown>): unknown[] {
  return Object.keys(map)
    .sort(compareStrings)
    .flatMap((name) => [name, map[name]]);
}

function compareNumbers(a: number, b: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(b)) - Number(Number.isNaN(a));
  return compare(a, b);
}

function compare<Value extends number | string>(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
