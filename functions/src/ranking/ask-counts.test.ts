import { describe, expect, test } from "vitest";
import { nextKey } from "../model/keys.ts";
import { crowdCountedMax, crowdPartPlayers, sampledPlayers } from "../model/limits.ts";
import { type Counter, createAsk, createSample } from "./ask-counts.ts";
import { createPool } from "./pool.ts";
import type { Interval } from "./thresholds.ts";

const even = (from: number, until: number, players: number): Interval => ({ from, until, players });
const equal = (key: number, players: number): Interval => even(key, nextKey(key), players);

/** A counter that notes its questions and gives the test's answers. */
function noting(answers: Partial<Counter> = {}) {
  const asked: unknown[][] = [];
  const counter: Counter = {
    count: (from, until) => {
      asked.push(["count", from, until]);
      return answers.count?.(from, until) ?? Promise.resolve(7);
    },
    firstScore: (from, until) => {
      asked.push(["first", from, until]);
      return answers.firstScore?.(from, until) ?? Promise.resolve(undefined);
    },
    worstScore: () => Promise.resolve(undefined),
    sample: () => {
      asked.push(["sample"]);
      return answers.sample?.() ?? Promise.resolve([]);
    },
    timesOf: (score) => {
      asked.push(["times", score]);
      return answers.timesOf?.(score) ?? Promise.resolve({ firstMs: 0, lastMs: 100 });
    },
    countEqual: (score, fromMs, untilMs) => {
      asked.push(["equal", score, fromMs, untilMs]);
      return answers.countEqual?.(score, fromMs, untilMs) ?? Promise.resolve(10);
    },
  };
  return { asked, counter };
}

const pool = createPool(1);

describe("counts", () => {
  test("are requested by scores, and replace the expected numbers", async () => {
    const { asked, counter } = noting({ count: (from) => Promise.resolve(from) });
    const ask = createAsk("descending", counter, pool);
    expect(await ask.counted([even(-9, -5, 1), even(-5, -1, 1)])).toEqual([even(-9, -5, 9), even(-5, -1, 5)]);
    expect(asked).toEqual([
      ["count", 9, 5],
      ["count", 5, 1],
    ]);
  });

  test("of a crowd are requested in parts, by when its players achieved the score", async () => {
    const { asked, counter } = noting({ timesOf: () => Promise.resolve({ firstMs: 1_000, lastMs: 2_001 }) });
    const ask = createAsk("ascending", counter, pool);
    expect(await ask.counted([even(1, 2, 5), equal(7, crowdCountedMax)])).toEqual([
      even(1, 2, 7),
      equal(7, 100),
    ]);
    const parts = crowdCountedMax / crowdPartPlayers;
    expect(asked).toEqual([
      ["times", 7],
      ["count", 1, 2],
      ["equal", 7, undefined, 1_100],
      ...[1, 2, 3, 4, 5, 6, 7, 8].map((i) => [
        "equal",
        7,
        Math.floor(1_000 + (1_001 * i) / parts),
        Math.floor(1_000 + (1_001 * (i + 1)) / parts),
      ]),
      ["equal", 7, 1_900, undefined],
    ]);
  });

  test("of a crowd that came within a few milliseconds are at most one for each millisecond", async () => {
    const times = { firstMs: 5, lastMs: 8 };
    const three = noting({ timesOf: () => Promise.resolve(times) });
    await createAsk("ascending", three.counter, pool).counted([equal(7, crowdCountedMax)]);
    expect(three.asked).toEqual([
      ["times", 7],
      ["equal", 7, undefined, 6],
      ["equal", 7, 6, 7],
      ["equal", 7, 7, undefined],
    ]);
    const one = noting({ timesOf: () => Promise.resolve({ firstMs: 5, lastMs: 5.5 }) });
    expect(await createAsk("ascending", one.counter, pool).counted([equal(7, crowdCountedMax)])).toEqual([
      equal(7, 7),
    ]);
    expect(one.asked.slice(1)).toEqual([["count", 7, nextKey(7)]]);
  });

  test("of many players at one score who are not a crowd, or at several scores, take one request", async () => {
    const { asked, counter } = noting();
    const ask = createAsk("ascending", counter, pool);
    await ask.counted([equal(7, crowdCountedMax - 1), even(8, 9, 4 * crowdCountedMax)]);
    expect(asked.map(([kind]) => kind)).toEqual(["count", "count"]);
  });

  test("of parts leave out the first of each, which has the remaining players", async () => {
    const { asked, counter } = noting({ count: (from) => Promise.resolve(from) });
    const ask = createAsk("ascending", counter, pool);
    const [a, b] = [even(0, 10, 100), even(10, 20, 200)];
    const parts = new Map([
      [a, [even(0, 2, 0), even(2, 5, 0), even(5, 10, 0)]],
      [b, [even(10, 15, 0), even(15, 20, 0)]],
    ]);
    expect(await ask.partsOf(parts)).toEqual(
      new Map([
        [a, [even(0, 2, 93), even(2, 5, 2), even(5, 10, 5)]],
        [b, [even(10, 15, 185), even(15, 20, 15)]],
      ]),
    );
    expect(asked).toHaveLength(3);
  });

  test("begin at the first score that a player has, in all of an interval or beyond its middle", async () => {
    const { asked, counter } = noting({ firstScore: (from) => Promise.resolve(from - 1) });
    const ask = createAsk("descending", counter, pool);
    expect(await ask.firstHeld(even(-8, -2, 1), false)).toBe(-7);
    expect(await ask.firstHeld(even(-8, -2, 1), true)).toBe(-4);
    expect(await ask.firstHeld(equal(-8, 1), true)).toBe(-(-nextKey(-8) - 1));
    expect(asked).toEqual([
      ["first", 8, 2],
      ["first", 5, 2],
      ["first", -nextKey(-8), -nextKey(-8)],
    ]);
    // The middle of two neighbouring doubles is the one of them that is even.
    const odd = nextKey(8);
    const asking = noting();
    await createAsk("ascending", asking.counter, pool).firstHeld(even(odd, nextKey(nextKey(odd)), 1), true);
    expect(asking.asked).toEqual([["first", nextKey(odd), nextKey(nextKey(odd))]]);
    const nobody = createAsk("descending", noting().counter, pool);
    expect(await nobody.firstHeld(even(-8, -2, 1), false)).toBe(undefined);
  });
});

describe("a sample", () => {
  test("is drawn once, when it is needed", async () => {
    const { asked, counter } = noting({ sample: () => Promise.resolve([3, 1]) });
    const sample = createSample("ascending", counter);
    expect(asked).toEqual([]);
    expect([await sample.scores(), await sample.scores()]).toEqual([
      [3, 1],
      [3, 1],
    ]);
    await sample.intervals({ from: 0, until: 9 });
    expect(asked).toEqual([["sample"]]);
  });

  test("cuts a range at its scores; one drawn twice has an interval of its own, with as many players as that may mean", async () => {
    const { counter } = noting({ sample: () => Promise.resolve([5, 2, 5, 20]) });
    const sample = createSample("ascending", counter);
    const share = sampledPlayers / 4;
    expect(await sample.intervals({ from: 0, until: 9 })).toEqual([
      even(0, 2, 0),
      even(2, 5, share),
      equal(5, 2 * share),
      even(nextKey(5), 9, 0),
    ]);
  });
});
