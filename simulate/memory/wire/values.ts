/** Values on the wire, and as the store has them. */
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import type { Data } from "../store.ts";
import { isMap, Reference, storedTime } from "../values.ts";
import type { WireFields, WireTime, WireValue } from "./messages.ts";

/** The path below the database: "projects/p/databases/d/documents/a/b" is "a/b". */
export function pathOfName(name: string): string {
  return name.split("/").slice(5).join("/");
}

export function timeFrom({ seconds = 0, nanos = 0 }: WireTime): Timestamp {
  return new Timestamp(Number(seconds), nanos);
}

export function wireTime({ seconds, nanoseconds }: Timestamp): WireTime {
  return { seconds, nanos: nanoseconds };
}

export function dataFrom(fields: WireFields = {}): Record<string, unknown> {
  const data: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) data[name] = valueFrom(fields[name] ?? {});
  return data;
}

/** A value as the store has it. Times are cut off at the microsecond. */
export function valueFrom(value: WireValue): unknown {
  if (value.stringValue !== undefined) return value.stringValue;
  if (value.integerValue !== undefined) return Number(value.integerValue);
  if (value.doubleValue !== undefined) return value.doubleValue;
  if (value.booleanValue !== undefined) return value.booleanValue;
  if (value.timestampValue !== undefined) return storedTime(timeFrom(value.timestampValue));
  if (value.arrayValue !== undefined) return (value.arrayValue.values ?? []).map(valueFrom);
  if (value.mapValue !== undefined) return dataFrom(value.mapValue.fields);
  if (value.referenceValue !== undefined) return new Reference(value.referenceValue);
  if ("nullValue" in value) return null;
  throw new Error(`the database in memory knows no such value: ${JSON.stringify(value)}`);
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
  if (typeof value === "number")
    return Number.isSafeInteger(value) && !Object.is(value, -0)
      ? { integerValue: value }
      : { doubleValue: value };
  if (typeof value === "boolean") return { booleanValue: value };
  if (value === null) return { nullValue: "NULL_VALUE" };
  if (value instanceof Timestamp) return { timestampValue: wireTime(value) };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(wireValue) } };
  if (value instanceof Reference) return { referenceValue: value.name };
  if (isMap(value)) return { mapValue: { fields: wireFields(value) } };
  throw new Error(`the database in memory has an unknown value, of type ${typeof value}`);
}
