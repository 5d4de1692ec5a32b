/** Values as Firestore stores them, and its order of values of all types. */
import { Timestamp } from "../../functions/src/documents/firestore.ts";

/** The same class. Where vitest runs, each use of an import is a call. */
const Time = Timestamp;

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

/** These fields of a map alone, each a path with dots. */
export function only(data: Readonly<Record<string, unknown>>, fields: readonly string[]) {
  const kept: Record<string, unknown> = {};
  for (const field of fields) {
    const path = pathOf(field);
    const value = valueAt(data, path);
    const last = path.pop() ?? "";
    if (value === undefined) continue;
    let map = kept;
    for (const name of path) map = (map[name] ??= {}) as Record<string, unknown>;
    map[last] = value;
  }
  return kept;
}

/** The names of a path with dots. On the wire, an unusual name is in backticks. */
export function pathOf(field: string): string[] {
  if (!field.includes("`")) return field.split(".");
  const names = field.match(/[^.`]+|`(?:[^`\\]|\\.)*`/gsu) ?? [];
  return names.map((name) => (name.startsWith("`") ? name.slice(1, -1).replace(/\\(.)/gsu, "$1") : name));
}

/** A reference to a document, by its name on the wire: Firerank only passes it on. Never changed. */
export class Reference {
  name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A time as it is stored: truncated to the microsecond. */
export function storedTime(time: Timestamp): Timestamp {
  const finer = time.nanoseconds % 1_000;
  return finer === 0 ? time : new Timestamp(time.seconds, time.nanoseconds - finer);
}

/** A frozen copy. What is frozen already is shared, as are timestamps: they never change. */
export function frozen<Value>(value: Value): Value {
  if (typeof value !== "object" || Object.isFrozen(value)) return value;
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
  if (typeof value === "string") return 4;
  if (value instanceof Time) return 3;
  if (value instanceof Reference) return 5;
  return Array.isArray(value) ? 6 : 7;
}

/** Firestore's order of values: by type, then within the type; NaN is the least number. */
export function compareValues(a: unknown, b: unknown): number {
  if (typeof a === "number" && typeof b === "number") return compareNumbers(a, b);
  if (typeof a === "string" && typeof b === "string") return compareStrings(a, b);
  const rank = typeRank(a) - typeRank(b);
  if (rank !== 0) return rank;
  if (a instanceof Time && b instanceof Time) return a.seconds - b.seconds || a.nanoseconds - b.nanoseconds;
  if (typeof a === "boolean" && typeof b === "boolean") return Number(a) - Number(b);
  if (Array.isArray(a) && Array.isArray(b)) return compareLists(a, b);
  if (a instanceof Reference && b instanceof Reference) return comparePaths(a.name, b.name);
  if (isMap(a) && isMap(b)) return compareLists(entriesOf(a), entriesOf(b));
  return 0;
}

/** Compares paths of documents name by name: "a/x" comes before "a-b/x", though "-" is less than "/". */
export function comparePaths(a: string, b: string): number {
  const at = a.lastIndexOf("/");
  const isBeside = at === b.lastIndexOf("/") && a.slice(0, at) === b.slice(0, at);
  return isBeside ? compareStrings(a, b) : compareLists(a.split("/"), b.split("/"));
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
