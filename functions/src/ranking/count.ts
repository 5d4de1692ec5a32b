/**
 * The source `count`: a ranking without an inverted index, from Firestore's own counts between thresholds.
 *
 * The thresholds cut the scores into intervals, best first; counting the players of each costs one read for each
 * 1,000 of them. An interval is a merged row of the ranking (see merge.ts), so its players must stay small beside
 * those above it. They do at the next run, if the thresholds are those of the last: scores drift slowly. Where an
 * interval has grown too large, it is split: at the first score that somebody has beyond its middle, and just
 * behind that score, so that a crowd of equal players soon has an exact row of its own and halving ends. The best
 * players need no counting: the top document's query has read them already.
 *
 * Thresholds are sort keys (smaller is better, see model/score.ts), intervals hold their start and not their end.
 */
import { type Order, scoreOfKey, sortKey } from "../model/score.ts";
import type { Rows } from "./rows.ts";

/** What a ranking by counts asks of the database, all of it as of one moment. */
export interface Counter {
  /** Players with scores from `from` (inclusive) down to `until` (exclusive). */
  count(from: number, until: number): Promise<number>;
  /** The best score that a player has from `from` (inclusive) down to `until` (exclusive). */
  firstScore(from: number, until: number): Promise<number | undefined>;
  /** The worst score that a player has. */
  worstScore(): Promise<number | undefined>;
}

export interface CountLimits {
  /** Rows to aim at; about as many counts a run costs. */
  rowsMax: number;
  /** Splits of one run: a first ranking takes its shape over several runs rather than all at once. */
  splitsMax: number;
  /** Questions under way at once. */
  concurrencyMax: number;
}

interface Interval {
  from: number;
  until: number;
  players: number;
}

/**
 * Counts a ranking.
 * @param best the best players' scores, best first, complete but for players equal to the last.
 * @param before the rows of the last ranking, whose thresholds serve again; none the first time.
 */
export async function countRows(
  order: Order,
  counter: Counter,
  best: readonly number[],
  before: Rows,
  limits: CountLimits,
): Promise<Rows> {
  const worst = await counter.worstScore();
  const last = best.at(-1);
  if (worst === undefined || last === undefined) return toRows(order, []);
  const head = headOf(order, best);
  const startOfRest = sortKey(order, last);
  const end = nextKey(sortKey(order, worst));
  const thresholds = thresholdsOf(order, before, startOfRest, end);
  const ask = createAsk(order, counter, limits.concurrencyMax);
  const counted = await ask(pairs([...thresholds, end]), ({ from, until }, count) => count(from, until));
  let rest = pairs([...thresholds, end]).map((interval, i) => ({ ...interval, players: counted[i] ?? 0 }));

  const total = sumOf(head) + sumOf(rest);
  const epsilon = epsilonFor(total, limits.rowsMax);
  let splits = 0;
  for (;;) {
    const tooLarge = findTooLarge(rest, sumOf(head), epsilon).slice(0, limits.splitsMax - splits);
    if (tooLarge.length === 0) break;
    splits += tooLarge.length;
    const parts = await ask(tooLarge, split);
    const replaced = new Map(tooLarge.map((interval, i) => [interval, parts[i] ?? [interval]]));
    rest = rest.flatMap((interval) => replaced.get(interval) ?? [interval]);
  }
  return toRows(order, [...head, ...rest]);
}

/** The smallest ε for which `players` all different fit in `rowsMax` rows, twice over: see merge.ts. */
export function epsilonFor(players: number, rowsMax: number): number {
  const needed = (epsilon: number) => (2 * (1 + Math.max(0, Math.log(epsilon * players)))) / epsilon;
  let tooSmall = 0;
  let fits = 1;
  for (let i = 0; i < 50; i++) {
    const middle = (tooSmall + fits) / 2;
    if (needed(middle) > rowsMax) tooSmall = middle;
    else fits = middle;
  }
  return fits;
}

/** The next worse key that a double can be. */
export function nextKey(key: number): number {
  return neighbour(key, 1n);
}

/** The next better key that a double can be. */
export function previousKey(key: number): number {
  return neighbour(key, -1n);
}

