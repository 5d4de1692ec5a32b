import { describe, expect, test } from "vitest";
import { randomOf } from "../generators/random.ts";
import { shapes } from "../generators/shapes.ts";
import { rankTreeAggregated, rankTreeQueues } from "../systems/rank-tree.ts";
import { scoreDocuments } from "../systems/score-documents.ts";
import type { Load } from "../systems/system.ts";
import { changesOf } from "./changes.ts";
import { waitsOf } from "./system-waits.ts";
import { type Arrivals, failedShare, largestRate, simulateWaits } from "./waits.ts";

const arrivals = (load: Load, updatesPerSecond: number, some: Partial<Arrivals> = {}): Arrivals => {
  const random = randomOf(1);
  const change = changesOf(shapes.uniform999, 30_000, random);
  return { load, updatesPerSecond, serviceSeconds: 1, seconds: 1_000, change, random, ...some };
};

const documentPerScore: Load = {
  kind: "documents",
  commits: ({ before, after }) => [[String(before)], [String(after)]],
};
/** Its root is written by every update. */
const tree: Load = {
  kind: "documents",
  commits: ({ after }) => [["root", `child ${Math.floor(after / 100)}`]],
};
const jobs: Load = { kind: "queue", workers: 1, batch: 550 };
/** One worker that takes up to 1,000 from each of ten queues. */
const tenQueues: Load = { kind: "queue", workers: 1, batch: 10_000 };

describe("what was published comes out", () => {
  test("500 new scores a second over the scores 0 to 999, with a document for each", () => {
    const rate = largestRate(arrivals(documentPerScore, NaN));
    expect(rate).toBeGreaterThan(470);
    expect(rate).toBeLessThan(530);
  });

  test("a commit of both documents carries less than a third of that", () => {
    const rate = largestRate(arrivals(scoreDocuments.load, NaN), 50_000);
    expect(rate).toBeGreaterThan(100);
    expect(rate).toBeLessThan(500 / 3);
  });

  test("3 updates a second are too many for a tree at 1 s a commit, and bring errors in 1 of 100 at 0.1 s", () => {
    expect(largestRate(arrivals(tree, NaN), 10_000)).toBeCloseTo(1, 1);
    const share = failedShare(arrivals(tree, 3, { serviceSeconds: 0.1, seconds: 20_000 }));
    expect(share).toBeGreaterThan(0.005);
    expect(share).toBeLessThan(0.03);
  });

  // The article's 200 a second and 500 to 600 in a transaction make a round of 2.75 s: to lease jobs, to apply and to
  // delete them. So the first of these rates is where the round comes from, and only the second follows from it.
  const inRounds = (load: Load, rate: number) => arrivals(load, rate, { serviceSeconds: 2.75 });

  test("200 updates a second with jobs in batches of 500 to 600", () => {
    expect(largestRate(inRounds(jobs, NaN))).toBeCloseTo(200);
    expect(simulateWaits(inRounds(jobs, 190)).waitP99).toBeLessThan(12);
  });

  test("300 updates a second with ten queues, stored within a few seconds", () => {
    expect(simulateWaits(inRounds(jobs, 300)).waitP99).toBeGreaterThan(300);
    expect(simulateWaits(inRounds(tenQueues, 300)).waitP99).toBeLessThan(6);
  });

  test("the trees with queues carry as much", () => {
    expect(largestRate(inRounds(rankTreeAggregated.load, NaN))).toBeCloseTo(600 / 2.75);
    expect(simulateWaits(inRounds(rankTreeAggregated.load, 190)).waitP99).toBeLessThan(12);
    expect(simulateWaits(inRounds(rankTreeAggregated.load, 300)).waitP99).toBeGreaterThan(100);
    expect(simulateWaits(inRounds(rankTreeQueues.load, 300)).waitP99).toBeLessThan(10);
  });
});

test("a commit waits for the busiest of its documents, and independent commits do not wait for each other", () => {
  const one = (commits: string[][]): Load => ({ kind: "documents", commits: () => commits });
  expect(largestRate(arrivals(one([["a", "b"]]), NaN), 100)).toBeCloseTo(1);
  expect(largestRate(arrivals(one([["a"], ["b"]]), NaN), 100)).toBeCloseTo(1);
  expect(largestRate(arrivals(one([["a"], ["a"]]), NaN), 100)).toBeCloseTo(0.5);
});

test("players' own documents carry any rate, and take one commit", () => {
  const own = arrivals({ kind: "own document" }, 1_000);
  expect(largestRate(own)).toBe(Infinity);
  expect(simulateWaits({ ...own, seconds: 10 })).toEqual({ waitP50: 1, waitP99: 1 });
});

test("a layout that widens with the rate carries what its widest carries", () => {
  const widening: Load = {
    kind: "documents",
    commits: (_, random, rate) => [[`shard ${Math.floor(random() * Math.min(100, 2 * Math.ceil(rate)))}`]],
  };
  const rate = largestRate(arrivals(widening, NaN), 50_000);
  expect(rate).toBeGreaterThan(90);
  expect(rate).toBeLessThan(110);
});

test("the largest rate is not low because few updates reach each of many documents", () => {
  const wide: Load = { kind: "documents", commits: (_, random) => [[String(Math.floor(random() * 4_096))]] };
  const rate = largestRate(arrivals(wide, NaN));
  expect(rate).toBeGreaterThan(0.9 * 4_096);
  expect(rate).toBeLessThan(1.1 * 4_096);
});

test("waits grow with the rate, and without end above the largest one", () => {
  const p99 = (rate: number, seconds: number) =>
    simulateWaits(arrivals(documentPerScore, rate, { seconds })).waitP99;
  expect(p99(400, 100)).toBeGreaterThan(p99(100, 100));
  expect(p99(700, 150)).toBeGreaterThan(1.7 * p99(700, 50));
});

describe("systems", () => {
  const effort = { players: 1_000, updates: 2_000 };

  test("a tree is told apart from players' own documents", () => {
    const [atOneSecond] = waitsOf({ id: "tree", load: tree }, shapes.uniform999, effort);
    expect(atOneSecond).toMatchObject({ id: "tree", serviceSeconds: 1 });
    expect(atOneSecond?.ratePerSecondMax).toBeCloseTo(1, 1);
    expect(atOneSecond?.rates.map(({ growing }) => growing).indexOf(true)).toBe(1);
    const [own] = waitsOf({ id: "own", load: { kind: "own document" } }, shapes.uniform999, effort);
    expect(own?.ratePerSecondMax).toBeNull();
    expect(own?.rates.every(({ growing, waitP99 }) => !growing && waitP99 === 1)).toBe(true);
  });

  test("another server is no part of the model", () => {
    expect(waitsOf({ id: "redis", load: { kind: "outside" } }, shapes.uniform999, effort)).toEqual([]);
  });
});
