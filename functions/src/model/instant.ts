/** A Timestamp of any Firestore library. */
export interface Instant {
  toMillis(): number;
}

/** Whether a stored value is a time. In an event it comes from the host's copy of the client library, maybe not ours. */
export function isInstant(value: unknown): value is Instant {
  return (
    typeof value === "object" && value !== null && "toMillis" in value && typeof value.toMillis === "function"
  );
}

/** ISO 8601 in UTC, cut to milliseconds: some libraries would round up and others would not. */
export function isoTime(instant: Instant): string {
  return new Date(Math.floor(instant.toMillis())).toISOString();
}

/** The milliseconds since 1970 of a stored time; undefined for any other value. */
export function millisOf(value: unknown): number | undefined {
  return isInstant(value) ? value.toMillis() : undefined;
}

/** ISO 8601 in UTC, to the microsecond that Firestore stores, in as few digits as say it. */
export function exactTime({ seconds, nanoseconds }: { seconds: number; nanoseconds: number }): string {
  const whole = new Date(seconds * 1_000).toISOString().slice(0, -".000Z".length);
  const fraction = String(Math.floor(nanoseconds / 1_000))
    .padStart(6, "0")
    .replace(/0+$/, "");
  return `${whole}${fraction === "" ? "" : `.${fraction}`}Z`;
}
