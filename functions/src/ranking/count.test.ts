import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seededRandom } from "../testing/arbitraries.ts";
import { isBetter, type Order } from "../model/score.ts";
import { type Counter, countRows, epsilonFor, nextKey, previousKey } from "./count.ts";
import { checkRows, noRows, type Rows } from "./rows.ts";

const limits = { rowsMax: 200, splitsMax: 2_000, concurrencyMax: 8 };

/** The obviously right counter: it looks at every score. */
function counterOf(order: Order, scores: readonly number[]): Counter & { asked: number } {
  const sorted = scores.toSorted((a, b) => (order === "descending" ? b - a : a - b));
  const within = (score: number, from: number, until: number) =>
    !isBetter(order, score, from) && isBetter(order, score, until);
  const counter = {
    asked: 0,
    count: (from: number, until: number) => {
      counter.asked += 1;
      return Promise.resolve(sorted.filter((score) => within(score, from, until)).length);
    },
    firstScore: (from: number, until: number) => {
      counter.asked += 1;
      return Promise.resolve(sorted.find((score) => within(score, from, until)));
    },
    worstScore: () => Promise.resolve(sorted.at(-1)),
  };
  return counter;
}

function bestOf(order: Order, scores: readonly number[], count: number): number[] {
  return scores.toSorted((a, b) => (order === "descending" ? b - a : a - b)).slice(0, count);
}

/** Every row holds the players it says, and all players are in rows. */
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

/** The largest share that a row of more than one score has of the players above it. */
function widest(rows: Rows): number {
  let above = 0;
  let share = 0;
  rows.players.forEach((players, row) => {
    if (rows.scores[row] !== rows.lows[row] && players > 1) share = Math.max(share, players / above);
    above += players;
  });
  return share;
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

  test("holds every player once, in the rows that cover the score", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...orders),
        anyScores,
        fc.integer({ min: 1, max: 30 }),
        async (order, scores, x) => {
          const rows = await countRows(
            order,
            counterOf(order, scores),
            bestOf(order, scores, x),
            noRows,
            limits,
          );
          expectCounted(order, rows, scores);
        },
      ),
      { numRuns: 100 },
    );
  });

  test("is still right when it starts from the thresholds of a ranking of quite other scores", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...orders), anyScores, anyScores, async (order, old, scores) => {
        const before = await countRows(order, counterOf(order, old), bestOf(order, old, 5), noRows, limits);
        const rows = await countRows(
          order,
          counterOf(order, scores),
          bestOf(order, scores, 5),
          before,
          limits,
        );
        expectCounted(order, rows, scores);
      }),
      { numRuns: 100 },
    );
  });

  test.each(orders)(
    "keeps each row small beside the players above it, on a board that is %s",
    async (order) => {
      const random = seededRandom(1);
      const scores = Array.from({ length: 5_000 }, () => Math.round(1e6 * random() ** 3));
      const rows = await countRows(
        order,
        counterOf(order, scores),
        bestOf(order, scores, 100),
        noRows,
        limits,
      );
      expectCounted(order, rows, scores);
      expect(widest(rows)).toBeLessThanOrEqual(epsilonFor(scores.length, limits.rowsMax));
    },
  );

  test("gives a crowd of equal players an exact row", async () => {
    const scores = [
      ...Array.from({ length: 1_000 }, () => 0),
      ...Array.from({ length: 200 }, (_, i) => i + 0.5),
    ];
    const rows = await countRows(
      "descending",
      counterOf("descending", scores),
      bestOf("descending", scores, 20),
      noRows,
      limits,
    );
    const crowd = rows.scores.indexOf(0);
    expect([rows.lows[crowd], rows.players[crowd]]).toEqual([0, 1_000]);
  });

  test("of scores that have not moved asks one count a row and splits nothing", async () => {
    const scores = Array.from({ length: 3_000 }, (_, i) => i * 7);
    const first = await countRows(
      "descending",
      counterOf("descending", scores),
      bestOf("descending", scores, 50),
      noRows,
      limits,
    );
    const counter = counterOf("descending", scores);
    const second = await countRows("descending", counter, bestOf("descending", scores, 50), first, limits);
    expectCounted("descending", second, scores);
    expect(counter.asked).toBeLessThanOrEqual(2 * first.scores.length);
    expect(counter.asked).toBeLessThan(700);
  });

  test("splits no more in one run than it may, and goes on in the next", async () => {
    const scores = Array.from({ length: 2_000 }, (_, i) => i);
    const few = { ...limits, splitsMax: 10 };
    let rows = noRows;
    const shares: number[] = [];
    for (let run = 0; run < 40; run++) {
      rows = await countRows(
        "descending",
        counterOf("descending", scores),
        bestOf("descending", scores, 50),
        rows,
        few,
      );
      expectCounted("descending", rows, scores);
      shares.push(widest(rows));
    }
    expect(shares[0]).toBeGreaterThan(1);
    expect(shares.at(-1)).toBeLessThanOrEqual(epsilonFor(2_000, few.rowsMax));
  });

  test("of nobody has no rows", async () => {
    expect(
      (await countRows("ascending", counterOf("ascending", []), [], noRows, limits)).scores,
    ).toHaveLength(0);
  });
});

test("neighbouring keys have no double between them", () => {
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
