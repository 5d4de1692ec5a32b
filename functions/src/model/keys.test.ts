import fc from "fast-check";
import { expect, test } from "vitest";
import { anyScore } from "../testing/arbitraries.ts";
import { doubleAt, nextKey, onStep, ordinalOf, previousKey, stepFrom, stepsPerUnit } from "./keys.ts";

test("there is no double between a key and its neighbours", () => {
  expect([nextKey(1), previousKey(1)]).toEqual([1 + 2 ** -52, 1 - 2 ** -53]);
  expect([nextKey(-1), previousKey(-1)]).toEqual([-1 + 2 ** -53, -1 - 2 ** -52]);
  for (const zero of [0, -0])
    expect([nextKey(zero), previousKey(zero)]).toEqual([Number.MIN_VALUE, -Number.MIN_VALUE]);
  fc.assert(
    fc.property(anyScore, (key) => {
      expect(nextKey(key)).toBeGreaterThan(key);
      expect(ordinalOf(nextKey(key)) - ordinalOf(key)).toBe(1n);
      expect(previousKey(nextKey(key))).toBe(0 + key);
    }),
  );
});

test("ordinals number the doubles in order, with zero at 0, and convert back", () => {
  expect([ordinalOf(0), ordinalOf(-0), ordinalOf(Number.MIN_VALUE)]).toEqual([0n, 0n, 1n]);
  expect(ordinalOf(-Number.MIN_VALUE)).toBe(-1n);
  expect(doubleAt(0n)).toBe(0);
  fc.assert(
    fc.property(anyScore, anyScore, (a, b) => {
      expect(doubleAt(ordinalOf(a))).toBe(0 + a);
      expect(ordinalOf(a) < ordinalOf(b)).toBe(a < b);
    }),
  );
});

test("the steps of scores are the widest that all of them lie on", () => {
  expect(stepsPerUnit([])).toBe(1);
  expect(stepsPerUnit([3, -7, 0])).toBe(1);
  expect(stepsPerUnit([3, 0.5])).toBe(10);
  expect(stepsPerUnit([3, 0.25])).toBe(100);
  expect(stepsPerUnit([3, 0.125])).toBe(1_000);
  expect(stepsPerUnit([3, 0.0625])).toBe(0);
  expect(stepsPerUnit([1 / 3])).toBe(0);
});

test("a key lies on a step if it is the nearest double to one", () => {
  expect([onStep(0.3, 10), onStep(0.1 + 0.2, 10), onStep(-2.5, 10), onStep(0.25, 10)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
});

test("the first key on a step is the key itself or the next step above it", () => {
  expect([stepFrom(2, 1), stepFrom(2.1, 1), stepFrom(-2.1, 1), stepFrom(-0.5, 1)]).toEqual([2, 3, -2, 0]);
  expect(Object.is(stepFrom(-0.5, 1), 0)).toBe(true);
  expect(stepFrom(0.1 + 0.2, 10)).toBe(0.4);
  // 0.07 × 100 is a little more than 7, yet 0.07 is a step.
  expect(stepFrom(0.07, 100)).toBe(0.07);
  expect([stepFrom(0.123, 0), stepFrom(-1 / 3, 0)]).toEqual([0.123, -1 / 3]);
  fc.assert(
    fc.property(anyScore, fc.constantFrom(1, 10, 100, 1_000), (key, steps) => {
      expect(stepFrom(key, steps)).toBeGreaterThanOrEqual(key);
    }),
  );
});
