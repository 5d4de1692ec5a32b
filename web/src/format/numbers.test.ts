import { expect, test } from "vitest";
import {
  formatCompact,
  formatCount,
  formatDollars,
  formatMany,
  formatPercent,
  formatScore,
} from "./numbers.ts";

test("counts have their thousands apart", () => {
  expect([0, 999, 48_213, 1_000_000].map(formatCount)).toEqual(["0", "999", "48,213", "1,000,000"]);
});

test("counts are short where there is little room, but not before they are long", () => {
  expect([9_999, 48_213, 12_345_678].map(formatCompact)).toEqual(["9,999", "48.2K", "12.3M"]);
});

test("scores keep the decimals that they have, and the largest ones their digits", () => {
  expect([61.25, -3, 2 ** 53].map(formatScore)).toEqual(["61.25", "-3", "9,007,199,254,740,992"]);
});

test("a noun is in the plural unless there is one", () => {
  expect([0, 1, 2].map((n) => formatMany(n, "player"))).toEqual(["0 players", "1 player", "2 players"]);
  expect(formatMany(2, "entry", "entries")).toBe("2 entries");
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

test("per cent have two decimals at most", () => {
  expect([100, 84.4712].map(formatPercent)).toEqual(["100 %", "84.47 %"]);
});
