import fc from "fast-check";
import { expect, test } from "vitest";
import { nextKey } from "../model/keys.ts";
import { narrowingsMax } from "../model/limits.ts";
import { anyScore } from "../../../test/support/arbitraries.ts";
import { guessBetween } from "./offset.ts";

/** Two keys with at least one between them. */
const anyPair = fc
  .tuple(anyScore, anyScore)
  .map(([a, b]): [number, number] => (a < b ? [0 + a, 0 + b] : [0 + b, 0 + a]))
  .filter(([a, b]) => nextKey(a) < b);

const count = fc.integer({ min: -5, max: 2_000 });

test("every guess lies between its bounds, whatever the counts say", () => {
  fc.assert(
    fc.property(anyPair, count, count, count, fc.nat({ max: 20 }), ([a, b], before, until, target, step) => {
      const key = guessBetween({ key: a, before }, { key: b, before: until }, target, step);
      expect(key).toBeGreaterThan(a);
      expect(key).toBeLessThan(b);
    }),
  );
});

test("guesses separate any two scores within 64 steps more than the steps for evenly spread ones", () => {
  fc.assert(
    fc.property(anyPair, fc.boolean(), ([a, b], isLow) => {
      let [from, end] = [a, b];
      let steps = 0;
      for (; nextKey(from) < end; steps++) {
        const key = guessBetween({ key: from, before: 0 }, { key: end, before: 0 }, 0, steps);
        if (isLow) end = key;
        else from = key;
      }
      expect(steps).toBeLessThanOrEqual(narrowingsMax + 64);
    }),
  );
});

const [from, end] = [
  { key: 100, before: 0 },
  { key: 200, before: 50 },
];

test("evenly spread players are found at the first guess", () => {
  expect(guessBetween({ key: -10, before: 30 }, { key: 10, before: 40 }, 31, 0)).toBe(-8);
});

test("guesses alternate: even, the middle, even, the middle of the doubles, and only that in the end", () => {
  const guess = (step: number) => guessBetween(from, end, 10, step);
  expect([guess(0), guess(1), guess(2)]).toEqual([120, 150, 120]);
  const byDoubles = guess(3);
  expect(byDoubles).toBeGreaterThan(130);
  expect(byDoubles).toBeLessThan(149);
  expect([guess(4), guess(5)]).toEqual([120, 150]);
  for (let step = narrowingsMax; step < narrowingsMax + 4; step++) expect(guess(step)).toBe(byDoubles);
  expect(guess(narrowingsMax - 1)).toBe(guess((narrowingsMax - 1) % 4));
});

test("a guess that is no better than an end is the next double", () => {
  for (const target of [0, 50]) expect(guessBetween(from, end, target, 0)).toBe(nextKey(100));
});
