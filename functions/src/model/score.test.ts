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
    ["12", 'is a string ("12"), not a number'],
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

  test("is described with only the first characters of a long text", () => {
    expect(scoreProblem("x".repeat(10_000))?.length).toBeLessThan(100);
  });
});

describe("the sort key", () => {
  test("is smaller for the better score, on both kinds of board, and converts back to the score", () => {
    fc.assert(
      fc.property(anyOrder, anyScore, anyScore, (order, a, b) => {
        expect(sortKey(order, a) < sortKey(order, b)).toBe(order === "descending" ? a > b : a < b);
        expect(isBetter(order, a, b)).toBe(sortKey(order, a) < sortKey(order, b));
        expect(scoreOfKey(order, sortKey(order, a))).toBe(0 + a);
      }),
    );
  });

  test("is never minus zero, and neither is the score of a key", () => {
    for (const order of ["descending", "ascending"] as const) {
      for (const zero of [0, -0]) {
        expect(sortKey(order, zero)).toBe(0);
        expect(scoreOfKey(order, zero)).toBe(0);
      }
    }
  });

  test("of the best possible score is beaten by none", () => {
    fc.assert(
      fc.property(anyOrder, anyScore, (order, score) => {
        expect(isBetter(order, score, bestPossible(order))).toBe(false);
      }),
    );
  });
});

describe("the field of a score in a shard document", () => {
  test("reads back as exactly the same score", () => {
    fc.assert(
      fc.property(anyScore, (score) => {
        expect(fieldToScore(scoreToField(score))).toBe(0 + score);
      }),
    );
  });

  test("is the same for equal scores, also for 0 and −0, and differs for others", () => {
    fc.assert(
      fc.property(anyScore, anyScore, (a, b) => {
        expect(scoreToField(a) === scoreToField(b)).toBe(a === b);
      }),
    );
    expect(scoreToField(-0)).toBe(scoreToField(0));
  });

  test.each([
    "",
    " ",
    "NaN",
    "Infinity",
    "-0",
    "01",
    "1.0",
    "+1",
    " 1",
    "1e2",
    "0x10",
    "abc",
    "9007199254740994",
    "1e300",
  ])("is not %j, which would count one score in two places or is no score", (field) => {
    expect(fieldToScore(field)).toBeUndefined();
  });
});
