import fc from "fast-check";
import { expect, test } from "vitest";
import { percentileOf } from "../../../functions/src/reading/rank.ts";
import {
  formatCompact,
  formatCount,
  formatDollars,
  formatDollarTick,
  formatMany,
  formatNumber,
  formatPercent,
  formatScore,
} from "./numbers.ts";

test("counts have thousands separators", () => {
  expect([0, 999, 48_213, 1_000_000].map(formatCount)).toEqual(["0", "999", "48,213", "1,000,000"]);
});

test("compact counts are abbreviated only if they are long", () => {
  expect([9_999, 48_213, 12_345_678].map(formatCompact)).toEqual(["9,999", "48.2K", "12.3M"]);
});

test("scores keep their decimals, and the largest ones all digits", () => {
  expect([61.25, -3, 0.1 + 0.2, 2 ** 53 - 1].map(formatScore)).toEqual([
    "61.25",
    "-3",
    "0.3",
    "9,007,199,254,740,991",
  ]);
});

test("a noun is in the plural unless there is one", () => {
  expect([0, 1, 2].map((n) => formatMany(n, "player"))).toEqual(["0 players", "1 player", "2 players"]);
});

test("dollars have two significant digits below one, and are never shown as nothing", () => {
  expect([12.5, 1_234.567, 0.25, 0.0042, 0.000_012, 4e-7, 0].map(formatDollars)).toEqual([
    "$12.50",
    "$1,234.57",
    "$0.25",
    "$0.0042",
    "$0.000012",
    "<$0.000001",
    "$0",
  ]);
});

test("dollars on an axis are told apart", () => {
  expect([0.000_25, 0.001, 0.001_25, 1.5, 12.5].map(formatDollarTick)).toEqual([
    "$0.00025",
    "$0.001",
    "$0.00125",
    "$1.5",
    "$12.5",
  ]);
});

test("scores that differ read differently, however small they are", () => {
  expect([1e-7, 2e-7, -1.5e-7, 5e-324, 61.250_000_1, 0.000_123].map(formatScore)).toEqual([
    "1e-7",
    "2e-7",
    "-1.5e-7",
    "5e-324",
    "61.2500001",
    "0.000123",
  ]);
  const differ = fc.tuple(fc.double({ noNaN: true }), fc.integer({ min: 1, max: 9 })).map(([score, n]) => {
    const near = score * (1 + n * 1e-14);
    return [score, near] as const;
  });
  fc.assert(
    fc.property(differ, ([one, other]) => {
      fc.pre(Number(one.toPrecision(15)) !== Number(other.toPrecision(15)));
      expect(formatScore(one)).not.toBe(formatScore(other));
    }),
  );
});

test("numbers are shown without insignificant digits", () => {
  expect([12, 33.333_333_333, 0.000_012_345_67, 0].map(formatNumber)).toEqual([
    "12",
    "33.333333",
    "1.235e-5",
    "0",
  ]);
});

test("per cent have two decimals, and more if those would read as all or nothing", () => {
  expect([100, 84.4712, 0].map(formatPercent)).toEqual(["100 %", "84.47 %", "0 %"]);
  const ofAMillion = [2, 3, 60, 500_000, 999_998, 999_999, 1_000_000].map((rank) =>
    formatPercent(percentileOf(rank, 1_000_000)),
  );
  expect(ofAMillion).toEqual(["99.9999 %", "99.9998 %", "99.994 %", "50 %", "0.0002 %", "0.0001 %", "0 %"]);
});

test("100 % is the first player alone, and 0 % the last", () => {
  const players = fc.integer({ min: 2, max: 10_000_000_000 });
  fc.assert(
    fc.property(players, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (count, share) => {
      const rank = 1 + Math.floor(share * count);
      const text = formatPercent(percentileOf(rank, count));
      expect(text === "100 %").toBe(rank === 1);
      expect(text === "0 %").toBe(rank === count);
    }),
  );
});
