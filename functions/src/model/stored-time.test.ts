import { expect, test } from "vitest";
import { Timestamp } from "../documents/firestore.ts";
import { isStorable, timeText } from "./stored-time.ts";

const [first, last] = [Date.parse("0001-01-01T00:00:00Z"), Date.parse("9999-12-31T23:59:59.999Z")];

test("a time can be stored if Firestore's library makes a Timestamp of it", () => {
  for (const [ms, can] of [
    [first - 1, false],
    [first, true],
    [0, true],
    [last, true],
    [last + 1, false],
  ] as const) {
    expect([ms, isStorable(ms)]).toEqual([ms, can]);
    const make = () => Timestamp.fromMillis(ms);
    if (can) expect(make().toMillis()).toBe(ms);
    else expect(make).toThrow();
  }
  expect(isStorable(NaN)).toBe(false);
});

test("a text is a time with its zone, which may not move it out of reach", () => {
  const problemOf = (text: string) => timeText("must be a time").safeParse(text).error?.issues[0]?.message;
  for (const good of ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z", "2026-11-22T18:00:00.5+01:00"])
    expect([good, problemOf(good)]).toEqual([good, undefined]);
  for (const far of ["0000-12-31T23:59:59Z", "0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00"])
    expect([far, problemOf(far)]).toEqual([far, "must lie in the years 0001 to 9999 in UTC"]);
  for (const none of ["tomorrow", "2026-11-22T18:00:00", "2026-02-30T00:00:00Z"])
    expect([none, problemOf(none)]).toEqual([none, "must be a time"]);
});

test.each([
  ["2026-11-30T17:44:36.635190+0000", "2026-11-30T17:44:36.635190+00:00"], // Python's %z
  ["2026-11-30 17:44:36.635190 +01:30", "2026-11-30T17:44:36.635190+01:30"], // Rust's chrono
  ["2026-11-30 18:44:36 +0100", "2026-11-30T18:44:36+01:00"], // Ruby
  ["2026-11-30 17:44:36 UTC", "2026-11-30T17:44:36Z"],
  ["2026-11-30 17:44:36.6-08", "2026-11-30T17:44:36.6-08:00"], // PostgreSQL
  ["2026-12-01T00:00Z", "2026-12-01T00:00:00Z"], // Java's OffsetDateTime
  ["2026-12-01T00:00+01:00", "2026-12-01T00:00:00+01:00"],
])("%s is a time too", (text, time) => {
  expect(timeText("must be a time").parse(text)).toBe(time);
});

test.each([
  "2026-11-30 17:44:36",
  "2026-11-30 +0000",
  "2026-11-30T17:44:36+1",
  "2026-11-30T17:44:36 0100",
  "2026-11-30T17:44:36+02:",
])("%s has no zone", (text) => {
  expect(timeText("must be a time").safeParse(text).success).toBe(false);
});
