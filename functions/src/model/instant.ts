/** Points in time as JSON has them, from whichever Firestore library read them. */

/** A Timestamp of any Firestore library. */
export interface Instant {
  toMillis(): number;
}

/** ISO 8601 in UTC, to the nearest millisecond: a server's Timestamp rounds by itself, and a web client's does not. */
export function isoTime(instant: Instant): string {
  return new Date(Math.round(instant.toMillis())).toISOString();
}
