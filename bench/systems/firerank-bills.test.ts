import { expect, test } from "vitest";
import { shardsPerPublicationMax } from "../../functions/src/model/limits.ts";
import { truthOf } from "../contest/truth.ts";
import { billsOf, clockOf, type Way } from "./firerank-bills.ts";

const usual: Way = { hasTrigger: false, pages: "memory", freshness: "published" };
const cold: Way = { ...usual, pages: "none" };

/** As many players for each of some scores. */
const boardOf = (scores: number, playersEach: number) =>
  truthOf(Float64Array.from({ length: scores * playersEach }, (_, i) => i % scores));

/** The mean update and the run after five minutes with so many changes a second. */
function workAt(changesPerSecond: number) {
  const truth = boardOf(100, 100);
  const bills = billsOf(usual, truth, changesPerSecond);
  const changes = 300 * changesPerSecond;
  let writes = 0;
  for (let i = 0; i < changes; i++)
    writes += bills.update(truth, { player: `player ${i}`, before: 0, after: 1 }).writes;
  const run = bills.run?.(truth);
  if (run === undefined) throw new Error("a board has a run");
  return { run, writes: writes / changes };
}

test("the more updates come, the more of them share a shard's write", () => {
  expect([1, 10, 100, 1_000].map((rate) => Number(workAt(rate).writes.toFixed(2)))).toEqual([
    2, 1.73, 1.1, 1.01,
  ]);
  const truth = boardOf(2, 2);
  const update = billsOf(usual, truth).update(truth, { player: "p", before: 0, after: 1 });
  expect(update).toMatchObject({ reads: 1, writes: 2, deletes: 0, invocations: 0 });
  const first = billsOf(usual, truth).update(truth, { player: "p", before: null, after: 1 });
  expect(first).toMatchObject({ reads: 2, writes: 2, deletes: 0, invocations: 0 });
});

test("a run folds as many shards as commits have written, and publishes as often as they do not fit", () => {
  const [ten, hundred, many] = [10, 100, 5_000].map((rate) => workAt(rate).run);
  expect(ten?.deletes).toBeLessThan(hundred?.deletes ?? 0);
  expect(hundred?.reads).toBeCloseTo((ten?.reads ?? 0) + (hundred?.deletes ?? 0) - (ten?.deletes ?? 0), 6);
  expect(hundred?.writes).toBe(ten?.writes);
  expect(many?.deletes).toBeGreaterThan(shardsPerPublicationMax);
  expect(many?.writes).toBeGreaterThan(hundred?.writes ?? 0);
});

test("pages in memory are read once an interval, as many as questions hit; without, one a question", () => {
  const load = { updatesPerSecond: 0, ranksPerSecond: 10, scores: 256 * 40 };
  const none = clockOf(cold)(load).reads;
  const ofPages = (ranksPerSecond: number) =>
    (clockOf(usual)({ ...load, ranksPerSecond }).reads - clockOf(cold)({ ...load, ranksPerSecond }).reads) *
    300;
  expect(ofPages(10)).toBeCloseTo(40, 6);
  expect(ofPages(1 / 300)).toBeCloseTo(1, 6);
  expect(ofPages(20 / 300)).toBeLessThan(20);
  const live = clockOf({ ...cold, freshness: "live" })(load).reads;
  // Nothing is pending: page 0 each five seconds.
  expect(live - none).toBeCloseTo(1 / 5, 9);
});

test("the equals before a list of equals are counted, up to 20,000 of them", () => {
  const around = (playersEach: number, index: number) => {
    const truth = boardOf(2, playersEach);
    return billsOf(cold, truth).around(truth, index, 4, 4).reads;
  };
  const neighbours = 1 + 8 + 1;
  expect(around(50_000, 50_000 + 2_500)).toBe(neighbours + 3);
  expect(around(50_000, 50_000 + 40_000)).toBe(neighbours + 20);
  // Two scores, or the best player: nothing is counted.
  expect(around(50_000, 50_002)).toBe(neighbours);
  expect(around(50_000, 2)).toBe(neighbours - 2);
});

test("a page more than 1,000 deep among equals is refused", () => {
  const truth = boardOf(2, 5_000);
  const bills = billsOf(cold, truth);
  expect(bills.page(truth, 6_000, 25)).toMatchObject({ reads: 1_000 + 25 + 1 });
  expect(bills.page(truth, 6_001, 25)).toBeUndefined();
});
