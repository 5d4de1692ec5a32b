/**
 * Monotone cubic interpolation: a smooth curve through points that rises nowhere where they do not.
 *
 * F. N. Fritsch, R. E. Carlson: Monotone piecewise cubic interpolation, SIAM J. Numer. Anal. 17 (1980) 238–246,
 * with the slopes of F. N. Fritsch, J. Butland: A method for constructing local monotone piecewise cubic
 * interpolants, SIAM J. Sci. Stat. Comput. 5 (1984) 300–304 (as in SciPy's PchipInterpolator). npm has no kept
 * package that evaluates such a curve; d3-shape's only draws one.
 */

import { firstWhere } from "../../functions/src/model/search.ts";

export type Point = readonly [x: number, y: number];

/**
 * The curve through points of rising x. Left of the first point and right of the last it goes straight on with the
 * mean slope of its first or last piece.
 * @throws if there are fewer than two points, or x does not rise.
 */
export function monotoneCubic(points: readonly Point[]): (x: number) => number {
  if (points.length < 2 || points.some(([x], i) => i > 0 && !(x > (points[i - 1]?.[0] ?? NaN))))
    throw new Error("monotoneCubic needs at least two points of rising x");
  const xs = Float64Array.from(points, ([x]) => x);
  const ys = Float64Array.from(points, ([, y]) => y);
  const secants = Float64Array.from({ length: xs.length - 1 }, (_, i) => at(ys, i, 1) / at(xs, i, 1));
  const slopes = Float64Array.from(xs, (_, i) => slopeAt(i, xs, secants));
  return (x) => {
    const piece =
      Math.min(
        secants.length,
        Math.max(
          1,
          firstWhere(xs, (other) => other > x),
        ),
      ) - 1;
    const width = at(xs, piece, 1);
    const x0 = xs[piece] ?? NaN;
    const y0 = ys[piece] ?? NaN;
    const secant = secants[piece] ?? NaN;
    const t = (x - x0) / width;
    if (t < 0) return y0 + secant * (x - x0);
    if (t > 1) return (ys[piece + 1] ?? NaN) + secant * (x - x0 - width);
    const start = (slopes[piece] ?? NaN) - secant;
    const end = (slopes[piece + 1] ?? NaN) - secant;
    return y0 + width * t * (secant + (1 - t) * (start * (1 - t) - end * t));
  };
}

function at(values: Float64Array, i: number, ahead: number): number {
  return (values[i + ahead] ?? NaN) - (values[i] ?? NaN);
}

/** The slope at a point: a weighted harmonic mean of its neighbours' secants; flat where they disagree in sign. */
function slopeAt(i: number, xs: Float64Array, secants: Float64Array): number {
  const before = secants[i - 1];
  const after = secants[i];
  if (before === undefined || after === undefined) return before ?? after ?? NaN;
  if (before * after <= 0) return 0;
  const left = at(xs, i - 1, 1);
  const right = at(xs, i, 1);
  const weightBefore = left + 2 * right;
  const weightAfter = 2 * left + right;
  return (weightBefore + weightAfter) / (weightBefore / before + weightAfter / after);
}
