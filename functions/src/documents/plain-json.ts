/**
 * What a trusted server may have stored, as JSON that loses nothing a person could read: in answers, final tables and
 * exported files.
 */
import { exactTime, isoTime, isTimestamp } from "../model/instant.ts";
import { isMap, isPlace, isReference, isVector } from "../model/stored-class.ts";
import { ExactNumber } from "./exact-number.ts";
import type { Timestamp } from "./firestore.ts";

/**
 * Fields of a document as plain JSON: times in ISO 8601, to the microsecond where they have some; bytes in Base64,
 * references as paths, places as `{latitude, longitude}`, vectors as lists, whole numbers above 2^53 as texts, and numbers
 * that JSON doesn't have as the texts `NaN`, `Infinity` and `-Infinity`. What is plain JSON already is not copied. Pure.
 */
export function plainJson(fields: object): Record<string, unknown> {
  const given = fields as Record<string, unknown>;
  const plain = Object.entries(given).map(([name, value]) => [name, plainValue(value)] as const);
  return plain.every(([name, value]) => value === given[name]) ? given : Object.fromEntries(plain);
}

/** The type of a document whose times are texts in ISO 8601. */
export type Json<T> = T extends Timestamp ? string : T extends object ? { [K in keyof T]: Json<T[K]> } : T;

/** A record as an answer shows it: {@link plainJson}. */
export function toJson<T extends object>(record: T): Json<T> {
  return plainJson(record) as Json<T>;
}

function plainValue(value: unknown): unknown {
  if (typeof value === "number") return isExactInJson(value) ? value : String(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const plain = value.map(plainValue);
    return plain.every((item, i) => item === value[i]) ? value : plain;
  }
  return isMap(value) ? plainJson(value) : plainClass(value);
}

/** Whether JSON has a number, and readers of JSON take it for no neighbour. */
function isExactInJson(value: number): boolean {
  return Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
}

function plainClass(value: object): unknown {
  if (isTimestamp(value)) return value.nanoseconds % 1_000_000 === 0 ? isoTime(value) : exactTime(value);
  if (isPlace(value)) return { latitude: value.latitude, longitude: value.longitude };
  if (isReference(value)) return value.path;
  if (isVector(value)) return value.toArray().map(plainValue);
  if (value instanceof Uint8Array)
    return btoa(Array.from(value, (byte) => String.fromCharCode(byte)).join(""));
  return value instanceof ExactNumber ? value.toJSON() : plainJson(value);
}
