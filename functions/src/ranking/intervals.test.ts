import { describe, expect, test } from "vitest";
import { nextKey, previousKey } from "../model/keys.ts";
import { countPartsMax } from "../model/limits.ts";
import {
  cutAt,
  cutsOf,
  intervalsOf,
  joined,
  knownIn,
  layOver,
  sumOf,
  thinned,
  tooWide,
  toRows,
} from "./intervals.ts";
import { type Interval, layThresholds, type Spacing } from "./thresholds.ts";

const even = (from: number, until: number, players: number): Interval => ({ from, until, players });
const equal = (key: number, players: number): Interval => even(key, nextKey(key), players);
/** Aims at a hundredth of the players above, and at 950 at most. */
const hundredth: Spacing = { epsilon: 0.01, width: 950, steps: 0 };

const rowsOf = (scores: number[], lows: number[], players: number[]) => ({
  scores: Float64Array.from(scores),
  lows: Float64Array.from(lows),
  players: Float64Array.from(players),
});

describe("intervals and rows", () => {
  test("of scores each have their players, in the order of the scores", () => {
    expect(intervalsOf("ascending", [1, 1, 2.5])).toEqual([equal(1, 2), equal(2.5, 1)]);
    expect(intervalsOf("descending", [9, 7, 7])).toEqual([equal(-9, 1), equal(-7, 2)]);
  });

  test("become rows from the best score that fits to the worst, without empty ones", () => {
    const intervals = [even(-9, -5, 3), equal(-5, 0), even(nextKey(-5), -1, 2)];
    const rows = toRows("descending", intervals);
    expect(rows).toEqual(rowsOf([9, -nextKey(-5)], [-previousKey(-5), -previousKey(-1)], [3, 2]));
    expect(sumOf(intervals)).toBe(5);
  });

  test("of the last ranking are known where they lie in a range, with their share of the players", () => {
    const rows = rowsOf([1, 3, 10, 20], [2, 3, 19, 20], [4, 5, 90, 6]);
    expect(knownIn("ascending", rows, { from: 3, until: 13 })).toEqual([equal(3, 5), even(10, 13, 30)]);
    expect(knownIn("ascending", rows, { from: 13, until: 21 })).toEqual([
      even(13, nextKey(19), 60),
      equal(20, 6),
    ]);
    // A row that ends where the range begins is not in it.
    expect(knownIn("ascending", rows, { from: nextKey(2), until: 3 })).toEqual([]);
    expect(knownIn("ascending", rowsOf([1], [2], [0]), { from: 0, until: 9 })).toEqual([]);
  });
});

describe("a range", () => {
  test("is cut at the keys inside it, each once, in order", () => {
    expect(cutAt({ from: 0, until: 10 }, [7, 0, 3, 10, 3, -1, 12])).toEqual([
      even(0, 3, 0),
      even(3, 7, 0),
      even(7, 10, 0),
    ]);
    expect(cutAt({ from: 0, until: 10 }, [])).toEqual([even(0, 10, 0)]);
  });

  test("keeps the last ranking's thresholds while they are about as good as new ones", () => {
    const range = { from: 0, until: 1_000 };
    const known = Array.from({ length: 10 }, (_, i) => even(i * 100, (i + 1) * 100, 95 + (i % 2) * 10));
    const again = layOver(known, range, 10_000, hundredth, false);
    // The first key of a range has an interval of its own, for the players equal to the last player read.
    expect(again.map(({ from }) => from)).toEqual([
      0,
      nextKey(0),
      100,
      200,
      300,
      400,
      500,
      600,
      700,
      800,
      900,
    ]);
    expect(again.map(({ players }) => players)).toEqual([95, 0, 105, 95, 105, 95, 105, 95, 105, 95, 105]);
  });

  test("gets an interval that begins after a row of one score", () => {
    const known = [even(0, 100, 50), equal(100, 70), even(150, 200, 50)];
    const again = layOver(known, { from: 0, until: 200 }, 10_000, hundredth, false);
    expect(again.map(({ from }) => from)).toEqual([0, nextKey(0), 100, nextKey(100), 150]);
  });

  test("gets no interval that begins after a row of several scores, which ends at the start of the next one", () => {
    const known = [even(0, 100, 50), even(100, 120, 70), even(150, 200, 50)];
    const again = layOver(known, { from: 0, until: 200 }, 10_000, hundredth, false);
    expect(again.map(({ from }) => from)).toEqual([0, nextKey(0), 100, 150]);
  });

  test("gets new thresholds if the last ranking's cost half as much again, or a tenth more when finer ones are tried", () => {
    const range = { from: 0, until: 1_000 };
    const wide: Spacing = { epsilon: 0.01, width: 950, steps: 0 };
    /** A number of known rows of one player each, where one interval would be enough. */
    const rows = (count: number) =>
      Array.from({ length: count }, (_, i) => even((i * 1_000) / count, ((i + 1) * 1_000) / count, 1));
    const isKept = (count: number, mayRefine: boolean) =>
      layOver(rows(count), range, 1_000_000, wide, mayRefine).length > 1;
    // One interval costs 1 read: 1.5 + 16 allows 17, and 1.1 + 16 too; one of them is for the first key.
    expect([isKept(16, false), isKept(17, false)]).toEqual([true, false]);
    expect([isKept(16, true), isKept(17, true)]).toEqual([true, false]);
  });

  test("gets finer thresholds when they are tried, if there are a seventh more of them", () => {
    const range = { from: 0, until: 100_000 };
    const players = 80_000;
    const spacing: Spacing = { epsilon: 0.0004, width: 950, steps: 0 };
    const laid = layThresholds([even(0, 100_000, players)], 0, 100_000, 1_000_000, spacing);
    expect(laid).toHaveLength(193);
    const rows = (count: number) =>
      Array.from({ length: count }, (_, i) =>
        even((i * 100_000) / count, ((i + 1) * 100_000) / count, players / count),
      );
    const chosen = (count: number, mayRefine: boolean) =>
      layOver(rows(count), range, 1_000_000, spacing, mayRefine).length;
    // There would be 203 to 205 new ones, and 0.85 times as many, less 16, are 156 to 158. The first key has one more.
    expect(chosen(156, true)).toBe(157);
    expect(chosen(155, true)).toBe(205);
    expect(chosen(155, false)).toBe(156);
  });
});

