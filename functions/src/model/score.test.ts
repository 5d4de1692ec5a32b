import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyOrder, anyScore } from "../../../test/support/arbitraries.ts";
import {
  bestPossible,
  fieldToScore,
  isBetter,
  isScore,
  scoreOfKey,
  scoreProblem,
  scoreToField,
  sortKey,
} from "./score.ts";

describe("a value that can be ranked", () => {
  test.each([0, -0, 1.5, -7, 5e-324, 2 ** 53 - 1, 1 - 2 ** 53])(
    "is any finite number up to 2^53 - 1 in size: %d",
    (score) => {
      expect(scoreProblem(score)).toBeUndefined();
      expect(isScore(score)).toBe(true);
    },
  );

  test.each([
    [NaN, "is NaN, not a finite number"],
    [Infinity, "is Infinity, not a finite number"],
    [-Infinity, "is -Infinity, not a finite number"],
    [2 ** 53, "is 9007199254740992, larger in size than 2^53 - 1"],
    [-1e300, "is -1e+300, larger in size than 2^53 - 1"],
    ["x".repeat(99), `is a string ("${"x".repeat(40)}"), not a number`],
    [undefined, "is missing, not a number"],
    [null, "is null, not a number"],
    [[1], "is an array, not a number"],
    [{ value: 1 }, "is a value of type object, not a number"],
    [true, "is a value of type boolean, not a number"],
    [12n, "is a value of type bigint, not a number"],
  ])("is not %s", (value, problem) => {
    expect(scoreProblem(value)).toBe(problem);
    expect(isScore(value)).toBe(false);
  });
});

describe("the sort key", () => {
  test("is smaller for the better score, on both kinds of board, and converts back to the score", () => {
    fc.assert(
      fc.property(anyOrder, anyScore, anyScore, (order, a, b) => {
        expect(sortKey(order, a) < sortKey(order, b)).toBe(order === "descending" ? a > b : a < b);
        expect(isBetter(order, a, b)).toBe(sortKey(order, a) < sortKey(order, b));
        expect(isBetter(order, a, bestPossible(order))).toBe(false);
        expect(sortKey(order, a)).not.toBe(-0);
        expect(scoreOfKey(order, sortKey(order, a))).toBe(0 + a);
      }),
    );
    for (const order of ["descending", "ascending"] as const) expect(scoreOfKey(order, -0)).toBe(0);
  });
});

describe("the field of a score in a shard document", () => {
  test("reads back as exactly the same score, and only equal scores have the same, such as 0 and −0", () => {
    fc.assert(
      fc.property(anyScore, anyScore, (a, b) => {
        expect(fieldToScore(scoreToField(a))).toBe(0 + a);
        expect(scoreToField(a) === scoreToField(b)).toBe(a === b);
      }),
    );
  });

  const others = ["", " ", "NaN", "Infinity", "-0", "01", "1.0", " 1", "1e2", "0x10", "9007199254740994"];
  test.each(others)("is not %j, which would count one score in two places or is no score", (field) => {
    expect(fieldToScore(field)).toBeUndefined();
  });
});
