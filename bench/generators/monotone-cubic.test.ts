import fc from "fast-check";
import { expect, test } from "vitest";
import { monotoneCubic, type Point } from "./monotone-cubic.ts";

const anyRisingPoints = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 0, max: 100 })), {
    minLength: 2,
    maxLength: 12,
  })
  .map((steps) => {
    let [x, y] = [0, 0];
    return steps.map(([dx, dy]): Point => [(x += dx), (y += dy)]);
  });

test("the curve goes through its points", () => {
  fc.assert(
    fc.property(anyRisingPoints, (points) => {
      const curve = monotoneCubic(points);
      for (const [x, y] of points) expect(curve(x)).toBeCloseTo(y, 6);
    }),
  );
});

test("the curve of points that never fall never falls, and has no bump between two equal ones", () => {
  fc.assert(
    fc.property(anyRisingPoints, (points) => {
      const curve = monotoneCubic(points);
      points.slice(1).forEach(([x, y], i) => {
        const [x0, y0] = points[i] ?? [NaN, NaN];
        const values = Array.from({ length: 21 }, (_, k) => curve(x0 + ((x - x0) * k) / 20));
        values.slice(1).forEach((value, k) => {
          expect(value).toBeGreaterThanOrEqual((values[k] ?? NaN) - 1e-9);
        });
        if (y === y0) expect(values).toEqual(values.map(() => y));
      });
    }),
  );
});

test("points on a line give the line, also beyond them", () => {
  const curve = monotoneCubic([
    [0, 1],
    [1, 3],
    [5, 11],
  ]);
  for (const x of [-2, 0, 0.3, 2.5, 5, 9]) expect(curve(x)).toBeCloseTo(1 + 2 * x, 12);
});

test("between points of y = x³ the curve stays close, as SciPy's does", () => {
  const curve = monotoneCubic([
    [0, 0],
    [1, 1],
    [2, 8],
    [3, 27],
  ]);
  // Inner slopes 2 / (1/1 + 1/7) = 1.75 and 2 / (1/7 + 1/19) = 10.2308; the middle of a piece by hand.
  expect(curve(1.5)).toBeCloseTo((1 + 8) / 2 + (1.75 - 2 / (1 / 7 + 1 / 19)) / 8, 12);
});

test("points that do not rise in x are refused", () => {
  expect(() => monotoneCubic([[0, 0]])).toThrow("at least two points");
  expect(() =>
    monotoneCubic([
      [1, 0],
      [1, 2],
    ]),
  ).toThrow("rising x");
});
