import { expect, test } from "vitest";
import { compareSources, type Measured } from "./sources.ts";

const busy: Measured = {
  source: "index",
  billed: { reads: 1_000, writes: 259, deletes: 600 },
  players: 1_000_000,
  rows: 65_000,
  top: 100,
  pages: 254,
  changes: 30_000,
};

test("the index costs its run and four operations for each change", () => {
  expect(compareSources(busy).index).toEqual({ reads: 61_000, writes: 60_259, deletes: 600 });
});

test("counts cost some 15 % more than 1,024 reads and one for each 1,000 players, whatever has changed", () => {
  const { count } = compareSources(busy);
  const [pages, rows] = [10, 2_328];
  expect(count).toEqual({ reads: pages + 102 + rows - 100, writes: pages + 3, deletes: 0 });
  expect(compareSources({ ...busy, changes: 0 }).count).toEqual(count);
});

test("a million players break even near 0.7 changes a second", () => {
  const small = { ...busy, rows: 2_600, pages: 11 };
  const { break_even_changes: changes } = compareSources(small);
  expect(changes / 300).toBeGreaterThan(0.5);
  expect(changes / 300).toBeLessThan(0.9);
});

test("a counted board knows what it paid, and not what the index would have cost", () => {
  const billed = { reads: 2_200, writes: 7, deletes: 0 };
  const costs = compareSources({ ...busy, source: "count", billed, rows: 1_000, pages: 4, changes: 0 });
  expect(costs).toMatchObject({ index: null, count: billed });
  expect(costs.break_even_changes).toBeGreaterThan(0);
});

test("the break-even point of the sources is exact to one change", () => {
  // Dollars per 100,000: a read 0.03, a write 0.09; a change two of each and its call, 0.28.
  expect(compareSources(busy).break_even_changes).toBe(
    Math.round((2_340 * 0.03 + 13 * 0.09 - (356 * 0.03 + 257 * 0.09)) / 0.28),
  );
  const counted: Measured = {
    ...busy,
    source: "count",
    billed: { reads: 2_200, writes: 7, deletes: 0 },
    rows: 1_000,
    pages: 4,
  };
  expect(compareSources(counted).break_even_changes).toBe(
    Math.round((2_200 * 0.03 + 7 * 0.09 - (106 * 0.03 + 7 * 0.09)) / 0.28),
  );
});

test("a top is read at a read for each player, one for each 1,000 of them and one for itself", () => {
  const reads = (top: number) => compareSources({ ...busy, top }).count.reads;
  expect(reads(0) - reads(100)).toBe(0);
  // The best 512 are listed anyway.
  expect(reads(2_500) - reads(512)).toBe(2_500 - 512 + 2);
});
