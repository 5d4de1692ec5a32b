/** A Timestamp of any Firestore library. */
export interface Instant {
  toMillis(): number;
}

/** Whether a stored value is a time. A time in an event may have the class of another copy of the client library. */
export function isInstant(value: unknown): value is Instant {
  return (
    typeof value === "object" && value !== null && "toMillis" in value && typeof value.toMillis === "function"
  );
}

/** The same with all that is stored of it: several scores of one call are microseconds apart. */
export function isTimestamp(value: unknown): value is Instant & { seconds: number; nanoseconds: number } {
  return isInstant(value) && "seconds" in value && "nanoseconds" in value;
}

/** ISO 8601 in UTC. Microseconds are cut off, as some libraries would round them up and others would not. */
export function isoTime(instant: Instant): string {
  return new Date(Math.floor(instant.toMillis())).toISOString();
}

/** The milliseconds since 1970 of a stored time; undefined for any other value. */
export function millisOf(value: unknown): number | undefined {
  return isInstant(value) ? value.toMillis() : undefined;
}

/** ISO 8601 in UTC to the microsecond, which is what Firestore stores, without zeros at the end. */
export function exactTime({ seconds, nanoseconds }: { seconds: number; nanoseconds: number }): string {
  const whole = new Date(seconds * 1_000).toISOString().slice(0, -".000Z".length);
  const fraction = String(Math.floor(nanoseconds / 1_000))
    .padStart(6, "0")
    .replace(/0+$/, "");
  return `${whole}${fraction === "" ? "" : `.${fraction}`}Z`;
}