/** IEEE 754 doubles of one sign are ordered as their bits are. */
function neighbour(key: number, step: 1n | -1n): number {
  if (key === 0) return step === 1n ? Number.MIN_VALUE : -Number.MIN_VALUE;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, key);
  view.setBigInt64(0, view.getBigInt64(0) + (key > 0 ? step : -step));
  return view.getFloat64(0);
}

/** Exact intervals of the best scores, without the last, of which there may be more. */
function headOf(order: Order, best: readonly number[]): Interval[] {
  const counts = new Map<number, number>();
  for (const score of best) counts.set(score, (counts.get(score) ?? 0) + 1);
  return [...counts].slice(0, -1).map(([score, players]) => {
    const from = sortKey(order, score);
    return { from, until: nextKey(from), players };
  });
}

/** Thresholds from `start` on: `start` itself, isolated, and those of the last ranking that lie beyond. */
function thresholdsOf(order: Order, { scores, lows }: Rows, start: number, end: number): number[] {
  const keys = new Set([start, nextKey(start)]);
  scores.forEach((score, row) => {
    keys.add(sortKey(order, score));
    // Behind an exact row begins an interval of its own; elsewhere the next row's start ends this one.
    if (score === lows[row]) keys.add(nextKey(sortKey(order, score)));
  });
  return [...keys].filter((key) => key >= start && key < end).sort((a, b) => a - b);
}

function pairs(keys: readonly number[]): Interval[] {
  return keys.slice(1).map((until, i) => ({ from: keys[i] ?? NaN, until, players: 0 }));
}

function findTooLarge(rest: readonly Interval[], aboveRest: number, epsilon: number): Interval[] {
  let above = aboveRest;
  return rest.filter(({ from, until, players }) => {
    const isTooLarge = players > Math.max(1, epsilon * above) && until !== nextKey(from);
    above += players;
    return isTooLarge;
  });
}

type Count = (from: number, until: number) => Promise<number>;
type First = (from: number, until: number) => Promise<number | undefined>;
type Ask = <Result>(
  intervals: readonly Interval[],
  question: (interval: Interval, count: Count, first: First) => Promise<Result>,
) => Promise<Result[]>;

/** Asks the database about intervals of keys, some at a time. */
function createAsk(order: Order, counter: Counter, concurrencyMax: number): Ask {
  const score = (key: number) => scoreOfKey(order, key);
  const count = (from: number, until: number) => counter.count(score(from), score(until));
  const first = async (from: number, until: number) => {
    const found = await counter.firstScore(score(from), score(until));
    return found === undefined ? undefined : sortKey(order, found);
  };
  return async (intervals, question) => {
    const results = [];
    for (let i = 0; i < intervals.length; i += concurrencyMax) {
      const some = intervals.slice(i, i + concurrencyMax);
      results.push(...(await Promise.all(some.map((interval) => question(interval, count, first)))));
    }
    return results;
  };
}

/** The parts of an interval, in order; together they hold its players. */
async function split({ from, until, players }: Interval, count: Count, first: First): Promise<Interval[]> {
  const middle = middleOf(from, until);
  const held = await first(middle, until);
  if (held === undefined) return [{ from, until: middle, players }];
  const behind = nextKey(held);
  const [equal, beyond] = await Promise.all([
    count(held, behind),
    behind < until ? count(behind, until) : Promise.resolve(0),
  ]);
  return [
    { from, until: middle, players: players - equal - beyond },
    { from: held, until: behind, players: equal },
    ...(behind < until ? [{ from: behind, until, players: beyond }] : []),
  ];
}

/** A key inside an interval of more than one, as near its middle as a double gets. */
function middleOf(from: number, until: number): number {
  const middle = from + (until - from) / 2;
  return middle > from && middle < until ? middle : nextKey(from);
}

function sumOf(intervals: readonly Interval[]): number {
  return intervals.reduce((sum, { players }) => sum + players, 0);
}

function toRows(order: Order, intervals: readonly Interval[]): Rows {
  const held = intervals.filter(({ players }) => players > 0);
  return {
    scores: Float64Array.from(held, ({ from }) => scoreOfKey(order, from)),
    lows: Float64Array.from(held, ({ until }) => scoreOfKey(order, previousKey(until))),
    players: Float64Array.from(held, ({ players }) => players),
  };
}
