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

/**
 * The schema of a time as text, in requests and files: ISO 8601 with seconds and a zone, and a time that Firestore
 * stores.
 * @param wanted the error's text for a text that is no such time
 */
export function timeText(wanted: string) {
  return z.iso
    .datetime({ offset: true, error: wanted, abort: true })
    .refine((text) => isStorable(Date.parse(text)), {
      error: "must lie in the years 0001 to 9999 in UTC",
      abort: true,
    });
}
