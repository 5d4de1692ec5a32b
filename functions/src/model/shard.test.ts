import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { indexingAttemptsMax, shardsDefault, shardsMax } from "./limits.ts";
import { chooseShard, initialShards, nextShards } from "./shard.ts";

describe("the choice of a shard", () => {
  const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

  test("stays within a range that gets eight times as wide with each attempt, up to twice the most shards", () => {
    const anyAttempt = fc.integer({ min: 0, max: indexingAttemptsMax });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: shardsMax }), anyAttempt, chance, (shards, attempt, random) => {
        const shard = chooseShard(shards, attempt, random);
        expect(Number.isInteger(shard)).toBe(true);
        expect(shard).toBeGreaterThanOrEqual(0);
        expect(shard).toBeLessThan(Math.min(shards * 8 ** attempt, 2 * shardsMax));
      }),
    );
  });

  test("reaches both ends of its range", () => {
    expect(chooseShard(8, 0, 0)).toBe(0);
    expect(chooseShard(8, 0, 1 - Number.EPSILON)).toBe(7);
    expect(chooseShard(8, 1, 1 - Number.EPSILON)).toBe(63);
    expect(chooseShard(8, 3, 1 - Number.EPSILON)).toBe(4_095);
    expect(chooseShard(shardsMax, 7, 1 - Number.EPSILON)).toBe(2 * shardsMax - 1);
  });
});

test("a season begins with two shards for each expected write a second, within the limits", () => {
  expect(initialShards(undefined)).toBe(shardsDefault);
  expect([0.01, 0.5, 0.6, 10, 100_000].map(initialShards)).toEqual([1, 1, 2, 20, shardsMax]);
});

describe("the number of shards after a publication", () => {
  test("rises at once to half a write a second and document", () => {
    expect(nextShards(8, 100)).toBe(200);
    expect(nextShards(8, 1e9)).toBe(shardsMax);
  });

  test("falls by a quarter at most, and never below one", () => {
    expect(nextShards(200, 0)).toBe(150);
    expect(nextShards(200, 90)).toBe(180);
    let shards = shardsMax;
    for (let run = 0; run < 100; run++) shards = nextShards(shards, 0.1);
    expect(shards).toBeLessThanOrEqual(3);
    expect(shards).toBeGreaterThanOrEqual(1);
  });
});
