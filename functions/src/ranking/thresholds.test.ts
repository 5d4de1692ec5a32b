import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nextKey } from "../model/keys.ts";
import { countEpsilonMin, countHeadMax, countRowsMax, countWidth } from "../model/limits.ts";
import {
  aimAt,
  countedRows,
  countReads,
  type Interval,
  isWhole,
  layThresholds,
  mostAt,
  readsOf,
  type Spacing,
  spacingFor,
} from "./thresholds.ts";

const even = (from: number, until: number, players: number): Interval => ({ from, until, players });
const equal = (key: number, players: number): Interval => even(key, nextKey(key), players);
/** Aims at a hundredth of the players above, and at 950 at most. */
const hundredth: Spacing = { epsilon: 0.01, width: 950, steps: 0 };
const startsOf = (intervals: readonly Interval[]) => intervals.map(({ from }) => from);
const playersOf = (intervals: readonly Interval[]) => intervals.map(({ players }) => players);

describe("the share of the players above", () => {
  test("is as small as the reads allow: 0.4 % at ten million players, 0.7 % at a hundred thousand", () => {
    expect(spacingFor(10_000_000, 0).epsilon).toBeCloseTo(0.004, 4);
    expect(spacingFor(100_000, 0).epsilon).toBeCloseTo(0.0068, 4);
    expect(spacingFor(1_000, 0)).toEqual({ epsilon: countEpsilonMin, width: countWidth, steps: 0 });
  });

  test("costs the reads that are allowed, and no more", () => {
    for (const players of [20_000, 100_000, 1_000_000, 5_000_000]) {
      const allowed = 1.15 * (1_024 + players / 1_000);
      expect(countReads(players)).toBeLessThanOrEqual(Math.ceil(allowed));
      if (spacingFor(players, 0).epsilon > countEpsilonMin)
        expect(countReads(players)).toBeGreaterThan(0.99 * allowed);
    }
  });

  test("counts the reads of wider intervals, above thirty million players", () => {
    const players = 100_000_000;
    const { width } = spacingFor(players, 10);
    expect(width).toBe(players / countRowsMax);
    expect(spacingFor(players, 10).steps).toBe(10);
    expect(countedRows(players)).toBeLessThan(countRowsMax + 2_100);
    expect(countReads(players)).toBeGreaterThan((players / 1_000) * 0.99);
    expect(countReads(players) / countedRows(players)).toBeCloseTo(width / 1_000, 2);
  });

  test("gives each player whose score is read a row", () => {
    expect([countedRows(0), countedRows(1), countedRows(countHeadMax)]).toEqual([0, 1, countHeadMax]);
    expect(countReads(countHeadMax)).toBe(countHeadMax);
    expect(countedRows(countHeadMax + 1)).toBe(countHeadMax + 1);
  });

  test("gives rows that widen with the players above, and then all have the same width", () => {
    // From 512 players on a row holds 0.4 % of those above it, until that is 950 at 237,500 players.
    const spaced = Math.log(countWidth / countEpsilonMin / countHeadMax) / countEpsilonMin;
    const players = 10_000_000;
    const { epsilon } = spacingFor(players, 0);
    const rows =
      countHeadMax + (spaced * countEpsilonMin) / epsilon + (players - countWidth / epsilon) / countWidth;
    expect(Math.abs(countedRows(players) - rows)).toBeLessThan(0.001 * rows);
  });

  test("says how many players an interval should have, and how many it may have before it is split", () => {
    expect([0, 100, 150, 5_000, 100_000, 200_000].map((above) => aimAt(hundredth, above))).toEqual([
      1, 1, 1.5, 50, 950, 950,
    ]);
    expect([0, 80, 160, 10_000, 20_000].map((above) => mostAt(hundredth, above))).toEqual([
      1, 1, 2, 125, 250,
    ]);
  });
});

describe("an interval", () => {
  test("is whole if it is one key, or one step", () => {
    expect(isWhole(even(3, nextKey(3), 1), 0)).toBe(true);
    expect(isWhole(even(3, nextKey(nextKey(3)), 1), 0)).toBe(false);
    expect(isWhole(even(3, 4, 1), 1)).toBe(true);
    expect(isWhole(even(3, nextKey(4), 1), 1)).toBe(false);
    expect(isWhole(even(3, 4, 1), 10)).toBe(false);
    expect(isWhole(even(0.3, 0.4, 1), 10)).toBe(true);
  });

  test("is billed for each 1,000 players, a few more than expected, and at least once", () => {
    expect(readsOf([])).toBe(0);
    expect([0, 1, 970, 971, 1_000, 1_941, 1_942].map((count) => readsOf([equal(1, count)]))).toEqual([
      1, 1, 1, 2, 2, 2, 3,
    ]);
    expect(readsOf([equal(1, 970), equal(2, 971)])).toBe(3);
  });
});

