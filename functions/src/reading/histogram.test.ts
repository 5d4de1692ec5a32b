import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toStep } from "../model/arithmetic.ts";
import { packColumns } from "../model/columns.ts";
import { isBetter } from "../model/score.ts";
import { axisOf, binsBetween } from "./histogram.ts";

const orders = ["descending", "ascending"] as const;

describe("bins", () => {
  test("have round edges, for whole numbers whole ones", () => {
    const ofWhole = { order: "descending", step: 1 } as const;
    expect(binsBetween(ofWhole, { best: 9, worst: 1, bins: 5 })).toEqual([
      { from: 10, to: 8 },
      { from: 8, to: 6 },
      { from: 6, to: 4 },
      { from: 4, to: 2 },
      { from: 2, to: 0 },
    ]);
    expect(binsBetween(ofWhole, { best: 3, worst: 1, bins: 20 })).toEqual([
      { from: 3, to: 2 },
      { from: 2, to: 1 },
    ]);
    expect(binsBetween(ofWhole, { best: 3, worst: 3, bins: 20 })).toEqual([{ from: 3, to: 3 }]);
    expect(binsBetween(ofWhole, { best: 1, worst: 3, bins: 20 })).toEqual([{ from: 1, to: 1 }]);
    const tenths = binsBetween({ order: "ascending", step: 0.1 }, { best: 0.1, worst: 0.9, bins: 8 });
    expect(tenths.map(({ from }) => from)).toEqual([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]);
  });

  test("lie side by side, hold all values, and are as many as were asked for at most", () => {
    const value = fc.oneof(
      fc.integer({ min: -1_000, max: 1_000 }),
      fc.maxSafeInteger(),
      fc.double({ min: -1e9, max: 1e9, noNaN: true }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    );
    const asked = fc.record({ order: fc.constantFrom(...orders), step: fc.constantFrom(undefined, 1, 0.01) });
    fc.assert(
      fc.property(
        asked,
        value,
        value,
        fc.integer({ min: 2, max: 50 }),
        ({ order, step }, one, other, bins) => {
          const [a, b] = step === undefined ? [one, other] : [Math.round(one), Math.round(other)];
          const [best, worst] = isBetter(order, a, b) ? [a, b] : [b, a];
          const found = binsBetween({ order, step }, { best, worst, bins });
          expect(found.length).toBeGreaterThan(0);
          expect(found.length).toBeLessThanOrEqual(bins);
          expect(isBetter(order, best, found[0]?.from ?? NaN)).toBe(false);
          expect(isBetter(order, found.at(-1)?.to ?? NaN, worst)).toBe(false);
          for (const [i, { from, to }] of found.entries()) {
            if (found.length > 1) expect(isBetter(order, from, to)).toBe(true);
            expect(found[i + 1]?.from ?? to).toBe(to);
            // Larger scores a board with two decimals does not take.
            if (step !== undefined && Math.abs(to) < 1e13)
              expect(to === toStep({ decimals: step === 1 ? 0 : 2 }, to)).toBe(true);
          }
        },
      ),
      { numRuns: 3_000 },
    );
  });
});

test.each([
  ["descending", 0.6, 0.6, [1, 0]],
  ["descending", 1, 0, [1, 0]],
  ["descending", -0.4, -0.5, [0, -1]],
  ["ascending", 0.6, 1.2, [0, 2]],
] as const)(
  "an end between two steps is the step outside of it: %s from %d to %d",
  (order, best, worst, ends) => {
    const axis = axisOf({ order, decimals: 0 });
    expect([axis.endAt("best", best), axis.endAt("worst", worst)]).toEqual(ends);
    const tenths = axisOf({ order, decimals: 1 });
    expect([tenths.endAt("best", best / 10), tenths.endAt("worst", worst / 10)]).toEqual(
      ends.map((end) => end / 10),
    );
    const any = axisOf({ order });
    expect([any.endAt("best", best), any.endAt("worst", worst)]).toEqual([best, worst]);
  },
);

describe("on a board with columns", () => {
  const columns = (first: (typeof orders)[number]) => [
    { name: "points", min: -5, max: 5, order: first },
    { name: "goals", min: 0, max: 9, order: "descending" as const },
  ];

  test.each(orders.flatMap((order) => orders.map((first) => [order, first] as const)))(
    "the axis is the first column: %s, the column %s",
    (order, first) => {
      const list = columns(first);
      const axis = axisOf({ order, columns: list });
      for (let points = -5; points <= 5; points++) {
        const packed = Array.from({ length: 10 }, (_, goals) => packColumns(order, list, { points, goals }));
        const sorted = packed.toSorted((a, b) => (isBetter(order, a, b) ? -1 : 1));
        expect(packed.map((score) => axis.valueOf(score))).toEqual(packed.map(() => points));
        expect([axis.bestWith(points), axis.worstWith(points)]).toEqual([sorted[0], sorted.at(-1)]);
      }
      expect(axis).toMatchObject({ column: "points", step: 1, order: first });
    },
  );
});
