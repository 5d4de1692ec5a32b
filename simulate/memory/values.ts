/** Values as Firestore stores them, and its order of values of all types. */
import { Timestamp } from "../../functions/src/documents/firestore.ts";
import type { WireValue } from "./wire/messages.ts";

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

/**
 * A value for which JavaScript has no form that says the same, kept as it is on the wire: a 64-bit integer above 2^53, a
 * double that is a whole number, bytes, a place on earth, a reference, a vector. Firerank passes it on. Never changed.
 */
export class AsOnWire {
  wire: WireValue;

  constructor(wire: WireValue) {
    this.wire = wire;
  }
}

/** The numbers of a vector, which is a map with reserved names on the wire; undefined for any other value. */
export function vectorIn({ mapValue }: WireValue): readonly WireValue[] | undefined {
  const { __type__: type, value } = mapValue?.fields ?? {};
  return type?.stringValue === "__vector__" ? (value?.arrayValue?.values ?? []) : undefined;
}

/** A stored number: a safe whole number is a 64-bit integer on the wire, every other one a double. */
export function numberOf(value: unknown): number | bigint | undefined {
  if (typeof value === "number") return value;
  if (!(value instanceof AsOnWire)) return undefined;
  const { integerValue, doubleValue } = value.wire;
  return integerValue === undefined ? doubleValue : BigInt(integerValue);
}

/** A 64-bit integer as it is stored. */
export function storedInteger(value: number | bigint | string): unknown {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : new AsOnWire({ integerValue: String(value) });
}

/** A double as it is stored. */
export function storedDouble(value: number): unknown {
  return isInteger(value) ? new AsOnWire({ doubleValue: value }) : value;
}

/** Whether a number is an integer on the wire. */
export const isInteger = (value: number) => Number.isSafeInteger(value) && !Object.is(value, -0);

const int64Max = 2n ** 63n - 1n;
const int64Min = -(2n ** 63n);

/** The sum of two stored numbers: an integer if both are, and then within 64 bits. */
export function sumOf(a: unknown, b: unknown): unknown {
  if (typeof a === "number" && typeof b === "number" && isInteger(a) && isInteger(b)) {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  if (!isStoredInteger(a) || !isStoredInteger(b))
    return storedDouble(Number(numberOf(a)) + Number(numberOf(b)));
  const sum = BigInt(numberOf(a) ?? 0) + BigInt(numberOf(b) ?? 0);
  return storedInteger(sum > int64Max ? int64Max : sum < int64Min ? int64Min : sum);
}

const isStoredInteger = (value: unknown) =>
  typeof value === "number"
    ? isInteger(value)
    : value instanceof AsOnWire && value.wire.integerValue !== undefined;

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
  if (value instanceof AsOnWire) return wireRank(value.wire);
  return Array.isArray(value) ? 8 : 10;
}

function wireRank({ bytesValue, referenceValue, geoPointValue, mapValue }: WireValue): number {
  if (bytesValue !== undefined) return 5;
  if (referenceValue !== undefined) return 6;
  if (geoPointValue !== undefined) return 7;
  return mapValue === undefined ? 2 : 9;
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
  if (a instanceof AsOnWire || b instanceof AsOnWire) return compareOnWire(a, b);
  if (isMap(a) && isMap(b)) return compareLists(entriesOf(a), entriesOf(b));
  return 0;
}

/** Compares two values of one type, at least one of which is as on the wire. */
function compareOnWire(a: unknown, b: unknown): number {
  const [first, second] = [numberOf(a), numberOf(b)];
  if (first !== undefined && second !== undefined) return compareNumbers(first, second);
  const [one, other] = [(a as AsOnWire).wire, (b as AsOnWire).wire];
  if (one.bytesValue !== undefined && other.bytesValue !== undefined)
    return Buffer.compare(one.bytesValue, other.bytesValue);
  if (one.mapValue !== undefined && other.mapValue !== undefined)
    return compareVectors(vectorIn(one) ?? [], vectorIn(other) ?? []);
  const { geoPointValue: here, referenceValue = "" } = one;
  const { geoPointValue: there } = other;
  if (here === undefined || there === undefined)
    return comparePaths(referenceValue, other.referenceValue ?? "");
  return (
    compare(here.latitude ?? 0, there.latitude ?? 0) || compare(here.longitude ?? 0, there.longitude ?? 0)
  );
}

/** Compares paths of documents name by name: "a/x" comes before "a-b/x", though "-" is less than "/". */
export function comparePaths(a: string, b: string): number {
  const at = a.lastIndexOf("/");
  if (at === b.lastIndexOf("/") && a.slice(0, at) === b.slice(0, at))
    return compareIds(a.slice(at + 1), b.slice(at + 1));
  const [ids, others] = [a.split("/"), b.split("/")];
  const i = ids.findIndex((id, at) => id !== others[at]);
  return i < 0 || i >= others.length ? ids.length - others.length : compareIds(ids[i] ?? "", others[i] ?? "");
}

/** Ids that are numbers, as imports from Datastore make them, come first and by number. */
function compareIds(a: string, b: string): number {
  if (!a.startsWith("__id") && !b.startsWith("__id")) return compareStrings(a, b);
  const [number, other] = [numberInId(a), numberInId(b)];
  if (number !== undefined && other !== undefined) return compare(number, other);
  if (number === undefined && other === undefined) return compareStrings(a, b);
  return number === undefined ? 1 : -1;
}

/** The number that an id like `__id7__` stands for; undefined if it is a name, as almost all ids are. */
export function numberInId(id: string): bigint | undefined {
  const [, digits] = /^__id(-?[1-9]\d*)__$/.exec(id) ?? [];
  if (digits === undefined) return undefined;
  const number = BigInt(digits);
  return number > int64Max || number < int64Min ? undefined : number;
}

/** Strings are ordered by their bytes in UTF-8, that is by code points and not by UTF-16 units. */
function compareStrings(a: string, b: string): number {
  if (!surrogate.test(a) && !surrogate.test(b)) return compare(a, b);
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

const surrogate = /[\ud800-\udfff]/;

/** Of two vectors, the shorter one comes first. */
function compareVectors(a: readonly WireValue[], b: readonly WireValue[]): number {
  const numbers = (values: readonly WireValue[]) => values.map(({ doubleValue }) => doubleValue);
  return a.length - b.length || compareLists(numbers(a), numbers(b));
}

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

function compareNumbers(a: number | bigint, b: number | bigint): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(b)) - Number(Number.isNaN(a));
  return compare(a, b);
}

function compare<Value extends number | bigint | string>(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
