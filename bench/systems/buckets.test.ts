import fc from "fast-check";
import { expect, test } from "vitest";
import { drawScores, type Shape, shapes } from "../generators/shapes.ts";
import { errorOf, settled } from "../contest/errors.ts";
import { truthOf } from "../contest/truth.ts";
import {
  type Bucket,
  bucketsOf,
  deepBuckets,
  evenDepths,
  evenWidths,
  evenBuckets,
  rankIn,
} from "./buckets.ts";
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

test("buckets of equal depth get smaller where the players are", () => {
  const last = bucketsOf([0, 50], 99, [90, 10]);
  expect(evenDepths(0, 99, 10, last)).toEqual([0, 6, 11, 17, 22, 28, 33, 39, 44, 50]);
  expect(evenDepths(30, 40, 10, last)).toEqual([30, 33, 39]);
  expect(evenDepths(0, 99, 2, [])).toEqual([0, 50]);
});

test("a run reads both ends and each bucket, and with equal depth the last buckets", () => {
  const truth = truthOf(Float64Array.from({ length: 10_000 }, (_, i) => i));
  const readsOf = (system: System) => system.bills(truth).run?.(truth).reads;
  expect([evenBuckets, deepBuckets].map(readsOf)).toEqual([2 + 100, 3 + 100]);
});

test("buckets hold every player once, and a better score has no worse rank", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9_999 }), { minLength: 1 }), (list) => {
      const rising = Float64Array.from(list).sort();
      for (const system of [evenBuckets, deepBuckets]) {
        const rank = rankOf(system, rising);
        const ranks = [...rising].map(rank);
        expect(ranks).toEqual(ranks.toSorted((a, b) => b - a));
        expect(ranks.at(-1)).toBe(1);
        expect(ranks[0]).toBeLessThanOrEqual(rising.length + 1);
      }
    }),
  );
});

test("on a real shape, a hundred buckets are wrong by less than one percent", () => {
  expect(worstOf(evenBuckets, shapes.chess)).toBeLessThan(0.01);
  expect(worstOf(deepBuckets, shapes.chess)).toBeLessThan(0.01);
});

test("with a long head, most players are in few buckets of equal width, and equal depth is nearer", () => {
  expect(worstOf(evenBuckets, shapes.osu)).toBeGreaterThan(0.3);
  expect(worstOf(deepBuckets, shapes.osu)).toBeLessThan(0.1);
});

function worstOf(system: System, shape: Shape): number {
  const rising = drawScores(shape, 10_000, 1).sort();
  return errorOf(rankOf(system, rising), truthOf(rising)).worst;
}

function rankOf(system: System, rising: Float64Array): (score: number) => number {
  return settled(system, truthOf(rising)) ?? expect.fail();
}