describe("an interval with too many players", () => {
  test("is found with the number of players above it, unless it is a single key", () => {
    const rest = [even(0, 1, 13), equal(1, 900), even(2, 3, 23), even(3, 4, 24)];
    // 1.25 % of those above: 12.5 of 1,000, and 23.9 of 1,913 and 24.2 of 1,936.
    expect([...tooWide(rest, 1_000, hundredth)]).toEqual([[rest[0], 1_000]]);
    const wider = [...rest.slice(0, 3), even(3, 4, 25)];
    expect([...tooWide(wider, 1_000, hundredth)]).toEqual([
      [wider[0], 1_000],
      [wider[3], 1_936],
    ]);
  });

  test("is cut evenly into the right number of parts", () => {
    // 10 for each part, with 1,000 above.
    expect(cutsOf(even(100, 200, 40), 1_000, hundredth, [], undefined)).toEqual([125, 150, 175]);
    expect(cutsOf(even(100, 200, 41), 1_000, hundredth, [], undefined)).toEqual([120, 140, 160, 180]);
    expect(cutsOf(even(100, 200, 3), 1_000, hundredth, [], undefined)).toEqual([150]);
    expect(cutsOf(even(1, 2, 1e9), 1_000, hundredth, [], undefined)).toHaveLength(countPartsMax - 1);
  });

  test("is also cut evenly in doubles where these are not spread evenly", () => {
    expect(cutsOf(even(1, 4, 20), 1_000, hundredth, [], undefined)).toEqual([2, 2.5]);
    expect(cutsOf(even(1, 3.9, 20), 1_000, hundredth, [], undefined)).toEqual([2.45]);
    expect(cutsOf(even(-4, -1, 20), 1_000, hundredth, [], undefined)).toEqual([-2.5, -2]);
    expect(cutsOf(even(-3.9, -1, 20), 1_000, hundredth, [], undefined)).toEqual([-2.45]);
    expect(cutsOf(even(1, 8, 30), 1_000, hundredth, [], undefined)).toEqual([2, 1 + 7 / 3, 4, 1 + 14 / 3]);
    const acrossZero = cutsOf(even(-8, 8, 20), 1_000, hundredth, [], undefined);
    expect(acrossZero).toEqual([0]);
    const fromZero = cutsOf(even(0, 8, 20), 1_000, hundredth, [], undefined);
    expect(fromZero[1]).toBe(4);
    expect(fromZero[0]).toBeLessThan(1e-100);
  });

  test("is cut on steps where scores lie on them", () => {
    const whole = { ...hundredth, steps: 1 };
    expect(cutsOf(even(100, 110, 40), 1_000, whole, [], undefined)).toEqual([103, 105, 108]);
    // One step with more than its first key: what lies between the steps is separated.
    expect(cutsOf(even(100, 101, 40), 1_000, whole, [], undefined)).toEqual([nextKey(100)]);
  });

  test("is cut at a sample's scores, if it has more than one, and around a score that a player has", () => {
    expect(cutsOf(even(100, 200, 40), 1_000, hundredth, [170, 130], undefined)).toEqual([130, 170]);
    expect(cutsOf(even(100, 200, 40), 1_000, hundredth, [170], undefined)).toEqual([125, 150, 175]);
    expect(cutsOf(even(100, 200, 20), 1_000, hundredth, [], 110)).toEqual([110, nextKey(110), 150]);
    // A score at the very beginning is cut only behind.
    expect(cutsOf(even(100, 200, 20), 1_000, hundredth, [], 100)).toEqual([nextKey(100), 150]);
  });

  test("takes some of many cuts, evenly chosen", () => {
    const cuts = Array.from({ length: 10 }, (_, i) => i);
    expect(thinned(cuts, 10)).toBe(cuts);
    expect(thinned(cuts, 2)).toEqual([2, 7]);
    expect(thinned(cuts, 3)).toEqual([1, 5, 8]);
    expect(thinned(cuts, 0)).toEqual([]);
  });
});

describe("small intervals", () => {
  test("are joined while together they have no more than one should, and empty ones are removed", () => {
    const rest = [even(0, 1, 4), even(1, 2, 0), even(2, 3, 6), even(3, 4, 1), even(4, 5, 9), even(5, 6, 10)];
    // 10 of 1,000 above; 10.1 of 1,010; 10.2 of 1,020.
    expect(joined(rest, 1_000, hundredth)).toEqual([even(0, 3, 10), even(3, 5, 10), even(5, 6, 10)]);
    expect(rest[0]).toEqual(even(0, 1, 4));
  });

  test("are not joined if together they have too many players, and empty ones alone leave none", () => {
    expect(joined([], 1_000, hundredth)).toEqual([]);
    expect(joined([even(0, 1, 0), even(1, 2, 0)], 1_000, hundredth)).toEqual([]);
    expect(joined([even(0, 1, 6), even(1, 2, 5)], 1_000, hundredth)).toEqual([even(0, 1, 6), even(1, 2, 5)]);
    // With more players above, more are joined.
    expect(joined([even(0, 1, 6), even(1, 2, 5)], 1_100, hundredth)).toEqual([even(0, 2, 11)]);
  });
});
