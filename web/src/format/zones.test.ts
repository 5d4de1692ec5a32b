import { expect, test } from "vitest";
import { formatIn, readersTime } from "./zones.ts";

const noon = Date.parse("2026-11-22T12:00:00Z");

test("a time is shown in its zone, with seconds if there are any", () => {
  expect(formatIn(noon, "Europe/Vienna")).toBe("22 Nov 2026, 13:00");
  expect(formatIn(noon + 5_000, "UTC")).toBe("22 Nov 2026, 12:00:05");
});

test("a zone that the browser does not know is shown in UTC", () => {
  expect(formatIn(noon, "Mars/Base")).toBe("22 Nov 2026, 12:00 UTC");
  expect(readersTime(noon, "Mars/Base", "Europe/Vienna")).toBe("13:00");
});

test("the reader's time is shown if it differs, with the date if that differs", () => {
  expect(readersTime(noon, "UTC", "UTC")).toBeUndefined();
  expect(readersTime(noon, "Europe/Vienna", "Africa/Lagos")).toBeUndefined();
  expect(readersTime(noon, "UTC", "Europe/Vienna")).toBe("13:00");
  expect(readersTime(noon, "UTC", "Pacific/Auckland")).toBe("23 Nov 2026, 01:00");
});
