/** Documents that a trusted server may have written, as JSON that loses nothing a person could read. */
import { ExactNumber } from "./exact-number.ts";
import { DocumentReference, GeoPoint, Timestamp, VectorValue } from "./firestore.ts";

/**
 * A document's fields as plain JSON: times in ISO 8601, bytes in Base64, references as paths, places as `{latitude,
 * longitude}`, vectors as lists, whole numbers above 2^53 as texts, and numbers that JSON doesn't have as the texts
 * `NaN`, `Infinity` and `-Infinity`. Pure.
 */
export function plainJson(fields: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, plainValue(value)]));
}

/** The type of a document whose times are texts in ISO 8601. */
export type Json<T> = T extends Timestamp ? string : T extends object ? { [K in keyof T]: Json<T[K]> } : T;

/** A record as an answer shows it: {@link plainJson}. */
export function toJson<T extends object>(record: T): Json<T> {
  return plainJson(record) as Json<T>;
}

function plainValue(value: unknown): unknown {
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(plainValue);
  if (value instanceof ExactNumber) return value.toJSON();
  if (value instanceof Timestamp) return value.toDate().toISOString();
  if (value instanceof GeoPoint) return { latitude: value.latitude, longitude: value.longitude };
  if (value instanceof DocumentReference) return value.path;
  if (value instanceof VectorValue) return value.toArray().map(plainValue);
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  return plainJson(value);
}
