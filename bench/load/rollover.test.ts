import { describe, expect, test } from "vitest";
import { randomOf } from "../generators/random.ts";
import {
  allowedAfter,
  allowedPerSecond,
  operationsOf,
  type RolloverLoad,
  simulateRollover,
} from "./rollover.ts";

const rollover = (rate: number, some: Partial<RolloverLoad> = {}) =>
  simulateRollover({
    submissionsPerSecond: () => rate,
    counted: "operations",
    seconds: 300,
    random: randomOf(1),
    ...some,
  });

describe("the rule for new collections", () => {
  test("allows 500 operations a second, and half as many more each 5 minutes", () => {
    expect([0, 299, 300, 600, 1_500].map(allowedPerSecond)).toEqual([500, 500, 750, 1_125, 3_796.875]);
    expect([1, 500, 501, 750, 1_000, 3_000].map(allowedAfter)).toEqual([0, 0, 300, 300, 600, 1_500]);
  });

  test.each([
    ["operations", 240],
    ["writes", 480],
  ] as const)("lets everybody through at once if %s count and %d a second submit", (counted, rate) => {
    expect(operationsOf(rate, counted)).toBe(480);
    const { submissions, atOnce, refused, waitP99, calmAfter } = rollover(rate, { counted });
    expect([atOnce, refused, calmAfter]).toEqual([submissions, 0, 0]);
    expect(waitP99).toBeLessThan(1);
  });

  test("lets through what it allows and not more, and every submission is recorded or refused", () => {
    const seconds = 120;
    const result = rollover(1_000, { seconds });
    const { submissions, recorded, refused } = result;
    expect(recorded + refused).toBe(submissions);
    expect(result.stretches.reduce((sum, stretch) => sum + stretch.refused, 0)).toBe(refused);
    // All are recorded or refused within five attempts of 20 s and the waits between them, those in the queue 20 s later.
    const allowed = Array.from({ length: seconds + 128 }, (_, second) => allowedPerSecond(second));
    const operations = allowed.reduce((sum, each) => sum + each);
    expect(2 * recorded).toBeLessThan(operations);
    expect(2 * recorded).toBeGreaterThan(0.8 * 500 * seconds);
    expect(result.waitP99).toBeLessThan(5 * 20 + 7.5 + 20);
  });

  test("is kept by a rate that is within it at first and grows more slowly than it", () => {
    const rising = (second: number) => 120 * 2 ** (second / 900);
    const { refused, calmAfter } = rollover(0, { submissionsPerSecond: rising, seconds: 900 });
    expect([refused, calmAfter]).toEqual([0, 0]);
  });

  test("gives the same result for the same seed", () => {
    const some = { seconds: 60 };
    expect(rollover(400, { ...some, random: randomOf(4) })).toEqual(
      rollover(400, { ...some, random: randomOf(4) }),
    );
    expect(rollover(400, { ...some, random: randomOf(5) })).not.toEqual(
      rollover(400, { ...some, random: randomOf(4) }),
    );
  });
});
