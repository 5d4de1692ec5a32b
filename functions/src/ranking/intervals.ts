/** Intervals of sort keys that a ranking by counts is cut into, best first: laid, split and joined. Pure. */
import { doubleAt, nextKey, ordinalOf, previousKey, stepFrom } from "../model/keys.ts";
import { countPartsMax } from "../model/limits.ts";
import { type Order, scoreOfKey, sortKey } from "../model/score.ts";
import type { Rows } from "./rows.ts";
import { aimAt, type Interval, isWhole, layThresholds, mostAt, readsOf, type Spacing } from "./thresholds.ts";

export type Range = Pick<Interval, "from" | "until">;

/** Exact intervals of scores, best first. */
export function intervalsOf(order: Order, scores: readonly number[]): Interval[] {
  const counts = new Map<number, number>();
  for (const score of scores) counts.set(score, (counts.get(score) ?? 0) + 1);
  return [...counts].map(([score, players]) => {
    const from = sortKey(order, score);
    return { from, until: nextKey(from), players };
  });
}

/** The rows of the last ranking that lie in a range. */
export function knownIn(order: Order, { scores, lows, players }: Rows, range: Range): Interval[] {
  const known: Interval[] = [];
  scores.forEach((score, row) => {
    const whole = { from: sortKey(order, score), until: nextKey(sortKey(order, lows[row] ?? NaN)) };
    const from = Math.max(range.from, whole.from);
    const until = Math.min(range.until, whole.until);
    if (from >= until || (players[row] ?? 0) <= 0) return;
    const share = (until - from) / (whole.until - whole.from);
    known.push({ from, until, players: Math.round(share * (players[row] ?? 0)) });
  });
  return known;
}

/** The thresholds of the last ranking while they are about as good as new ones; otherwise new ones. */
export function layOver(
  known: readonly Interval[],
  range: Range,
  above: number,
  spacing: Spacing,
  mayRefine: boolean,
): Interval[] {
  const again = sameThresholds(known, range);
  const laid = layThresholds(known, range.from, range.until, above, spacing);
  const isCheap = readsOf(again) <= (mayRefine ? 1.1 : 1.5) * readsOf(laid) + 16;
  const isFine = !mayRefine || again.length >= 0.85 * laid.length - 16;
  return isCheap && isFine ? again : laid;
}

function sameThresholds(known: readonly Interval[], range: Range): Interval[] {
  const keys = new Set([range.from, nextKey(range.from)]);
  for (const { from, until } of known) {
    keys.add(from);
    // After an exact row an interval of its own begins; elsewhere the start of the next row ends this one.
    if (until === nextKey(from)) keys.add(until);
  }
  const players = new Map(known.map((interval) => [interval.from, interval.players]));
  return cutAt(range, [...keys]).map((interval) => ({
    ...interval,
    players: players.get(interval.from) ?? 0,
  }));
}

/** A range, cut at those keys that lie in it. */
export function cutAt({ from, until }: Range, cuts: readonly number[]): Interval[] {
  const inside = [...new Set(cuts)].filter((key) => key > from && key < until).sort((a, b) => a - b);
  const keys = [from, ...inside, until];
  return keys.slice(1).map((end, i) => ({ from: keys[i] ?? NaN, until: end, players: 0 }));
}

/** Intervals with too many players compared with those above them, each with the number of those above. */
export function tooWide(rest: readonly Interval[], above: number, spacing: Spacing): Map<Interval, number> {
  const wide = new Map<Interval, number>();
  let before = above;
  for (const interval of rest) {
    const { from, until, players } = interval;
    if (players > mostAt(spacing, before) && until !== nextKey(from)) wide.set(interval, before);
    before += players;
  }
  return wide;
}

/**
 * Where to split an interval.
 * @param drawn thresholds from a sample, if there is one.
 * @param held a score that a player has, if one was looked up.
 */
export function cutsOf(
  interval: Interval,
  above: number,
  spacing: Spacing,
  drawn: readonly number[],
  held: number | undefined,
): number[] {
  const { from, until, players } = interval;
  const { steps } = spacing;
  const parts = Math.min(countPartsMax, Math.max(2, Math.ceil(players / aimAt(spacing, above))));
  const guesses =
    drawn.length > 1
      ? drawn
      : [...evenly(from, until, parts), ...evenlyInDoubles(from, until, parts)].map((key) =>
          stepFrom(key, steps),
        );
  const cuts = isWhole(interval, steps) ? [nextKey(from)] : [...guesses];
  if (held !== undefined) cuts.push(held, nextKey(held));
  return cutAt(interval, cuts)
    .slice(1)
    .map((part) => part.from);
}

/** At most `most` of some cuts, evenly chosen. */
export function thinned(cuts: readonly number[], most: number): readonly number[] {
  if (cuts.length <= most) return cuts;
  return Array.from({ length: most }, (_, i) => cuts[Math.floor(((i + 0.5) * cuts.length) / most)] ?? NaN);
}

function evenly(from: number, until: number, parts: number): number[] {
  return Array.from({ length: parts - 1 }, (_, i) => from + ((until - from) * (i + 1)) / parts);
}

/** Cuts with the same number of doubles in each part; none where that is about the same as {@link evenly}. */
function evenlyInDoubles(from: number, until: number, parts: number): number[] {
  if (until / from > 0.25 && until / from < 4) return [];
  const [first, last] = [ordinalOf(from), ordinalOf(until)];
  return Array.from({ length: parts - 1 }, (_, i) =>
    doubleAt(first + ((last - first) * BigInt(i + 1)) / BigInt(parts)),
  );
}

/** Intervals without empty ones. Neighbours are joined where together they have no more players than one should have. */
export function joined(rest: readonly Interval[], above: number, spacing: Spacing): Interval[] {
  const result: Interval[] = [];
  let before = above;
  for (const interval of rest) {
    if (interval.players === 0) continue;
    const last = result.at(-1);
    if (last !== undefined && last.players + interval.players <= aimAt(spacing, before)) {
      last.until = interval.until;
      last.players += interval.players;
      continue;
    }
    before += last?.players ?? 0;
    result.push({ ...interval });
  }
  return result;
}

export function sumOf(intervals: readonly Interval[]): number {
  return intervals.reduce((sum, { players }) => sum + players, 0);
}

export function toRows(order: Order, intervals: readonly Interval[]): Rows {
  const held = intervals.filter(({ players }) => players > 0);
  return {
    scores: Float64Array.from(held, ({ from }) => scoreOfKey(order, from)),
    lows: Float64Array.from(held, ({ until }) => scoreOfKey(order, previousKey(until))),
    players: Float64Array.from(held, ({ players }) => players),
  };
}
