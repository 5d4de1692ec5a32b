/** Values on the wire, and as the store has them. */
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { type Data, grpcError } from "../store.ts";
import {
  AsOnWire,
  isInteger,
  isMap,
  numberInId,
  pathOf,
  storedDouble,
  storedInteger,
  storedTime,
  vectorIn,
} from "../values.ts";
import type { WireFields, WireTime, WireValue } from "./messages.ts";

/**
 * The path below the database: "projects/p/databases/d/documents/a/b" is "a/b".
 * @throws `invalidArgument` if Firestore has no such id.
 */
export function pathOfName(name: string): string {
  const ids = name.split("/").slice(5);
  for (const id of ids) {
    if (id === "." || id === ".." || (isReserved(id) && numberInId(id) === undefined))
      throw grpcError("invalidArgument", `Resource id "${id}" is invalid because it is reserved.`);
  }
  return ids.join("/");
}

/** @throws `invalidArgument` for a time finer than the database keeps it, which is refused outside of values. */
export function exactTimeFrom(wire: WireTime): Timestamp {
  const time = timeFrom(wire);
  if (time.nanoseconds % 1_000 === 0) return time;
  throw grpcError("invalidArgument", "timestamp cannot have more than microseconds precision");
}

export function timeFrom({ seconds = 0, nanos = 0 }: WireTime): Timestamp {
  return new Timestamp(Number(seconds), nanos);
}

export function wireTime({ seconds, nanoseconds }: Timestamp): WireTime {
  return { seconds, nanos: nanoseconds };
}

/** Levels of maps and lists in a document. */
const depthMax = 20;

/** @throws `invalidArgument` for a field that no document can have. @param depth how many maps and lists the fields are in */
export function dataFrom(fields: WireFields = {}, depth = 0): Record<string, unknown> {
  if (depth > depthMax) throw tooDeep();
  const data: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) {
    if (isReserved(name)) throw grpcError("invalidArgument", `field name ${name} is reserved`);
    data[name] = valueFrom(fields[name] ?? {}, depth);
  }
  return data;
}

function listFrom(values: readonly WireValue[] = [], depth: number): unknown[] {
  if (depth > depthMax && values.length > 0) throw tooDeep();
  for (const value of values) {
    const inner = value.arrayValue ? "an array" : vectorIn(value) && "a vector";
    if (inner) throw grpcError("invalidArgument", `Cannot convert ${inner} value in an array value.`);
  }
  return values.map((value) => valueFrom(value, depth));
}

const tooDeep = () => grpcError("invalidArgument", `Property is deeper than ${depthMax} levels.`);

/** Firestore keeps names like `__this__` for itself; by its documentation `____` too, which the official emulator takes. */
const isReserved = (name: string) => /^__.*__$/s.test(name);

/** A path of fields on the wire. @throws `invalidArgument` if no document can have it. */
export function fieldFrom(path: string): string {
  if (path !== nameField && path.includes("__") && pathOf(path).some(isReserved))
    throw grpcError("invalidArgument", `Invalid reserved name in field path ${path}`);
  return path;
}

/** The name under which documents' ids are filtered and ordered. */
export const nameField = "__name__";

/** A value as the store has it. Times are cut off at the microsecond. @param depth how many maps and lists the value is in */
export function valueFrom(value: WireValue, depth = 0): unknown {
  if (value.stringValue !== undefined) return value.stringValue;
  if (value.integerValue !== undefined) return storedInteger(value.integerValue);
  if (value.doubleValue !== undefined) return storedDouble(value.doubleValue);
  if (value.booleanValue !== undefined) return value.booleanValue;
  if (value.timestampValue !== undefined) return storedTime(timeFrom(value.timestampValue));
  if (value.arrayValue !== undefined) return listFrom(value.arrayValue.values, depth + 1);
  if (value.mapValue !== undefined) return vectorFrom(value) ?? dataFrom(value.mapValue.fields, depth + 1);
  if ("nullValue" in value) return null;
  if (value.referenceValue !== undefined) pathOfName(value.referenceValue);
  else if (value.bytesValue === undefined && value.geoPointValue === undefined)
    throw new Error(`the database in memory knows no such value: ${JSON.stringify(value)}`);
  return new AsOnWire(value);
}

function vectorFrom(value: WireValue): AsOnWire | undefined {
  const numbers = vectorIn(value);
  if (numbers?.length === 0) throw grpcError("invalidArgument", "Vectors must have at least 1 dimension.");
  return numbers && new AsOnWire(value);
}

/** Stored data never changes, so that it is encoded once. */
const encoded = new WeakMap<Data, WireFields>();

export function wireFields(data: Data): WireFields {
  const known = encoded.get(data);
  if (known !== undefined) return known;
  const fields: WireFields = {};
  for (const name of Object.keys(data)) fields[name] = wireValue(data[name]);
  encoded.set(data, fields);
  return fields;
}

export function wireValue(value: unknown): WireValue {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "number") return isInteger(value) ? { integerValue: value } : { doubleValue: value };
  if (typeof value === "boolean") return { booleanValue: value };
  if (value === null) return { nullValue: "NULL_VALUE" };
  if (value instanceof Timestamp) return { timestampValue: wireTime(value) };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(wireValue) } };
  if (value instanceof AsOnWire) return value.wire;
  if (isMap(value)) return { mapValue: { fields: wireFields(value) } };
  throw new Error(`the database in memory has an unknown value, of type ${typeof value}`);
}
