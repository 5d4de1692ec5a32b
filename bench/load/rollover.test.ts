import { describe, expect, test } from "vitest";
import { randomOf } from "../generators/random.ts";
import { simulate } from "./model.ts";
import {
  allowedAfter,
  allowedPerSecond,
  operationsOf,
  type RolloverLoad,
  simulateOpening,
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
    ["operations", 160],
    ["writes", 480],
  ] as const)("lets everybody through at once if %s count and %d a second submit", (counted, rate) => {
    expect(operationsOf(rate, counted)).toBe(480);
    const { submissions, atOnce, refused, waitP99, indexedP99, calmAfter } = rollover(rate, { counted });
    expect([atOnce, refused, calmAfter]).toEqual([submissions, 0, 0]);
    expect(Math.max(waitP99, indexedP99)).toBeLessThan(1);
  });

  test("lets through what it allows and not more, and every submission is recorded and indexed, or refused", () => {
    const seconds = 120;
    const result = rollover(1_000, { seconds });
    const { submissions, recorded, refused, indexed } = result;
    expect(recorded + refused).toBe(submissions);
    expect(indexed).toBe(recorded);
    expect(result.stretches.reduce((sum, stretch) => sum + stretch.refused, 0)).toBe(refused);
    // All are recorded or refused within five attempts of 20 s and the waits between them, those in the queue 20 s later.
    const allowed = Array.from({ length: seconds + 128 }, (_, second) => allowedPerSecond(second));
    const operations = allowed.reduce((sum, each) => sum + each);
    expect(2 * recorded).toBeLessThan(operations);
    expect(3 * recorded).toBeGreaterThan(0.8 * 500 * seconds);
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

describe("a season that many open at once", () => {
  const opening = (opens: "each" | "instance", serviceSeconds: number) =>
    simulateOpening({
      submissionsPerSecond: 1_000,
      instances: 40,
      serviceSeconds,
      opens,
      random: randomOf(1),
    });

  test.each([1, 0.1])("makes them wait for one commit of %d s and no longer", (serviceSeconds) => {
    for (const opens of ["each", "instance"] as const) {
      const { waitMax, waiting } = opening(opens, serviceSeconds);
      expect(waitMax).toBeGreaterThan(serviceSeconds);
      expect(waitMax).toBeLessThan(serviceSeconds + 0.1);
      expect(waiting).toBeGreaterThan(900 * serviceSeconds);
    }
  });

  test("costs a transaction for each of them, or for each instance", () => {
    expect(opening("each", 1).transactions).toBeGreaterThan(900);
    expect(opening("instance", 1).transactions).toBe(40);
  });
});

test("as many changes are under way at a day's end as Little's law says", () => {
  const { late, backlogSeconds } = simulate({
    submissionsPerSecond: 400,
    activity: (random) => Math.floor(random() * 2 ** 32),
    serviceSeconds: 1,
    shards: 4_000,
    intervalSeconds: 300,
    seconds: 300,
    resize: false,
    random: randomOf(1),
  });
  // Each takes a second and the wait of an M/D/1 queue at load 1/10, which is a twentieth of a ninth of one more.
  expect(Math.abs(late - 400 * (1 + 1 / 18))).toBeLessThan(60);
  expect(backlogSeconds).toBeLessThan(10);
});
