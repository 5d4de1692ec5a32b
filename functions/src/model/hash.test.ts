import { expect, test } from "vitest";
import { hashOf } from "./hash.ts";

test("the hash is FNV-1a over the low and then the high byte of each UTF-16 unit", () => {
  expect(hashOf("")).toBe(0x811c9dc5);
  expect(hashOf("fo€")).toBe(fnv([0x66, 0, 0x6f, 0, 0xac, 0x20]));
});

/** FNV-1a with arbitrarily large integers, as its authors define it. */
function fnv(bytes: readonly number[]): number {
  let hash = 0x811c9dc5n;
  for (const byte of bytes) hash = ((hash ^ BigInt(byte)) * 0x01000193n) % 2n ** 32n;
  return Number(hash);
}

const namings: [string, (index: number) => string][] = [
  ["numbers in a row", (index) => `player-${index}`],
  ["numbers with leading zeros", (index) => String(index).padStart(12, "0")],
  ["names in another script", (index) => `игрок${String.fromCodePoint(0x4e00 + index)}`],
];

test.each(namings)("the hash spreads %s evenly over any number of places", (_name, nameOf) => {
  const hashes = Array.from({ length: 20_000 }, (_, index) => hashOf(nameOf(index)));
  for (const places of [2, 7, 8, 64, 100]) {
    const counts = new Array<number>(places).fill(0);
    for (const hash of hashes) counts[hash % places] = (counts[hash % places] ?? 0) + 1;
    // Chi-squared has a mean of places − 1 and a variance of twice that; six standard deviations never occur by chance.
    const expected = hashes.length / places;
    const chiSquared = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    expect(chiSquared, `${places} places`).toBeLessThan(places - 1 + 6 * Math.sqrt(2 * (places - 1)));
  }
});
