import fc from "fast-check";
import { expect, test } from "vitest";
import { anyScore } from "../../../test/support/arbitraries.ts";
import { doubleAt, nextKey, ordinalOf } from "./keys.ts";

test("there is no double between a key and the next one", () => {
  expect([1, -1, 0, -0].map(nextKey)).toEqual([1 + 2 ** -52, -1 + 2 ** -53, 5e-324, 5e-324]);
  fc.assert(
    fc.property(anyScore, (key) => {
      expect(nextKey(key)).toBeGreaterThan(key);
      expect(ordinalOf(nextKey(key)) - ordinalOf(key)).toBe(1n);
    }),
  );
});

test("ordinals number the doubles in order, with zero at 0, and convert back", () => {
  expect([0, -0, Number.MIN_VALUE, -Number.MIN_VALUE].map(ordinalOf)).toEqual([0n, 0n, 1n, -1n]);
  fc.assert(
    fc.property(anyScore, anyScore, (a, b) => {
      expect(doubleAt(ordinalOf(a))).toBe(0 + a);
      expect(ordinalOf(a) < ordinalOf(b)).toBe(a < b);
    }),
  );
});
