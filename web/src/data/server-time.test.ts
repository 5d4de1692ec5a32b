import { expect, test } from "vitest";
import { serverTimeOf } from "./server-time.ts";

const noon = Date.parse("2026-11-22T12:00:00Z");
const headers = (fields: Record<string, string>) => new Headers(fields);
const date = new Date(noon).toUTCString();

test("a device that is slow by an hour is told", () => {
  const times = { sentMs: noon - 3_600_000, receivedMs: noon - 3_600_000 + 200 };
  expect(serverTimeOf(headers({ Date: date }), times)).toBe(noon + 600);
});

test("what an answer's age in a cache is counts", () => {
  const times = { sentMs: 0, receivedMs: 0 };
  expect(serverTimeOf(headers({ Date: date, Age: "30" }), times)).toBe(noon + 30_500);
});

test("a clock that is right to the second is better than a header that is cut to the second", () => {
  expect(
    serverTimeOf(headers({ Date: date }), { sentMs: noon + 900, receivedMs: noon + 950 }),
  ).toBeUndefined();
});

test.each([{}, { Date: "soon" }, { Date: date, Age: "old" }])("of %o nothing follows", (fields) => {
  expect(serverTimeOf(headers(fields), { sentMs: 0, receivedMs: 0 })).toBeUndefined();
});
