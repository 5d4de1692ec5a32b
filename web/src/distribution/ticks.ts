/** The ticks below a histogram: edges of bins, as many as fit, each with a distinct text. Pure. */
import { formatCompact, formatScore } from "../format/numbers.ts";
import type { Bin } from "./bins.ts";

export interface Tick {
  /** In bins from the left. */
  at: number;
  text: string;
}

/** The pixels of a short text, and of each character of a long one, including the space on both sides. */
const shortTextPx = 80;
const characterPx = 7;
const gapPx = 24;

/** @param width of the chart, in pixels. */
export function ticksOf(bins: readonly Bin[], width: number): Tick[] {
  const short = ticksWith(bins, width / shortTextPx, shortText);
  if (new Set(short.map(({ text }) => text)).size === short.length) return short;
  // Large adjacent scores differ only in their last digits.
  const longest = bins.reduce((most, { to }) => Math.max(most, formatScore(to).length), 0);
  return ticksWith(bins, width / (longest * characterPx + gapPx), formatScore);
}

function ticksWith(bins: readonly Bin[], room: number, textOf: (edge: number) => string): Tick[] {
  const most = Math.max(2, Math.floor(room));
  const step = [1, 2, 4, 5, 10, 20, 30].find((size) => bins.length / size <= most) ?? bins.length;
  return Array.from({ length: Math.floor(bins.length / step) + 1 }, (_, i): Tick => {
    const at = i * step;
    return { at, text: textOf(bins[at]?.from ?? bins[at - 1]?.to ?? NaN) };
  });
}

function shortText(edge: number): string {
  return Math.abs(edge) >= 10_000 ? formatCompact(edge) : formatScore(Number(edge.toPrecision(4)));
}
