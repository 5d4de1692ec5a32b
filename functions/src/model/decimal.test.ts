import fc from "fast-check";
import { expect, test } from "vitest";
import {
  compareShares,
  decimalIn,
  decimalOf,
  decimalPattern,
  decimalText,
  plus,
  shareOf,
  zero,
} from "./decimal.ts";

const sumOf = (...scores: number[]) => scores.reduce((sum, score) => plus(sum, score, 1), zero);
const anyScore = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.maxSafeInteger());

test.each([
  [[0.1, 0.2], "0.3"],
  [[1.5, 2.25, -3.75], "0"],
  [[Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 1], "18014398509481983"],
  [[1e-7, 1], "1.0000001"],
  [[-0.5, 0.25], "-0.25"],
  [[1e21, 5e-324], `1${"0".repeat(21)}.${"0".repeat(323)}5`],
])("the sum of %j is %s", (scores, text) => {
  expect(decimalText(sumOf(...scores))).toBe(text);
});

test("a score as a text is the number that people read, and back again", () => {
  fc.assert(
    fc.property(anyScore, (score) => {
      const text = decimalText(decimalOf(score));
      expect(text).toMatch(decimalPattern);
      expect(Number(text)).toBe(0 + score);
      expect(decimalText(decimalIn(text))).toBe(text);
    }),
  );
});

test("what is added and taken off again leaves nothing, in any order", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(anyScore, fc.integer({ min: -1_000, max: 1_000 }))), (changes) => {
      const there = changes.reduce((sum, [score, times]) => plus(sum, score, times), zero);
      const back = changes.toReversed().reduce((sum, [score, times]) => plus(sum, score, -times), there);
      expect(decimalText(back)).toBe("0");
    }),
  );
});

test("shares are compared as fractions: a third of 1 is not a number with an end", () => {
  expect(compareShares(decimalOf(1), 3, decimalOf(2), 6)).toBe(0);
  expect(compareShares(decimalOf(1), 3, decimalOf(0.33333333333333331), 1)).toBe(1);
  expect(compareShares(decimalOf(-1), 3, decimalOf(0), 1)).toBe(-1);
  fc.assert(
    fc.property(
      fc.integer(),
      fc.integer({ min: 1, max: 99 }),
      fc.integer(),
      fc.integer({ min: 1, max: 99 }),
      (a, n, b, m) => {
        expect(compareShares(decimalOf(a / 4), n, decimalOf(b / 4), m)).toBe(Math.sign(a * m - b * n) + 0);
      },
    ),
  );
});

test("a share is the number next to it", () => {
  expect(shareOf(decimalOf(1), 3)).toBe(1 / 3);
  expect(shareOf(decimalOf(-10), 4)).toBe(-2.5);
  expect(shareOf(sumOf(0.1, 0.2), 1)).toBe(0.3);
  expect(shareOf(decimalOf(1e-300), 3)).toBe(1e-300 / 3);
});
