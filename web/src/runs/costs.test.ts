import { expect, test } from "vitest";
import { emptyRecord } from "../../../functions/src/documents/ranking-record.ts";
import { prices } from "../../../functions/src/model/prices.ts";
import { compareSourcesOf, pricedAs, spentBy } from "./costs.ts";

const key = { leaderboard: "chess", season: "all_time" };
const bill = (reads: number, writes: number, deletes: number) => ({ reads, writes, deletes });
const published = (
  reads: number,
  sources: { index: ReturnType<typeof bill> | null; count: ReturnType<typeof bill> },
) => ({
  ...emptyRecord(key, 0),
  billed: bill(reads, 10, 5),
  sources: { ...sources, break_even_changes: 0 },
});

test("the cost of runs is the sum of their operations at the region's prices", () => {
  const runs = [
    published(100, { index: null, count: bill(0, 0, 0) }),
    published(200, { index: null, count: bill(0, 0, 0) }),
  ];
  const price = prices.nam5;
  expect(spentBy(runs, "nam5")).toMatchObject({ runs: 2, reads: 300, writes: 20, deletes: 10 });
  expect(spentBy(runs, "nam5").dollars).toBeCloseTo(
    300 * price.reads + 20 * price.writes + 10 * price.deletes,
    12,
  );
  expect(spentBy([], "us-central1")).toMatchObject({ runs: 0, dollars: 0 });
});

test("both sources are compared over the same intervals", () => {
  const runs = [
    published(1, { index: bill(10, 0, 0), count: bill(1_000, 0, 0) }),
    published(1, { index: bill(20, 0, 0), count: bill(1_000, 0, 0) }),
    emptyRecord(key, 0),
  ];
  const { reads } = prices["us-central1"];
  const compared = compareSourcesOf(runs, "us-central1");
  expect(compared?.intervals).toBe(2);
  expect(compared?.index).toBeCloseTo(30 * reads, 12);
  expect(compared?.count).toBeCloseTo(2_000 * reads, 12);
});

test("a counted board does not know what its index would cost", () => {
  expect(
    compareSourcesOf([published(1, { index: null, count: bill(5, 0, 0) })], "us-central1")?.index,
  ).toBeUndefined();
  expect(compareSourcesOf([emptyRecord(key, 0)], "us-central1")).toBeUndefined();
});

test("a database in a multi-region has its own prices, any other those of us-central1", () => {
  expect(["nam5", "us-central", "us-central1", "europe-west3", undefined].map((at) => pricedAs(at))).toEqual([
    "nam5",
    "nam5",
    "us-central1",
    "us-central1",
    "us-central1",
  ]);
});

test("an Enterprise database has its edition's prices, wherever it is", () => {
  expect(pricedAs("nam5", "Enterprise")).toBe("us-central1, Enterprise");
  expect(pricedAs("nam5", "standard")).toBe("nam5");
});
