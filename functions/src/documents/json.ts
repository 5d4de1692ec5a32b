/** Documents as answers show them. */
import { Timestamp } from "./firestore.ts";

/** The same with its times in ISO 8601. */
export type Json<T> = T extends Timestamp ? string : T extends object ? { [K in keyof T]: Json<T[K]> } : T;

/** A document with its times in ISO 8601. */
export function toJson<T extends object>(document: T): Json<T> {
  return withIsoTimes(document) as Json<T>;
}

function withIsoTimes(value: unknown): unknown {
  if (value instanceof Timestamp) return value.toDate().toISOString();
  if (Array.isArray(value)) return value.map(withIsoTimes);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withIsoTimes(inner)]));
}
