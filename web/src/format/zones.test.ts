import { expect, test } from "vitest";
import { formatIn, formatLeft, readersTime } from "./zones.ts";

const noon = Date.parse("2026-11-22T12:00:00Z");

test("a time is shown in its zone, with seconds if there are any", () => {
  expect(formatIn(noon, "Europe/Vienna")).toBe("22 Nov 2026, 13:00");
  expect(formatIn(noon + 5_000, "UTC")).toBe("22 Nov 2026, 12:00:05");
});

test("the reader's time is shown if it differs, with the date if that differs", () => {
  expect(readersTime(noon, "UTC", "UTC")).toBeUndefined();
  expect(readersTime(noon, "Europe/Vienna", "Africa/Lagos")).toBeUndefined();
  expect(readersTime(noon, "UTC", "Europe/Vienna")).toBe("13:00");
  expect(readersTime(noon, "UTC", "Pacific/Auckland")).toBe("23 Nov 2026, 01:00");
});

test.each([
  [0, "0 s"],
  [-5_000, "0 s"],
  [1, "1 s"],
  [59_001, "1 min"],
  [312_000, "5 min 12 s"],
  [3_600_000, "1 h"],
  [3_660_000, "1 h 1 min"],
  [3 * 86_400_000 + 4 * 3_600_000 + 59_000, "3 d 4 h"],
])("%i ms left are %s", (ms, text) => {
  expect(formatLeft(ms)).toBe(text);
});
