import { expect, test } from "vitest";
import { shardsPerPublicationMax } from "../../functions/src/model/limits.ts";
import { truthOf } from "../contest/truth.ts";
import { firerankIndexBills } from "./firerank-bills.ts";

/** As many players for each of some scores. */
const boardOf = (scores: number, playersEach: number) =>
  truthOf(Float64Array.from({ length: scores * playersEach }, (_, i) => i % scores));

/** The run after five minutes with so many changes a second. */
function runAt(changesPerSecond: number) {
  const truth = boardOf(100, 100);
  const bills = firerankIndexBills(truth);
  for (let i = 0; i < 300 * changesPerSecond; i++) {
    bills.update(truth, { player: `player ${i}`, before: 0, after: 1 });
  }
  const run = bills.run?.(truth);
  if (run === undefined) throw new Error("a board has a run");
  return run;
}

test("a run folds as many shards as the load needs", () => {
  const folded = [1, 10].map((rate) => runAt(rate).deletes);
  // Five slots with 3 shards, the least that is left of 8, or with 20.
  expect(folded).toEqual([15, 100]);
  expect(runAt(10).reads).toBe(runAt(1).reads + 85);
});

test("more shards than a publication deletes are joined first", () => {
  const { deletes, writes } = runAt(100);
  expect(deletes).toBeGreaterThan(1_000);
  expect(deletes).toBeLessThan(1_000 + shardsPerPublicationMax);
  expect(writes).toBe(runAt(1).writes + deletes - 1_000);
});

test("the equals before a list of equals are counted, up to 20,000 of them", () => {
  const around = (playersEach: number, index: number) => {
    const truth = boardOf(2, playersEach);
    return firerankIndexBills(truth).around?.(truth, index, 4, 4).reads;
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
  const bills = firerankIndexBills(truth);
  expect(bills.page?.(truth, 6_000, 25)).toMatchObject({ reads: 1_000 + 25 + 1 });
  expect(bills.page?.(truth, 6_001, 25)).toBeUndefined();
});
