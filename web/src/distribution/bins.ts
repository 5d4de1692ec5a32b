/** A histogram: pieces of a distribution counted into bins. Pure. */
import { firstWhere } from "../../../functions/src/model/search.ts";
import { roundStep, tidy } from "../../../functions/src/reading/histogram.ts";
import { type Piece, scoreAt } from "./pieces.ts";

/** Scores from `from` to `to`; players with the score `to` belong to the next bin, except in the last one. */
export interface Bin {
  from: number;
  to: number;
  players: number;
}

export interface Histogram {
  /** Lowest scores first, side by side. */
  bins: Bin[];
  /** Whether the bins grow by a factor, as the scores spread over orders of magnitude. */
  isScoreLog: boolean;
  /** Whether counts differ so much that they need a logarithmic axis. */
  isCountLog: boolean;
}

const binsMax = 48;
/** If the best score is more than this many times the median, the bins grow. */
const scoreLogRatio = 25;
/** If the largest bin is more than this many times the typical one, the axis is logarithmic. */
const countLogRatio = 60;

/** The histogram of some pieces; undefined if nobody has a score. */
export function histogramOf(pieces: readonly Piece[]): Histogram | undefined {
  const ends = pieces.flatMap(({ best, worst }) => [best, worst]);
  if (ends.length === 0) return undefined;
  const lowest = ends.reduce((a, b) => Math.min(a, b));
  const highest = ends.reduce((a, b) => Math.max(a, b));
  const isScoreLog = lowest >= 0 && highest / typicalOf(pieces, highest) > scoreLogRatio;
  const isWhole = ends.every(Number.isInteger);
  const edges = isScoreLog
    ? logEdges(
        lowest,
        ends.filter((end) => end > 0).reduce((a, b) => Math.min(a, b)),
        highest,
      )
    : linearEdges(lowest, highest, isWhole);
  const bins = edges.slice(1).map((to, i): Bin => ({ from: edges[i] ?? to, to, players: 0 }));
  for (const piece of pieces) spread(bins, piece);
  return { bins, isScoreLog, isCountLog: needsLog(bins) };
}

/** Where a score lies among the bins, in bins from the left, from 0 to their number. */
export function placeAmong(bins: readonly Bin[], score: number): number {
  const index = binOf(bins, score);
  const bin = bins[index];
  if (bin === undefined) return 0;
  const share = bin.to === bin.from ? 0.5 : (score - bin.from) / (bin.to - bin.from);
  return index + Math.min(1, Math.max(0, share));
}

/** Edges at round numbers; for whole scores, at whole numbers. */
export function linearEdges(lowest: number, highest: number, isWhole: boolean): number[] {
  const size = Math.max(Math.abs(lowest), Math.abs(highest));
  // Nearly equal scores still get edges that are different numbers: beyond 2^53, only every other number.
  const isVast = size > Number.MAX_SAFE_INTEGER;
  const least = isWhole ? (isVast ? 2 : 1) : Math.max(size * 1e-6, 1e-300);
  const range = Math.max(highest - lowest, least);
  const step = roundStep(range / binsMax, isWhole ? least : 0);
  const first = Math.floor(lowest / step);
  // One more if the highest score is on the last edge, so that the last bin has its full width.
  const last = Math.max(first + 1, Math.floor(highest / step) + 1);
  return Array.from({ length: last - first + 1 }, (_, i) => tidy((first + i) * step));
}

/** Edges that grow by a factor from the lowest score above zero; scores of zero have their own bin before that. */
function logEdges(lowest: number, lowestPositive: number, highest: number): number[] {
  const low = Math.log(lowestPositive);
  const width = (Math.log(highest) - low) / binsMax;
  const inner = Array.from({ length: binsMax - 1 }, (_, i) => Math.exp(low + (i + 1) * width));
  return [...(lowest === 0 ? [0] : []), lowestPositive, ...inner, highest];
}

/** The median of the scores above zero. */
function typicalOf(pieces: readonly Piece[], otherwise: number): number {
  return (
    scoreAt(
      pieces.filter(({ best, worst }) => best > 0 || worst > 0),
      0.5,
    ) ?? otherwise
  );
}

function spread(bins: Bin[], { best, worst, players }: Piece): void {
  const [from, to] = best < worst ? [best, worst] : [worst, best];
  const first = binOf(bins, from);
  const last = binOf(bins, to);
  for (let i = first; i <= last; i++) {
    const bin = bins[i];
    if (bin === undefined) continue;
    const width = Math.min(bin.to, to) - Math.max(bin.from, from);
    bin.players += first === last ? players : (players * Math.max(0, width)) / (to - from);
  }
}

/** The index of a score's bin; the outermost bin for a score beyond them all. */
function binOf(bins: readonly Bin[], score: number): number {
  const above = firstWhere(bins, ({ from }) => from > score);
  return Math.max(0, above - 1);
}

function needsLog(bins: readonly Bin[]): boolean {
  const counts = bins.map(({ players }) => players).filter((count) => count > 0);
  const typical = counts.toSorted((a, b) => a - b)[Math.floor(counts.length / 2)] ?? 1;
  return counts.reduce((a, b) => Math.max(a, b), 0) / Math.max(1, typical) > countLogRatio;
}
