import { expect, test } from "vitest";
import { Timestamp } from "../documents/firestore.ts";
import { isInstant, isoTime } from "./instant.ts";

test("any object with its milliseconds counts as a time, from any copy of a library", () => {
  expect(isInstant(Timestamp.fromMillis(5))).toBe(true);
  expect(isInstant({ toMillis: () => 5 })).toBe(true);
  const none = [undefined, null, 5, "2026-11-22", true, {}, { toMillis: 5 }, new Date(5), () => 5];
  for (const value of none) expect([value, isInstant(value)]).toEqual([value, false]);
  expect(isInstant(Object.assign(() => 5, { toMillis: () => 5 }))).toBe(false);
});

test("a time as text is cut to milliseconds, also before 1970", () => {
  expect(isoTime({ toMillis: () => 1_999.9 })).toBe("1970-01-01T00:00:01.999Z");
  expect(isoTime({ toMillis: () => -0.1 })).toBe("1969-12-31T23:59:59.999Z");
});
