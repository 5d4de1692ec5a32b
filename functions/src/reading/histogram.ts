/**
 * The bins of a histogram. Pure.
 *
 * @example scores from 97 down to 3, in up to 10 bins: 100 to 90, 90 to 80, … 10 to 0. A player with 90 is in the second bin.
 */
import { add, toStep } from "../model/arithmetic.ts";
import { columnRange, columnsRange } from "../model/columns.ts";
import type { Definition } from "../model/definition.ts";
import { isBetter, type Order } from "../model/score.ts";

/**
 * What bins are made of: scores, or on a board with columns the values of the first, which matters most. Edges are
 * values that a score can have: the rank of an edge between two would be that of one of them.
 */
export interface Axis {
  /** Which values are better. */
  order: Order;
  column?: string;
  /** The smallest difference of two values; undefined where there is none. */
  step: number | undefined;
  valueOf(score: number): number;
  /** A value that somebody names as the end of the bins, or the next that a score can have outside of it. */
  endAt(side: "best" | "worst", value: number): number;
  bestWith(value: number): number;
  worstWith(value: number): number;
}

export function axisOf(definition: Pick<Definition, "columns" | "order" | "decimals">): Axis {
  const { columns, order, decimals } = definition;
  const [first] = columns ?? [];
  if (columns === undefined || first === undefined) {
    const same = (score: number) => toStep(definition, score);
    const step = decimals === undefined ? undefined : 10 ** -decimals;
    const endAt = (side: "best" | "worst", value: number) => {
      const nearest = same(value);
      const isInside = side === "best" ? isBetter(order, value, nearest) : isBetter(order, nearest, value);
      if (step === undefined || !isInside) return nearest;
      const isUpwards = (side === "best") === (order === "descending");
      return add(definition, nearest, isUpwards ? step : -step);
    };
    return { order, step, valueOf: same, endAt, bestWith: same, worstWith: same };
  }
  const below = columnsRange(columns) / columnRange(first);
  const isAlike = first.order === order;
  const digitOf = (value: number) => (isAlike ? value - first.min : first.max - value);
  const least = (value: number) => digitOf(value) * below;
  const most = (value: number) => digitOf(value) * below + below - 1;
  return {
    order: first.order,
    column: first.name,
    step: 1,
    valueOf(score) {
      const digit = Math.floor(score / below);
      return isAlike ? first.min + digit : first.max - digit;
    },
    bestWith: order === "descending" ? most : least,
    worstWith: order === "descending" ? least : most,
    endAt: (_, value) => value,
  };
}

/** From `from` on, which is better than `to`. A player with `to` is in the next bin, or in this one if it is the last. */
export interface Bin {
  from: number;
  to: number;
}

/**
 * Up to so many bins, at least two, of equal width, with edges at round numbers: the first begins at `best` or just before it, the last ends
 * at `worst` or just behind it.
 * @param best not worse than `worst`; otherwise there is one bin, of this value.
 */
export function binsBetween(
  { order, step = 0 }: Pick<Axis, "order" | "step">,
  { best, worst, bins }: { best: number; worst: number; bins: number },
): Bin[] {
  if (!isBetter(order, best, worst)) return [{ from: best, to: best }];
  const size = Math.max(Math.abs(best), Math.abs(worst));
  // Edges that are closer than doubles tell apart would be the same number.
  const least = Math.max(step, size * 1e-13, Number.MIN_VALUE / Number.EPSILON);
  const [low, high] = order === "descending" ? [worst, best] : [best, worst];
  const range = Math.min(high - low, Number.MAX_VALUE);
  for (let width = roundStep(Math.max(range / bins, least), step); ; width = roundStep(width * 1.01, step)) {
    const edgeAt = (index: number) => tidy(index * width);
    let first = Math.floor(tidy(low / width));
    if (edgeAt(first) > low) first -= 1;
    let last = Math.max(first + 1, Math.ceil(tidy(high / width)));
    if (edgeAt(last) < high) last += 1;
    if (last - first > bins) continue;
    const upwards = Array.from({ length: last - first + 1 }, (_, i) => edgeAt(first + i));
    const edges = order === "descending" ? upwards.reverse() : upwards;
    return edges.slice(1).map((to, i) => ({ from: edges[i] ?? to, to }));
  }
}

/** The smallest of 1, 2, 2.5 and 5 times a power of ten that is not less, and is a whole number of steps, if there are any. */
export function roundStep(least: number, step: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const round = [1, 2, 2.5, 5, 10, 20].map((factor) => tidy(factor * power));
  const fitting = step === 0 ? round : round.filter((value) => Number.isInteger(tidy(value / step)));
  return Math.max(step, fitting.find((value) => value >= least * (1 - 1e-9)) ?? 20 * power);
}

/** 0.1 × 3 is 0.30000000000000004. */
export function tidy(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(15));
}
