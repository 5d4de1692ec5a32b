import { expect, test } from "vitest";
import { cost, functionTime, instances, isLeast, readUnits, writeUnits } from "./prices.ts";

test("a hundred thousand operations cost what the price list says", () => {
  const each = { reads: 100_000, writes: 100_000, deletes: 100_000 };
  expect(cost({ reads: 100_000 }, "us-central1")).toBeCloseTo(0.03, 12);
  expect(cost(each, "us-central1")).toBeCloseTo(0.13, 12);
  expect(cost(each, "nam5")).toBeCloseTo(0.26, 12);
  expect(cost({ invocations: 1_000_000 }, "nam5")).toBeCloseTo(0.4, 12);
});

test("writing the rank of 30,000 players each hour costs 0.072 dollars in nam5, as in the well-known example", () => {
  expect(cost({ reads: 30_000, writes: 30_000, deletes: 0 }, "nam5")).toBeCloseTo(0.072, 12);
});

test("an Enterprise database bills sizes, so that its dollars are the least that operations cost", () => {
  expect([0, 1, 4_096, 4_097].map(readUnits)).toEqual([1, 1, 1, 2]);
  expect([0, 1_024, 1_025].map((bytes) => writeUnits(bytes, 2))).toEqual([3, 3, 4]);
  const million = { reads: 1e6, writes: 1e6, deletes: 1e6 };
  expect(cost(million, "us-central1, Enterprise")).toBeCloseTo(0.57, 12);
  const regions = ["us-central1", "nam5", "us-central1, Enterprise"] as const;
  expect(regions.map(isLeast)).toEqual([false, false, true]);
});

test("a call is billed the tenths of a second that it begins, of its instance's processors and memory", () => {
  const ten = { invocations: 10, processorSeconds: 1, memorySeconds: 0.5 };
  expect(functionTime(10, 0.02, instances.usual)).toEqual(ten);
  const processorSeconds = (seconds: number) => functionTime(1, seconds, instances.usual).processorSeconds;
  expect([0.1, 0.101, 0.3].map(processorSeconds)).toEqual([0.1, 0.2, 0.3]);
  // A million events of the trigger: the calls, and a sixth of a processor.
  const million = functionTime(1e6, 0.002, instances.trigger);
  expect(cost({ ...million, invocations: 0 }, "nam5")).toBeCloseTo(0.4625, 6);
  expect(cost(million, "us-central1")).toBeCloseTo(0.8625, 6);
});
