import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seededRandom } from "../testing/arbitraries.ts";
import { indexingAttemptsMax, shardsDefault, shardsMax } from "./limits.ts";
import { chooseShard, hashOf, initialShards, nextShards } from "./shard.ts";

const players = 20_000;
const random = seededRandom(5);
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const uid = () => Array.from({ length: 28 }, () => letters[Math.floor(random() * letters.length)]).join("");

const namings: [string, (index: number) => string][] = [
  ["uids of Firebase Auth", uid],
  ["numbers in a row", (index) => `player-${index}`],
  ["numbers with leading zeros", (index) => String(index).padStart(12, "0")],
  ["names in another script", (index) => `игрок${String.fromCodePoint(0x4e00 + index)}`],
];

describe("the hash", () => {
  test("is FNV-1a over the low and then the high byte of each UTF-16 unit", () => {
    expect(hashOf("")).toBe(0x811c9dc5);
    expect(hashOf("a")).toBe(fnv([0x61, 0]));
    expect(hashOf("fo€")).toBe(fnv([0x66, 0, 0x6f, 0, 0xac, 0x20]));
  });
});

/** FNV-1a in whole numbers of any size, as its authors define it. */
function fnv(bytes: readonly number[]): number {
  let hash = 0x811c9dc5n;
  for (const byte of bytes) hash = ((hash ^ BigInt(byte)) * 0x01000193n) % 2n ** 32n;
  return Number(hash);
}

describe("the hash", () => {
  test.each(namings)("spreads %s evenly over any number of places", (_name, nameOf) => {
    const names = Array.from({ length: players }, (_, index) => nameOf(index));
    for (const places of [2, 7, 8, 64, 100]) {
      const counts = new Array<number>(places).fill(0);
      for (const name of names) {
        const place = hashOf(name) % places;
        counts[place] = (counts[place] ?? 0) + 1;
      }
      // Chi-squared has a mean of places − 1 and a variance of twice that; six deviations never come by chance.
      const expected = players / places;
      const chiSquared = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
      expect(chiSquared, `${places} places`).toBeLessThan(places - 1 + 6 * Math.sqrt(2 * (places - 1)));
    }
  });
});

describe("the choice of a shard", () => {
  const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

  test("stays within the shards, at each further attempt within a range eight times as wide, and within twice the most shards", () => {
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

test("a season begins with two shards for each expected write a second, within its limits", () => {
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
