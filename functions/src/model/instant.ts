/** Points in time as JSON has them, from whichever Firestore library read them. */

/** A Timestamp of any Firestore library. */
export interface Instant {
  toMillis(): number;
}

/** Whether a stored value is a time. An event's is of the host's copy of the client library, which may not be ours. */
export function isInstant(value: unknown): value is Instant {
  return (
    typeof value === "object" && value !== null && "toMillis" in value && typeof value.toMillis === "function"
  );
}

/** ISO 8601 in UTC, cut to milliseconds: left to themselves, some libraries would round up and others not. */
export function isoTime(instant: Instant): string {
  return new Date(Math.floor(instant.toMillis())).toISOString();
}

/** The milliseconds since 1970 of a stored time; nothing for any other value. */
export function millisOf(value: unknown): number | undefined {
  return isInstant(value) ? value.toMillis() : undefined;
}
