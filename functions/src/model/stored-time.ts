/**
 * The times that Firestore can store. ISO 8601 can write others: a zone may move a time before the first or after the
 * last day.
 */
import { z } from "zod";

/** From the beginning of the year 0001 to the end of 9999, in UTC. */
const [firstStoredMs, lastStoredMs] = [-62_135_596_800_000, 253_402_300_799_999];

/** Whether Firestore can store a time, in milliseconds since 1970. */
export function isStorable(ms: number): boolean {
  return ms >= firstStoredMs && ms <= lastStoredMs;
}

const written = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d(?:\.\d+)?)? ?(?:Z|UTC|([+-]\d\d)(?::?(\d\d))?)$/i;

/**
 * The same time as ISO 8601 writes it in full; other values as they are. A text may have a space for the `T` (SQL, pandas,
 * DuckDB), a zone of hours alone (PostgreSQL, DuckDB) or without a colon (polars), `UTC` for `Z` (BigQuery), and no seconds
 * where they are 0 (Java's `OffsetDateTime`). Clients of openapi-generator 7.25 put `2026-11-30T17:44:36.635190+0000` into
 * a query in Python, and `2026-11-30 17:44:36.635190 +00:00` in Rust.
 */
function asIso(value: unknown): unknown {
  const parts = typeof value === "string" ? written.exec(value) : null;
  if (parts === null) return value;
  const [, day, minute, seconds = ":00", hours, minutes = "00"] = parts;
  return `${day}T${minute}${seconds}${hours === undefined ? "Z" : `${hours}:${minutes}`}`;
}

/**
 * The schema of a time as text, in requests and files: ISO 8601 with a zone, or nearly so, and a time that Firestore
 * stores.
 * @param wanted the error's text for a text that is no such time
 */
export function timeText(wanted: string) {
  const time = z.iso
    .datetime({ offset: true, error: wanted, abort: true })
    .refine((text) => isStorable(Date.parse(text)), {
      error: "must lie in the years 0001 to 9999 in UTC",
      abort: true,
    });
  return z.preprocess((text: string) => asIso(text), time);
}
