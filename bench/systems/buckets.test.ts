import fc from "fast-check";
import { expect, test } from "vitest";
import { drawScores, shapes } from "../generators/shapes.ts";
import {
  asPrinted,
  type Bucket,
  bucketsOf,
  evenDepths,
  evenWidths,
  oneLess,
  rankIn,
} from "./bucket-ranks.ts";
import { deepBuckets, fiveBuckets, hundredBuckets } from "./buckets.ts";
import type { System } from "./system.ts";

const example: Bucket = { low: 50, high: 74, count: 42, upper_rank: 5 };

test("the source's example: a score of 60 in [50, 74] with 42 players, the best of them 5th, is 30th", () => {
  expect(asPrinted(example, 60)).toBe(30);
  expect(rankIn([example], 60)).toBe(30);
});

test("the source's other formula says one less, and calls the best player 0th", () => {
  expect(oneLess(example, 60)).toBe(29);
  expect(oneLess({ ...example, upper_rank: 1 }, 74)).toBe(0);
  expect(asPrinted({ ...example, upper_rank: 1 }, 74)).toBe(1);
});

test("the source divides by the distance of the ends, so that the lowest score of a bucket comes after all its players", () => {
  expect(asPrinted(example, 74)).toBe(5);
  expect(asPrinted(example, 50)).toBe(5 + 42);
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

test("buckets of equal depth get smaller where the players are", () => {
  const last = bucketsOf([0, 50], 99, [90, 10]);
  expect(evenDepths(last, 0, 99, 10)).toEqual([0, 6, 11, 17, 22, 28, 33, 39, 44, 50]);
  expect(evenDepths([], 0, 99, 2)).toEqual([0, 50]);
});

test("buckets hold every player once, and a better score has no worse rank", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9_999 }), { minLength: 1 }), (list) => {
      const rising = Float64Array.from(list).sort();
      for (const system of [fiveBuckets, hundredBuckets, deepBuckets]) {
        const rank = rankOf(system, rising);
        const ranks = [...rising].map(rank);
        expect(ranks).toEqual(ranks.toSorted((a, b) => b - a));
        expect(ranks.at(-1)).toBe(1);
        expect(ranks[0]).toBeLessThanOrEqual(rising.length + 1);
      }
    }),
  );
});

test("five buckets are wrong by about 1 % of 10,000 players with uniform scores of 0–9999", () => {
  const worst = [1, 2, 3, 4, 5].map((seed) => worstError(fiveBuckets, seed, "uniform9999"));
  expect(Math.max(...worst)).toBeGreaterThan(0.002);
  expect(Math.max(...worst)).toBeLessThan(0.015);
});

test("on a real shape, five buckets are wrong by several percent, and a hundred of equal depth by less than one", () => {
  expect(worstError(fiveBuckets, 1, "chess")).toBeGreaterThan(0.05);
  expect(worstError(deepBuckets, 1, "chess")).toBeLessThan(0.01);
});

function rankOf(system: System, rising: Float64Array): (score: number) => number {
  const rank = system.estimate?.(rising);
  if (rank === undefined) throw new Error(`${system.id} estimates no ranks`);
  return rank;
}

/** The largest error, as a share of 10,000 players. */
function worstError(system: System, seed: number, shape: "uniform9999" | "chess"): number {
  const rising = drawScores(shapes[shape], 10_000, seed).sort();
  const rank = rankOf(system, rising);
  let worst = 0;
  for (let i = rising.length - 1, above = 0; i >= 0; i--) {
    if (rising[i] !== rising[i + 1]) above = rising.length - 1 - i;
    worst = Math.max(worst, Math.abs(rank(rising[i] ?? NaN) - 1 - above));
  }
  return worst / rising.length;
}
