import fc from "fast-check";
import { expect, test } from "vitest";
import { monotoneCubic, type Point } from "./monotone-cubic.ts";

const anyStep = fc.tuple(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 0, max: 100 }));
const anyRisingPoints = fc.array(anyStep, { minLength: 2, maxLength: 12 }).map((steps) => {
  let [x, y] = [0, 0];
  return steps.map(([dx, dy]): Point => [(x += dx), (y += dy)]);
});

test("the curve goes through its points, never falls where they don't, and has no bump between two equal ones", () => {
  fc.assert(
    fc.property(anyRisingPoints, (points) => {
      const curve = monotoneCubic(points);
      for (const [i, [x, y]] of points.entries()) {
        expect(curve(x)).toBeCloseTo(y, 6);
        const [x0, y0] = points[i - 1] ?? [x, y];
        const values = Array.from({ length: 21 }, (_, k) => curve(x0 + ((x - x0) * k) / 20));
        for (const [k, value] of values.entries())
          expect(value).toBeGreaterThanOrEqual((values[k - 1] ?? value) - 1e-9);
        if (y === y0 && i > 0) expect(values).toEqual(values.map(() => y));
      }
    }),
  );
});

test("points on a line give the line, also beyond them; between points of y = x³ the curve stays close, as SciPy's does", () => {
  const line = monotoneCubic([0, 1, 5].map((x) => [x, 1 + 2 * x]));
  for (const x of [-2, 0, 0.3, 2.5, 5, 9]) expect(line(x)).toBeCloseTo(1 + 2 * x, 12);
  const cubic = monotoneCubic([0, 1, 2, 3].map((x) => [x, x ** 3]));
  // Inner slopes 2 / (1/1 + 1/7) = 1.75 and 2 / (1/7 + 1/19) = 10.2308; the middle of a piece by hand.
  expect(cubic(1.5)).toBeCloseTo((1 + 8) / 2 + (1.75 - 2 / (1 / 7 + 1 / 19)) / 8, 12);
});

test("points that do not rise in x are refused", () => {
  for (const xs of [[0], [1, 1]])
    expect(() => monotoneCubic(xs.map((x, i) => [x, i]))).toThrow("at least two points of rising x");
});
