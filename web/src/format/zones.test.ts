import { expect, test } from "vitest";
import { datesIn, formatIn, readersTime } from "./zones.ts";

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

test("the dates of today and yesterday are the zone's", () => {
  expect(datesIn(noon, "UTC")).toEqual({ today: "2026-11-22", yesterday: "2026-11-21" });
  expect(datesIn(noon, "Pacific/Auckland")).toEqual({ today: "2026-11-23", yesterday: "2026-11-22" });
  expect(datesIn(Date.parse("2026-03-01T03:00:00Z"), "America/New_York")).toEqual({
    today: "2026-02-28",
    yesterday: "2026-02-27",
  });
  expect(datesIn(noon, "Mars/Base").today).toBe("2026-11-22");
});
