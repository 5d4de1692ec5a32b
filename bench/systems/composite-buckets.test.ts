import fc from "fast-check";
import { expect, test } from "vitest";
import { truthOf } from "../contest/truth.ts";
import { compositeBuckets } from "./composite-buckets.ts";
import { bucketOf, entryOf, keyOf } from "./composite-keys.ts";

const dateMs = fc.integer({ min: 0, max: Date.parse("2200-01-01") });
const place = fc.record({
  player: fc.string({ minLength: 1 }),
  score: fc.integer({ min: 0, max: 9_999 }),
  dateMs,
});

test("keys sort by score, and among equal scores by date, in either direction", () => {
  fc.assert(
    fc.property(place, place, (a, b) => {
      const isHigher = keyOf(a, "older first") > keyOf(b, "older first");
      if (a.score !== b.score) expect(isHigher).toBe(a.score > b.score);
      else if (a.dateMs !== b.dateMs) {
        expect(isHigher).toBe(a.dateMs < b.dateMs);
        expect(keyOf(a, "newer first") > keyOf(b, "newer first")).toBe(a.dateMs > b.dateMs);
      }
    }),
  );
});

test("a key has the player and the score", () => {
  fc.assert(
    fc.property(place, ({ player, score, dateMs: at }) => {
      expect(entryOf(keyOf({ player, score, dateMs: at }, "older first"))).toEqual({ player, score });
    }),
  );
  expect(keyOf({ player: "ann", score: 4_982, dateMs: 1 }, "older first")).toBe("04982-9999999999998-ann");
});

test("buckets are 25 wide: those of Aerospike's scores of 0 to 6,200 are 249", () => {
  expect([0, 24, 25, 49, 6_200].map(bucketOf)).toEqual([0, 0, 1, 1, 248]);
});

test("the worst of many players reads every bucket to know the rank", () => {
  const board = truthOf(Float64Array.from({ length: 62_010 }, (_, i) => i % 6_201));
  const bills = compositeBuckets.bills(board);
  expect(bills.rank?.(board, 0)).toMatchObject({ reads: 1 + 249 });
  expect(bills.rank?.(board, 6_200)).toMatchObject({ reads: 2 });
  expect(bills.around?.(board, 31_000, 4, 4)).toMatchObject({ reads: 2 });
  const near = { player: "ann", before: 50, after: 74 };
  expect(bills.update(board, near)).toMatchObject({ reads: 1, writes: 2 });
  expect(bills.update(board, { ...near, after: 75 })).toMatchObject({ reads: 1, writes: 3 });
});
