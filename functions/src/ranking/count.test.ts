import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nextKey, previousKey, stepFrom, stepsPerUnit } from "../model/keys.ts";
import { countHeadMax, crowdCountedMax } from "../model/limits.ts";
import { isBetter, type Order, scoreOfKey, sortKey } from "../model/score.ts";
import { seededRandom } from "../testing/arbitraries.ts";
import type { Counter } from "./ask-counts.ts";
import { countRows, type Head } from "./count.ts";
import { checkRows, noRows, type Rows } from "./rows.ts";
import { countedRows, mostAt, spacingFor } from "./thresholds.ts";

const limits = { mayRefine: true, roundsMax: 6, splitsMax: 2_000, concurrencyMax: 8 };

/** A counter that looks scores up in a sorted list. Its sample is the first few scores that it was given. */
function counterOf(order: Order, scores: readonly number[]): Counter & { asked: number; largest: number } {
  const keys = Float64Array.from(scores, (score) => sortKey(order, score)).sort();
  const before = (score: number) => {
    let [low, high] = [0, keys.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((keys[middle] ?? NaN) < sortKey(order, score)) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const held = (at: number) => {
    const key = keys[at];
    return key === undefined ? undefined : scoreOfKey(order, key);
  };
  function counted(count: number): Promise<number> {
    counter.asked += 1;
    counter.largest = Math.max(counter.largest, count);
    return Promise.resolve(count);
  }
  const counter = {
    asked: 0,
    largest: 0,
    count: (from: number, until: number) => counted(before(until) - before(from)),
    firstScore: (from: number, until: number) => {
      counter.asked += 1;
      return Promise.resolve(before(from) < before(until) ? held(before(from)) : undefined);
    },
    worstScore: () => Promise.resolve(held(keys.length - 1)),
    sample: () => Promise.resolve(scores.slice(0, 20)),
    // The n-th of several equal players achieved the score at n milliseconds.
    timesOf: (score: number) =>
      Promise.resolve({ firstMs: 0, lastMs: scores.filter((other) => other === score).length - 1 }),
    countEqual: (score: number, fromMs = 0, untilMs = Infinity) => {
      const all = scores.filter((other) => other === score).length;
      return counted(Math.max(0, Math.min(all, untilMs) - fromMs));
    },
  };
  return counter;
}

function bestOf(order: Order, scores: readonly number[], count: number): Head {
  const sorted = scores.toSorted((a, b) => (order === "descending" ? b - a : a - b));
  return { scores: sorted.slice(0, count), isAll: count > scores.length };
}

/** Every row has as many players as it says, and all players are in rows. */
function expectCounted(order: Order, rows: Rows, scores: readonly number[]): void {
  checkRows(order, rows);
  let all = 0;
  rows.scores.forEach((score, row) => {
    const low = rows.lows[row] ?? NaN;
    const held = scores.filter(
      (other) => !isBetter(order, other, score) && !isBetter(order, low, other),
    ).length;
    expect(rows.players[row]).toBe(held);
    all += held;
  });
  expect(all).toBe(scores.length);
}

/** Fails if a merged row has more players than it may have relative to those above it. */
function expectNarrow(rows: Rows): void {
  const players = rows.players.reduce((sum, count) => sum + count, 0);
  let above = 0;
  rows.players.forEach((count, row) => {
    if (rows.scores[row] !== rows.lows[row])
      expect(count).toBeLessThanOrEqual(mostAt(spacingFor(players, 0), above));
    above += count;
  });
}

describe("a counted ranking", () => {
  const orders: Order[] = ["descending", "ascending"];
  const anyScores = fc.array(
    fc.oneof(
      fc.integer({ min: -50, max: 50 }),
      fc.double({ min: -1e6, max: 1e6, noNaN: true }),
      fc.constant(0),
    ),
    { maxLength: 120 },
  );
  const wholeScores = fc.array(fc.integer({ min: -20, max: 20 }), { maxLength: 120 });
  const anyLimits = fc.record({
    mayRefine: fc.boolean(),
    roundsMax: fc.integer({ min: 0, max: 6 }),
    splitsMax: fc.constantFrom(3, 2_000),
    concurrencyMax: fc.constantFrom(1, 8),
  });

  test("holds every player once, in the rows that cover the score", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...orders),
        fc.oneof(anyScores, wholeScores),
        fc.integer({ min: 1, max: 30 }),
        anyLimits,
        async (order, scores, x, some) => {
          const rows = await countRows(
            order,
            counterOf(order, scores),
            bestOf(order, scores, x),
            noRows,
            some,
          );
          expectCounted(order, rows, scores);
        },
      ),
      { numRuns: 200 },
    );
  });

  test("is still right when it starts from the thresholds of a ranking of entirely different scores", async () => {
    const any = fc.oneof(anyScores, wholeScores);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...orders), any, any, anyLimits, async (order, old, scores, some) => {
        const before = await countRows(order, counterOf(order, old), bestOf(order, old, 5), noRows, limits);
        const rows = await countRows(order, counterOf(order, scores), bestOf(order, scores, 5), before, some);
        expectCounted(order, rows, scores);
      }),
      { numRuns: 200 },
    );
  });

  test.each(orders)(
    "keeps each row small compared with the players above it, on a board that is %s",
    async (order) => {
      const random = seededRandom(1);
      const scores = Array.from({ length: 5_000 }, () => Math.round(1e6 * random() ** 3));
      const counter = counterOf(order, scores);
      const rows = await countRows(order, counter, bestOf(order, scores, 512), noRows, limits);
      expectCounted(order, rows, scores);
      expectNarrow(rows);
    },
  );

  test("gives a crowd of equal players an exact row, also between steps", async () => {
    for (const crowd of [0, 1 / 7]) {
      const scores = [
        ...Array.from({ length: 1_000 }, () => crowd),
        ...Array.from({ length: 200 }, (_, i) => i + 0.5),
      ];
      const counter = counterOf("descending", scores);
      const rows = await countRows("descending", counter, bestOf("descending", scores, 20), noRows, limits);
      const row = rows.scores.indexOf(crowd);
      expect([rows.lows[row], rows.players[row]]).toEqual([crowd, 1_000]);
    }
  });

  test("begins its intervals at whole numbers where scores are whole, so that their ranks are exact", async () => {
    const scores = Array.from({ length: 4_000 }, (_, i) => Math.floor(i / 2));
    const counter = counterOf("descending", scores);
    const rows = await countRows("descending", counter, bestOf("descending", scores, 512), noRows, limits);
    const behindHead = rows.scores.filter((score) => score < 1_700);
    expect(behindHead.filter((score) => Number.isInteger(score)).length).toBeGreaterThan(
      0.95 * behindHead.length,
    );
  });

  test("of scores that have not moved asks one count for each row, splits nothing and finds the same", async () => {
    const scores = Array.from({ length: 3_000 }, (_, i) => i * 7.123456);
    const head = bestOf("descending", scores, 512);
    let first = noRows;
    for (let run = 0; run < 3; run++)
      first = await countRows("descending", counterOf("descending", scores), head, first, limits);
    const counter = counterOf("descending", scores);
    const second = await countRows("descending", counter, head, first, limits);
    expectCounted("descending", second, scores);
    expect(counter.asked).toBeLessThanOrEqual(first.scores.length);
    expect(second).toEqual(first);
  });

  test("of an index with a row for each score joins rows before it counts", async () => {
    const scores = Array.from({ length: 6_000 }, (_, i) => 6_000 - i);
    const exact = Float64Array.from(scores);
    const before = { scores: exact, lows: exact, players: new Float64Array(6_000).fill(1) };
    const counter = counterOf("descending", scores);
    const rows = await countRows("descending", counter, bestOf("descending", scores, 512), before, limits);
    expectCounted("descending", rows, scores);
    expect(counter.asked).toBeLessThanOrEqual(rows.scores.length);
    expect(counter.asked).toBeLessThan(1_200);
  });

  test("splits no more in one run than allowed, and goes on in the next", async () => {
    const scores = Array.from({ length: 600 }, (_, i) => i + 0.1 / (i + 1));
    const few = { ...limits, mayRefine: false, splitsMax: 40 };
    let rows = noRows;
    const widths: number[] = [];
    for (let run = 0; run < 30; run++) {
      const counter = counterOf("descending", scores);
      rows = await countRows("descending", counter, bestOf("descending", scores, 50), rows, few);
      expectCounted("descending", rows, scores);
      widths.push(Math.max(...rows.players));
    }
    expect(widths[0]).toBeGreaterThan(5);
    expectNarrow(rows);
  });

  test("counts a crowd in parts once it is known to be one", async () => {
    const crowd = 2 * crowdCountedMax;
    const scores = [...Array.from({ length: 600 }, (_, i) => i + 1), ...new Array<number>(crowd).fill(0)];
    const before: Rows = {
      scores: Float64Array.of(0),
      lows: Float64Array.of(0),
      players: Float64Array.of(crowd),
    };
    const counter = counterOf("descending", scores);
    const rows = await countRows("descending", counter, bestOf("descending", scores, 590), before, limits);
    expect([...rows.players].slice(-1)).toEqual([crowd]);
    expect(counter.largest).toBeLessThan(crowdCountedMax);
  });

  test("of nobody has no rows, and one of only the best players needs no counts", async () => {
    const none = await countRows(
      "ascending",
      counterOf("ascending", []),
      { scores: [], isAll: true },
      noRows,
      limits,
    );
    expect(none.scores).toHaveLength(0);
    const counter = counterOf("ascending", [3, 1, 3]);
    const rows = await countRows("ascending", counter, bestOf("ascending", [3, 1, 3], 512), noRows, limits);
    expect([...rows.scores, ...rows.players]).toEqual([1, 3, 1, 2]);
    expect(counter.asked).toBe(0);
  });
});

