import fc from "fast-check";
import { expect, test } from "vitest";
import { drawScores, shapes } from "../generators/shapes.ts";
import { errorOf } from "../contest/errors.ts";
import { type Bucket, evenWidths, fiveBuckets, hundredBuckets, rankIn } from "./buckets.ts";
import type { System } from "./system.ts";

const example: Bucket = { low: 50, high: 74, count: 42, upper_rank: 5 };

test("the source's example: a score of 60 in [50, 74] with 42 players, the best of them 5th, is 30th", () => {
  expect(rankIn([example], 60)).toBe(30);
});

test("the best player of all is first, and the lowest score of a bucket comes after all its players", () => {
  expect(rankIn([{ ...example, upper_rank: 1 }], 74)).toBe(1);
  expect(rankIn([example], 50)).toBe(5 + 42);
});

test("a score above all buckets is first, one below them last", () => {
  expect(rankIn([{ ...example, upper_rank: 1 }], 75)).toBe(1);
  expect(rankIn([{ ...example, upper_rank: 1 }], 49)).toBe(43);
  expect(rankIn([], 49)).toBe(1);
});

test("five buckets of equal width start at each fifth of the scores", () => {
  expect(evenWidths(0, 9_999, 5)).toEqual([0, 2_000, 4_000, 6_000, 8_000]);
  expect(evenWidths(7, 8, 5)).toEqual([7, 8]);
});

test("buckets hold every player once, and a better score has no worse rank", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9_999 }), { minLength: 1 }), (list) => {
      const rising = Float64Array.from(list).sort();
      for (const system of [fiveBuckets, hundredBuckets]) {
        const rank = rankOf(system, rising);
        const ranks = [...rising].map(rank);
        expect(ranks).toEqual(ranks.toSorted((a, b) => b - a));
        expect(ranks.at(-1)).toBe(1);
        expect(ranks[0]).toBeLessThanOrEqual(rising.length + 1);
      }
    }),
  );
});

test("on a real shape, five buckets are wrong by several percent, and a hundred by less than one", () => {
  const rising = drawScores(shapes.chess, 10_000, 1).sort();
  const [five, hundred] = [fiveBuckets, hundredBuckets].map((system) =>
    errorOf(rankOf(system, rising), rising),
  );
  expect(five?.worst).toBeGreaterThan(0.05);
  expect(hundred?.worst).toBeLessThan(0.01);
});

function rankOf(system: System, rising: Float64Array): (score: number) => number {
  return system.estimate?.(rising) ?? expect.fail();
}
