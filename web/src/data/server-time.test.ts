import { expect, test } from "vitest";
import { serverTimeOf } from "./server-time.ts";

const noon = Date.parse("2026-11-22T12:00:00Z");
const headers = (fields: Record<string, string>) => new Headers(fields);
const date = new Date(noon).toUTCString();

test("a device that is an hour slow is corrected", () => {
  const times = { sentMs: noon - 3_600_000, receivedMs: noon - 3_600_000 + 200 };
  expect(serverTimeOf(headers({ Date: date }), times)).toBe(noon + 600);
});

test("an answer's age in a cache counts", () => {
  const times = { sentMs: 0, receivedMs: 0 };
  expect(serverTimeOf(headers({ Date: date, Age: "30" }), times)).toBe(noon + 30_500);
});

test("a clock that is right to the second is better than a header that is truncated to the second", () => {
  expect(
    serverTimeOf(headers({ Date: date }), { sentMs: noon + 900, receivedMs: noon + 950 }),
  ).toBeUndefined();
});

test.each([{}, { Date: "soon" }, { Date: date, Age: "old" }])("%o says nothing about the time", (fields) => {
  expect(serverTimeOf(headers(fields), { sentMs: 0, receivedMs: 0 })).toBeUndefined();
});
