import { expect, test } from "vitest";
import { Timestamp } from "../documents/firestore.ts";
import { type Hours, endMs, isEnded, isTaking, isToCome } from "./open-now.ts";

/** A tournament that takes scores from 1,000 ms until 2,000 ms, if nothing else is said. */
const season = (other: Partial<Hours> = {}): Hours => ({
  span: "custom",
  status: "open",
  opens_at: Timestamp.fromMillis(1_000),
  closes_at: Timestamp.fromMillis(2_000),
  ...other,
});

test.each([
  [999, false],
  [1_000, true],
  [1_999, true],
  [2_000, false],
])("of a season from 1,000 ms until 2,000 ms, a score that arrives at %i ms counts: %s", (ms, counts) => {
  expect(isTaking(season(), ms)).toBe(counts);
});

test("a season without an end takes scores at any time", () => {
  expect(isTaking(season({ span: "all_time", closes_at: null }), Number.MAX_SAFE_INTEGER)).toBe(true);
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

test("a tournament is to come until the moment it opens", () => {
  expect(isToCome(season(), 999)).toBe(true);
  expect(isToCome(season(), 1_000)).toBe(false);
});

test("a tournament that was ended before it opened is to come no more", () => {
  const ended = season({ closes_at: Timestamp.fromMillis(500) });
  expect(isToCome(ended, 499)).toBe(true);
  expect(isToCome(ended, 500)).toBe(false);
});

test("a season has ended once its ranking is final, not while its last scores are being ranked", () => {
  const ended = (["open", "closing", "closed", "deleting"] as const).filter((status) => isEnded({ status }));
  expect(ended).toEqual(["closed", "deleting"]);
});

test("a season ends at its end, and no sooner than every instance has heard of it", () => {
  const ends = (closes: number | null, told?: number) =>
    endMs(
      {
        closes_at: closes === null ? null : Timestamp.fromMillis(closes),
        ...(told === undefined ? {} : { end_told_at: Timestamp.fromMillis(told) }),
      },
      60,
    );
  expect(ends(null, 900)).toBeUndefined();
  expect(ends(1_000)).toBe(1_000);
  expect(ends(1_000, 940)).toBe(1_000);
  expect(ends(1_000, 950)).toBe(1_010);
});
