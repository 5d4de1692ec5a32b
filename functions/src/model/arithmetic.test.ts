import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { add, exceeds, sizeMaxOf, sizeMaxSaid, type Steps, toStep } from "./arithmetic.ts";
import { decimalsMax, scoreSizeMax } from "./limits.ts";

const anyDecimals = fc.integer({ min: 0, max: decimalsMax });

/** A whole number of steps of a board, as many as a score may have; some are large, some small. */
const anySteps = (decimals: number) => {
  const most = decimals === 0 ? BigInt(scoreSizeMax) : 10n ** 15n - 1n;
  return fc.oneof(fc.bigInt({ min: -most, max: most }), fc.bigInt({ min: -1_000n, max: 1_000n }));
};

/** Decimals with two numbers of steps. */
const twoOnABoard = anyDecimals.chain((decimals) =>
  fc.tuple(fc.constant(decimals), anySteps(decimals), anySteps(decimals)),
);

/** The decimal of a number of steps, as people write it. */
function written(steps: bigint, decimals: number): string {
  const digits = String(steps < 0n ? -steps : steps).padStart(decimals + 1, "0");
  const [whole, rest] = [digits.slice(0, digits.length - decimals), digits.slice(digits.length - decimals)];
  return `${steps < 0n ? "-" : ""}${whole}${decimals === 0 ? "" : `.${rest}`}`;
}

const scoreOf = (steps: bigint, decimals: number) => 0 + Number(written(steps, decimals));

/** The decimal that people read of a double, in the nearest whole number of steps; a half goes away from zero. */
function nearest(value: number, decimals: number): bigint {
  const parts = /^(-?)(\d+)(?:\.(\d+))?(?:e(.+))?$/.exec(String(value)) ?? [];
  const [, sign, whole = "", rest = "", exponent = "0"] = parts;
  const shift = Number(exponent) - rest.length + decimals;
  const digits = BigInt(whole + rest);
  const unit = 10n ** BigInt(Math.abs(shift));
  const size = shift >= 0 ? digits * unit : (2n * digits + unit) / (2n * unit);
  return sign === "-" ? -size : size;
}

