/** Times in files: ISO 8601, to the microsecond, as Firestore stores them. */
import { Timestamp } from "../../functions/src/documents/firestore.ts";

/** The time in a valid text such as `2026-11-21T12:00:00.123456Z`; digits beyond the microsecond are dropped. */
export function parseTime(text: string): Timestamp {
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? "";
  const seconds = Date.parse(text.replace(/\.\d+/, "")) / 1_000;
  return new Timestamp(seconds, Number(fraction.slice(0, 6).padEnd(6, "0")) * 1_000);
}