describe("the questions of a run", () => {
  /** A counter that notes its questions in order. */
  function noting(scores: readonly number[]) {
    const inner = counterOf("ascending", scores);
    const asked: string[] = [];
    const note = (...question: unknown[]) => void asked.push(question.join(" "));
    const counter: Counter = {
      ...inner,
      count: (from, until) => {
        note("count", from, until);
        return inner.count(from, until);
      },
      firstScore: (from, until) => {
        note("first", from, until);
        return inner.firstScore(from, until);
      },
      worstScore: () => {
        note("worst");
        return inner.worstScore();
      },
      sample: () => {
        note("sample");
        return inner.sample();
      },
    };
    return { asked, counter };
  }
  const head: Head = { scores: [1], isAll: false };
  const rows = (score: number, low: number, players: number): Rows => ({
    scores: Float64Array.of(score),
    lows: Float64Array.of(low),
    players: Float64Array.of(players),
  });
  const oneByOne = { ...limits, concurrencyMax: 1 };
  /** The best player, two crowds between the same two whole numbers, and the worst. */
  const crowded = [1, ...new Array<number>(20).fill(50.2), ...new Array<number>(20).fill(50.7), 99];

  test("begin with the worst score, and end there for a head without scores", async () => {
    const { asked, counter } = noting([]);
    const nobody = await countRows("ascending", counter, { scores: [], isAll: false }, noRows, limits);
    expect([nobody.scores.length, asked.length]).toEqual([0, 0]);
    const gone = noting([]);
    const best = await countRows("ascending", gone.counter, head, noRows, limits);
    expect([[...best.scores], gone.asked]).toEqual([[1], ["worst"]]);
  });

  test("are a sample and its counts the first time, and do not include a sample with a ranking before", async () => {
    const first = noting([1, 3, 7]);
    await countRows("ascending", first.counter, head, noRows, { ...oneByOne, roundsMax: 0 });
    expect(first.asked.slice(0, 2)).toEqual(["worst", "sample"]);
    const next = noting([1, 3, 7]);
    await countRows("ascending", next.counter, head, rows(1, 7, 3), { ...oneByOne, roundsMax: 0 });
    expect(next.asked[0]).toBe("worst");
    expect(next.asked.slice(1).every((question) => question.startsWith("count"))).toBe(true);
  });

  test("lie on steps that the best, the worst and a sample lie on", async () => {
    const scores = Array.from({ length: 300 }, (_, i) => 1 + i / 4);
    const { asked, counter } = noting([...scores, 76]);
    await countRows("ascending", counter, head, noRows, { ...oneByOne, roundsMax: 1 });
    // The sample is the first twenty.
    const split = asked
      .map((question) => Number(/^count (\S+)/.exec(question)?.[1]))
      .filter((from) => from > 6);
    expect(split.filter((from) => Math.round(from * 100) / 100 !== from)).toEqual([]);
    expect(split.filter((from) => !Number.isInteger(from)).length).toBeGreaterThan(split.length / 2);
  });

  test("look for a score that a player has from the second round on, alternately beyond the middle and in the whole interval", async () => {
    const rounds = await Promise.all(
      [1, 2, 3, 4].map(async (roundsMax) => {
        const { asked, counter } = noting(crowded);
        const some = { ...oneByOne, roundsMax };
        const counted = await countRows("ascending", counter, head, rows(1, 99, 42), some);
        expectCounted("ascending", counted, crowded);
        return asked.filter((question) => question.startsWith("first"));
      }),
    );
    const [none, second, third, fourth] = rounds;
    expect(none).toEqual([]);
    expect(second).toEqual(["first 50 51"]);
    // The score found has an interval of its own now. After it, beyond the middle, is the other crowd.
    expect(third).toEqual(["first 50 51", "first 50.60000000000001 51"]);
    expect(fourth).toEqual(third);
  });

  test("split in as many rounds and into as many parts as allowed", async () => {
    const scores = Array.from({ length: 300 }, (_, i) => i + 1.5);
    const askedIn = async (some: Partial<typeof limits>) => {
      const { asked, counter } = noting(scores);
      const counted = await countRows("ascending", counter, head, rows(1, 301, 2), { ...oneByOne, ...some });
      expectCounted("ascending", counted, scores);
      return asked.length;
    };
    // The worst score, the first key of the range, and the rest.
    expect(await askedIn({ roundsMax: 0 })).toBe(3);
    expect(await askedIn({ splitsMax: 10 })).toBe(3 + 10);
    expect(await askedIn({ roundsMax: 1 })).toBeGreaterThan(3 + 10);
  });

  /** The questions of a run over a number of players, one at each whole number from 1 on. @param known players expected. */
  async function evenlyAsked(
    players: number,
    {
      known = 2,
      roundsMax = 1,
      drawn = [0.9, 0.1, 0.7, 0.3],
    }: { known?: number; roundsMax?: number; drawn?: number[] } = {},
  ): Promise<string[]> {
    const asked: string[] = [];
    const before = (score: number) => Math.min(players, Math.max(0, Math.ceil(score) - 1));
    const counter: Counter = {
      ...counterOf("ascending", []),
      count: (from, until) => {
        asked.push(`count ${from} ${until}`);
        return Promise.resolve(before(until) - before(from));
      },
      worstScore: () => Promise.resolve(players),
      sample: () => {
        asked.push("sample");
        return Promise.resolve(drawn.map((share) => share * players));
      },
    };
    await countRows("ascending", counter, head, rows(1, players, known), { ...oneByOne, roundsMax });
    return asked;
  }

  test("are as many as the players need, whether their number was known before or not", async () => {
    const players = 40_000;
    // About 700 reads beyond the best 512 would do. But only the best player was read, and near the top each has an
    // interval.
    const needed = countedRows(players) - countHeadMax;
    expect(needed).toBeLessThan(720);
    expect((await evenlyAsked(players, { known: players })).length).toBeLessThan(needed + 500);
    expect((await evenlyAsked(players)).length).toBeLessThan(needed + 1_000);
  });

  test("cut an interval with many players at a sample's scores, and others evenly", async () => {
    const much = await evenlyAsked(50_001);
    expect(much.filter((question) => question === "sample")).toHaveLength(1);
    expect(much.slice(-3)).toEqual([
      expect.stringMatching(/^count 15000.3\d* 35000.7/),
      expect.stringMatching(/^count 35000.7\d* 45000.9/),
      expect.stringMatching(/^count 45000.9\d* 50001/),
    ]);
    const alone = await evenlyAsked(50_001, { drawn: [0.5] });
    expect(alone.length).toBeGreaterThan(50);
    const less = await evenlyAsked(49_999);
    expect(less).not.toContain("sample");
    expect(less.length).toBeGreaterThan(50);
  });
});

test("there is no double between neighbouring keys", () => {
  fc.assert(
    fc.property(
      fc.double({ noNaN: true, noDefaultInfinity: true, min: 1 - 2 ** 53, max: 2 ** 53 - 1 }),
      (key) => {
        const next = nextKey(key);
        expect(next).toBeGreaterThan(key);
        expect(previousKey(next) + 0).toBe(key + 0);
        const middle = key + (next - key) / 2;
        expect(middle === key || middle === next).toBe(true);
      },
    ),
  );
});

test("scores with up to three decimals lie on steps, and a step is the double that the decimal is read as", () => {
  expect(stepsPerUnit([3, -4, 0])).toBe(1);
  expect(stepsPerUnit([61.25, 3.1])).toBe(100);
  expect(stepsPerUnit([1 / 3, 2])).toBe(0);
  expect([stepFrom(0.295, 100), stepFrom(-0.295, 100), stepFrom(7, 1), stepFrom(0.3, 0)]).toEqual([
    0.3, -0.29, 7, 0.3,
  ]);
});
