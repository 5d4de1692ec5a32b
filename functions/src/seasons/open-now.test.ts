import { expect, test } from "vitest";
import { Timestamp } from "../documents/firestore.ts";
import { type Hours, endMs, countsNoMore, isTaking, isToCome } from "./open-now.ts";

/** A tournament that takes scores from 1,000 ms until 2,000 ms, if nothing else is said. */
const season = (other: Partial<Hours> = {}): Hours => ({
  span: "custom",
  status: "open",
  opens_at: Timestamp.fromMillis(1_000),
  closes_at: Timestamp.fromMillis(2_000),
  ...other,
});

test("a season takes scores from its first moment up to its end, if it has one", () => {
  const takes = [999, 1_000, 1_999, 2_000].map((ms) => isTaking(season(), ms));
  expect(takes).toEqual([false, true, true, false]);
  expect(isTaking(season({ closes_at: null }), Number.MAX_SAFE_INTEGER)).toBe(true);
});

test.each(["closing", "closed", "deleting"] as const)(
  "a season that is %s takes no scores, even if its end is still to come",
  (status) => {
    expect(isTaking(season({ status }), 1_500)).toBe(false);
    expect(isTaking(season({ status, closes_at: null }), 1_500)).toBe(false);
  },
);

test.each(["all_time", "daily", "weekly", "monthly"] as const)(
  "the %s season is never to come: a clock that is behind refuses nobody",
  (span) => {
    expect(isToCome(season({ span }), 999)).toBe(false);
    expect(isTaking(season({ span }), 999)).toBe(true);
  },
);

test("a tournament is to come until the moment it opens, or was ended before that", () => {
  expect([999, 1_000].map((ms) => isToCome(season(), ms))).toEqual([true, false]);
  const ended = season({ closes_at: Timestamp.fromMillis(500) });
  expect([499, 500].map((ms) => isToCome(ended, ms))).toEqual([true, false]);
});

test("a season has ended once its ranking is final, not while its last scores are being ranked", () => {
  const ended = (["open", "closing", "closed", "deleting"] as const).filter((status) =>
    countsNoMore({ status }),
  );
  expect(ended).toEqual(["closed", "deleting"]);
});

test("a season ends at its end, and no sooner than every instance has heard of it", () => {
  const at = (ms: number) => Timestamp.fromMillis(ms);
  const ends = (closes?: number, told?: number) => {
    const about = told === undefined ? {} : { end_told_at: at(told) };
    return endMs({ closes_at: closes === undefined ? null : at(closes), ...about }, 60);
  };
  expect(ends(undefined, 900)).toBeUndefined();
  expect(ends(1_000)).toBe(1_000);
  expect(ends(1_000, 940)).toBe(1_000);
  expect(ends(1_000, 950)).toBe(1_010);
});
