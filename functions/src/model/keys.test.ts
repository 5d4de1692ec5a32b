import fc from "fast-check";
import { expect, test } from "vitest";
import { anyScore } from "../../../test/support/arbitraries.ts";
import { doubleAt, nextKey, ordinalOf } from "./keys.ts";

test("there is no double between a key and the next one", () => {
  expect(nextKey(1)).toBe(1 + 2 ** -52);
  expect(nextKey(-1)).toBe(-1 + 2 ** -53);
  for (const zero of [0, -0]) expect(nextKey(zero)).toBe(Number.MIN_VALUE);
  fc.assert(
    fc.property(anyScore, (key) => {
      expect(nextKey(key)).toBeGreaterThan(key);
      expect(ordinalOf(nextKey(key)) - ordinalOf(key)).toBe(1n);
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