describe("thresholds", () => {
  test("leave one interval where nothing is known", () => {
    expect(layThresholds([], 10, 20, 0, hundredth)).toEqual([even(10, 20, 0)]);
  });

  test("lie evenly where players do, each interval with as many players as it should have", () => {
    // A hundredth of 100,000 is more than an interval should have, so each gets 950.
    const laid = layThresholds([even(0, 1_000, 9_500)], 0, 1_000, 100_000, hundredth);
    expect(startsOf(laid)).toEqual([0, 100, 200, 300, 400, 500, 600, 700, 800, 900]);
    expect(playersOf(laid)).toEqual(new Array(10).fill(950));
    expect(laid.at(-1)?.until).toBe(1_000);
  });

  test("lie closer near the top, where fewer players are above", () => {
    const laid = layThresholds([even(0, 1_000, 1_000)], 0, 1_000, 1_000, hundredth);
    const players = playersOf(laid);
    expect(players[0]).toBe(10);
    players.slice(1).forEach((count, i) => {
      if (i < players.length - 2) expect(count).toBeGreaterThan(players[i] ?? NaN);
    });
    expect(players.reduce((sum, count) => sum + count, 0)).toBeCloseTo(1_000, 6);
  });

  test("lie on steps where scores do, and nowhere else", () => {
    const whole = layThresholds([even(0, 49, 686)], 0, 49, 10_000, { ...hundredth, steps: 1 });
    expect(startsOf(whole)).toEqual([0, 7, 14, 21, 28, 35, 42]);
    const tenths = layThresholds([even(0, 1, 333)], 0, 1, 10_000, { ...hundredth, steps: 10 });
    expect(startsOf(tenths)).toEqual([0, 0.3, 0.6, 0.9]);
    // There is no step inside: the players have one score, which no threshold can divide.
    const one = layThresholds([even(3, 4, 5_000)], 3, 4, 10_000, { ...hundredth, steps: 1 });
    expect(startsOf(one)).toEqual([3, nextKey(3)]);
  });

  test("take several small known intervals together, and cut where the next would be too much", () => {
    const known = [even(0, 10, 40), even(10, 20, 40), even(20, 30, 40), even(30, 40, 40), even(40, 50, 40)];
    const laid = layThresholds(known, 0, 50, 10_000, hundredth);
    // Two and a half of them have 100 players.
    expect(startsOf(laid)).toEqual([0, 25]);
    expect(playersOf(laid)).toEqual([100, 100]);
  });

  test("give a crowd of equal players an interval of its own, and none to a single player", () => {
    const known = [even(0, 10, 30), equal(10, 12_000), even(nextKey(10), 20, 30), equal(20, 1), equal(21, 1)];
    const laid = layThresholds(known, 0, 30, 1_000_000, { ...hundredth, width: 10_000 });
    expect(laid).toEqual([even(0, 10, 30), equal(10, 12_000), even(nextKey(10), 30, 32)]);
  });

  test("give equal players an interval of their own if they are too many compared with those above", () => {
    const few = layThresholds([equal(10, 12)], 0, 30, 1_000, hundredth);
    expect(few).toEqual([even(0, 30, 12)]);
    const many = layThresholds([even(0, 10, 3), equal(10, 13)], 0, 30, 1_000, hundredth);
    expect(many).toEqual([even(0, 10, 3), equal(10, 13), even(nextKey(10), 30, 0)]);
  });

  test.each<[what: string, known: Interval[], above: number, laid: Interval[]]>([
    ["a single player gets none of its own, even at the very top", [equal(5, 1)], 0, [even(0, 30, 1)]],
    ["as many equal players as an interval may hold get none", [equal(5, 125)], 10_000, [even(0, 30, 125)]],
    ["one more gets one", [equal(5, 126)], 10_000, [even(0, 5, 0), equal(5, 126), even(nextKey(5), 30, 0)]],
    [
      "a few thousand among a million get none, as that would cost a read",
      [equal(5, 9_999)],
      1e6,
      [even(0, 30, 9_999)],
    ],
    [
      "ten thousand always get one",
      [equal(5, 10_000)],
      1e6,
      [even(0, 5, 0), equal(5, 10_000), even(nextKey(5), 30, 0)],
    ],
    [
      "players before them in the same interval count as above them",
      [even(0, 10, 900), equal(10, 1_255), even(nextKey(10), 30, 5)],
      100_000,
      [even(0, 10, 900), even(10, 30, 1_260)],
    ],
    ["an interval takes what just fits", [even(0, 10, 98), even(10, 20, 2)], 10_000, [even(0, 30, 100)]],
    [
      "an interval that is half full ends before equal players who do not fit",
      [even(0, 1, 50), equal(1, 60), even(2, 3, 30)],
      10_000,
      [even(0, 1, 50), even(1, 30, 90)],
    ],
    [
      "an interval that is less than half full takes them, and ends after them",
      [even(0, 1, 49), equal(1, 60), even(2, 3, 30)],
      10_000,
      [even(0, 2, 109), even(2, 30, 30)],
    ],
    [
      "such an interval takes no more than it may hold",
      [even(0, 1, 49), equal(1, 77), even(2, 2.5, 23)],
      10_000,
      [even(0, 1, 49), even(1, 30, 100)],
    ],
    [
      "if it then has exactly that, it takes them",
      [even(0, 1, 49), equal(1, 76), even(2, 3, 30)],
      10_000,
      [even(0, 2, 125), even(2, 30, 30)],
    ],
    [
      "an interval that is full takes no more",
      [even(0, 10, 100), even(10, 20, 20)],
      10_000,
      [even(0, 10, 100), even(10, 30, 20)],
    ],
    [
      "an interval that is nearly full ends where its players do",
      [even(0, 10, 97), even(10, 20, 30)],
      10_000,
      [even(0, 10, 97), even(10, 30, 30)],
    ],
    [
      "an interval that wastes most of a second read takes more",
      [equal(0, 1_100), equal(1, 900), even(2, 3, 10)],
      1e6,
      [even(0, 30, 2_010)],
    ],
    [
      "where intervals should have 950, one ends early if its read is for at least 800",
      [even(0, 1, 800), equal(1, 400), even(2, 3, 100)],
      1e6,
      [even(0, 1, 800), even(1, 30, 500)],
    ],
    [
      "and it takes more if its read is for fewer",
      [even(0, 1, 799), equal(1, 400), even(2, 3, 100)],
      1e6,
      [even(0, 30, 1_299)],
    ],
    [
      "an interval with more than it should have is filled to twice that, so that each read is for many",
      [equal(0, 1_100), ...Array.from({ length: 12 }, (_, i) => even(i + 1, i + 2, 100))],
      1e6,
      [even(0, 9, 1_900), even(9, 30, 400)],
    ],
  ])("%s", (_, known, above, laid) => {
    expect(layThresholds(known, 0, 30, above, hundredth)).toEqual(laid);
  });

  test("lie after the first step if that has more than an interval should", () => {
    const whole = { ...hundredth, steps: 1 };
    expect(layThresholds([even(0.5, 3, 600)], 0.5, 3, 10_000, whole)).toEqual([
      even(0.5, 1, 120),
      even(1, 2, 240),
      even(2, 3, 240),
    ]);
  });

  test("leave a crowd between steps to a wider interval", () => {
    const laid = layThresholds([equal(10.5, 500)], 0, 30, 1_000, { ...hundredth, steps: 1 });
    expect(startsOf(laid)).not.toContain(10.5);
  });

  test("do not cut at the start, at the end, or twice at one key", () => {
    const laid = layThresholds(
      [equal(0, 500), equal(nextKey(0), 500)],
      0,
      nextKey(nextKey(0)),
      1_000,
      hundredth,
    );
    expect(laid).toEqual([equal(0, 500), equal(nextKey(0), 500)]);
  });

  test("make intervals that have every player once, in order and without gaps", () => {
    const anyKnown = fc
      .array(fc.tuple(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 0, max: 3_000 }), fc.boolean()), {
        maxLength: 20,
      })
      .map((parts) => {
        let at = 0;
        return parts.map(([size, players, isOne]) => {
          const from = at;
          at += size;
          return even(from, isOne ? nextKey(from) : at, players);
        });
      });
    fc.assert(
      fc.property(
        anyKnown,
        fc.integer({ min: 0, max: 100_000 }),
        fc.constantFrom(0, 1, 10),
        fc.double({ min: 0.004, max: 0.2, noNaN: true }),
        (known, above, steps, epsilon) => {
          const end = (known.at(-1)?.until ?? 0) + 1;
          const laid = layThresholds(known, 0, end, above, { epsilon, width: 200, steps });
          expect(laid[0]?.from).toBe(0);
          expect(laid.at(-1)?.until).toBe(end);
          laid.slice(1).forEach(({ from }, i) => {
            expect(from).toBe(laid[i]?.until);
            expect(from).toBeGreaterThan(laid[i]?.from ?? NaN);
          });
          const sum = (list: readonly Interval[]) => list.reduce((all, { players }) => all + players, 0);
          expect(sum(laid)).toBeCloseTo(sum(known), 6);
        },
      ),
    );
  });
});
