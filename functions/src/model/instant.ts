/** Points in time as JSON has them, from whichever Firestore library read them. */

/** A Timestamp of any Firestore library. */
export interface Instant {
  toMillis(): number;
}

/** ISO 8601 in UTC, cut to milliseconds: left to themselves, some libraries would round up and others not. */
export function isoTime(instant: Instant): string {
  return new Date(Math.floor(instant.toMillis())).toISOString();
}