describe("on a board with decimals", () => {
  test("each score within the bound is a double of its own, which reads as it was typed", () => {
    fc.assert(
      fc.property(twoOnABoard, ([decimals, a, b]) => {
        const [one, other] = [scoreOf(a, decimals), scoreOf(b, decimals)];
        expect(Object.is(toStep({ decimals }, one), one)).toBe(true);
        expect(Math.sign(one - other)).toBe(a === b ? 0 : a > b ? 1 : -1);
        expect(Math.abs(one)).toBeLessThanOrEqual(sizeMaxOf({ decimals }));
      }),
    );
  });

  test("neighbours at the bound differ", () => {
    for (let decimals = 0; decimals <= decimalsMax; decimals += 1) {
      const most = decimals === 0 ? BigInt(scoreSizeMax) : 10n ** 15n - 1n;
      expect(scoreOf(most, decimals)).toBe(sizeMaxOf({ decimals }));
      expect(scoreOf(most - 1n, decimals)).toBeLessThan(scoreOf(most, decimals));
    }
  });

  test("a sum and a difference are those of the steps, and outside the bound where those are", () => {
    fc.assert(
      fc.property(twoOnABoard, ([decimals, a, b]) => {
        const sum = add({ decimals }, scoreOf(a, decimals), scoreOf(b, decimals));
        const isWithin = Math.abs(sum) <= sizeMaxOf({ decimals });
        const right = scoreOf(a + b, decimals);
        expect(isWithin).toBe(Math.abs(right) <= sizeMaxOf({ decimals }));
        if (isWithin) expect(Object.is(sum, right)).toBe(true);
      }),
    );
  });

  test("any number becomes the step nearest to its decimal, and stays there", () => {
    const any = fc.double({ noNaN: true, noDefaultInfinity: true });
    const usual = fc.double({ min: -1e6, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(anyDecimals, fc.oneof(any, usual), (decimals, value) => {
        const step = toStep({ decimals }, value);
        expect(Object.is(step, scoreOf(nearest(value, decimals), decimals))).toBe(true);
        expect(toStep({ decimals }, step)).toBe(step);
      }),
    );
  });

  test("a half as people write it goes away from zero", () => {
    const halves = anyDecimals.chain((decimals) =>
      fc.tuple(fc.constant(decimals), fc.bigInt({ min: 0n, max: 10n ** 14n - 1n }), fc.boolean()),
    );
    fc.assert(
      fc.property(halves, ([decimals, steps, isBelow]) => {
        const sign = isBelow ? -1n : 1n;
        const half = scoreOf(sign * (10n * steps + 5n), decimals + 1);
        expect(toStep({ decimals }, half)).toBe(scoreOf(sign * (steps + 1n), decimals));
      }),
    );
  });

  test.each<[value: number, decimals: number, step: number]>([
    [1.005, 2, 1.01],
    [2.675, 2, 2.68],
    [58.555, 2, 58.56],
    [-0.305, 2, -0.31],
    [0.125, 2, 0.13],
    [-0.125, 2, -0.13],
    [9.995, 2, 10],
    [0.5, 2, 0.5],
    [-0.004, 2, 0],
    [0.1 + 0.2, 2, 0.3],
    [1.5, 0, 2],
    [0.5, 0, 1],
    [0.05, 0, 0],
    [1e-7, 6, 0],
    [5e-7, 6, 1e-6],
    [1.5e-9, 9, 2e-9],
    [1.5e21, 9, 1.5e21],
    [2 ** 53 - 1, 9, 2 ** 53 - 1],
    [Infinity, 2, Infinity],
    [-Infinity, 0, -Infinity],
  ])("%j to %i decimals is %j", (value, decimals, step) => {
    expect(Object.is(toStep({ decimals }, value), step)).toBe(true);
  });
});

describe("on a board without decimals", () => {
  const free: Steps = {};

  test("a score is as it was submitted, and never minus zero", () => {
    expect(toStep(free, 0.1 + 0.2)).toBe(0.1 + 0.2);
    expect(Object.is(toStep(free, -0), 0)).toBe(true);
    expect([sizeMaxOf(free), sizeMaxSaid(free)]).toEqual([scoreSizeMax, "2^53 - 1"]);
    expect(sizeMaxSaid({ decimals: 2 })).toBe("9999999999999.99, as 15 digits are stored");
  });

  test("whole numbers add up exactly", () => {
    const half = fc.maxSafeInteger().map((value) => Math.trunc(value / 2));
    fc.assert(
      fc.property(half, half, (a, b) => {
        expect(Object.is(add(free, a, b), 0 + Number(BigInt(a) + BigInt(b)))).toBe(true);
      }),
    );
    expect(add(free, 2 ** 53 - 2, 1)).toBe(2 ** 53 - 1);
  });

  test("decimals of up to 15 digits add up exactly, though nobody says how many they have", () => {
    const few = fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 20 }), few, few, (decimals, a, b) => {
        const [one, other] = [scoreOf(a, decimals), scoreOf(b, decimals)];
        expect(add(free, one, other)).toBe(scoreOf(a + b, decimals));
        expect(exceeds(free, one, other)).toBe(a > b);
      }),
    );
  });

  test("a sum differs from the exact one by half of the largest number's 15th digit at most", () => {
    const any = fc.double({ min: -1e15, max: 1e15, noNaN: true });
    fc.assert(
      fc.property(any, any, (a, b) => {
        const sum = add(free, a, b);
        const largest = Math.max(Math.abs(a), Math.abs(b), Math.abs(a + b));
        expect(Math.abs(sum - (a + b))).toBeLessThanOrEqual(largest * 5.3e-15);
        expect(Object.is(sum, -0)).toBe(false);
      }),
    );
  });

  test("tiny numbers stay, and large ones keep their whole part", () => {
    expect(add(free, 5e-324, 5e-324)).toBe(1e-323);
    expect(add(free, 1e-100, 2e-100)).toBe(3e-100);
    expect(add(free, 2 ** 52 - 0.5, -1)).toBe(2 ** 52 - 1);
  });

  test.each<[numbers: number[], sum: number]>([
    [[0.1, 0.2], 0.3],
    [[0.3, -0.1, -0.2], 0],
    [[1_000_000.1, -1_000_000], 0.1],
    [[1_000_000.1, -1_000_000, -0.1], 0],
    [[0.5, 0.5], 1],
  ])("%j add up to %j", (numbers, sum) => {
    expect(numbers.reduce((total, number) => add(free, total, number))).toBe(sum);
  });

  test.each<[a: number, b: number, is: boolean]>([
    [0.1 + 0.2, 0.3, false],
    [0.3, 0.1 + 0.2, false],
    [0.31, 0.3, true],
    [2 ** 53 - 1, 2 ** 53 - 2, true],
    [0.1, Infinity, false],
    [-Infinity, 0.1, false],
  ])("%j exceeds %j: %j", (a, b, is) => {
    expect(exceeds(free, a, b)).toBe(is);
  });
});
