/** Times in files: ISO 8601, to the microsecond, as Firestore stores them. */
import { Timestamp } from "../../functions/src/documents/firestore.ts";

/** The time in a valid text such as `2026-11-21T12:00:00.123456Z`; digits beyond the microsecond are dropped. */
export function parseTime(text: string): Timestamp {
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? "";
  const seconds = Date.parse(text.replace(/\.\d+/, "")) / 1_000;
  return new Timestamp(seconds, Number(fraction.slice(0, 6).padEnd(6, "0")) * 1_000);
}

/** The shortest text in UTC that {@link parseTime} reads as the same microsecond. */
export function formatTime({ seconds, nanoseconds }: Timestamp): string {
  const whole = new Date(seconds * 1_000).toISOString().slice(0, -".000Z".length);
  const fraction = String(Math.floor(nanoseconds / 1_000))
    .padStart(6, "0")
    .replace(/0+$/, "");
  return `${whole}${fraction === "" ? "" : `.${fraction}`}Z`;
}
