/**
 * The source `count`: a ranking without an inverted index, from Firestore's own counts between thresholds.
 *
 * The thresholds cut the scores into intervals, best first; counting the players of each costs one read for each
 * 1,000 of them, and at least one. An interval is a merged row of the ranking (see merge.ts), so its players must stay
 * small beside those above it. The best players need no counting: their scores are read.
 *
 * 1. **Lay.** The rows of the last ranking, whatever its source, say where players are. Their own thresholds serve
 *    again while they are good; else new ones are laid over them (thresholds.ts), in memory, before anything is
 *    counted. A first ranking lays them over a sample of players.
 * 2. **Count** all intervals, side by side.
 * 3. **Split** those with too many players beside those above them, again side by side, in a few rounds: evenly, for
 *    the numbers and for the doubles; by a sample where much is in one place; and from the second round on also at the
 *    first score held, by turns in all of it and beyond its middle, and just behind that score, so that a crowd of
 *    equal players gets a row of its own.
 * 4. **Join** what became small.
 *
 * A crowd of equal players that one count might not get through is counted in parts, by when they reached the score.
 *
 * A sample, and any guess, only says where to count. What is published was counted, all of it as of one moment, and
 * an interval that is still too wide after the last round says so by its players.
 */
import { doubleAt, nextKey, ordinalOf, previousKey, stepFrom, stepsPerUnit } from "../model/keys.ts";
import {
  countPartsMax,
  crowdCountedMax,
  crowdPartPlayers,
  sampledMin,
  sampledPlayers,
} from "../model/limits.ts";
import { type Order, scoreOfKey, sortKey } from "../model/score.ts";
import { createPool, type Pool } from "./pool.ts";
import type { Rows } from "./rows.ts";
import {
  aimAt,
  type Interval,
  isWhole,
  layThresholds,
  mostAt,
  readsOf,
  type Spacing,
  spacingFor,
} from "./thresholds.ts";

/** What a ranking by counts asks of the database, all of it as of one moment. */
export interface Counter {
  /** Players with scores from `from` (inclusive) down to `until` (exclusive). */
  count(from: number, until: number): Promise<number>;
  /** The best score that a player has from `from` (inclusive) down to `until` (exclusive). */
  firstScore(from: number, until: number): Promise<number | undefined>;
  /** The worst score that a player has. */
  worstScore(): Promise<number | undefined>;
  /** Scores of some players, by chance as far as their ids allow, in no order. */
  sample(): Promise<number[]>;
  /** When the first and the last of the players with a score reached it, in milliseconds since 1970. */
  timesOf(score: number): Promise<{ firstMs: number; lastMs: number }>;
  /** Players with a score who reached it from one time (inclusive) until another (exclusive); missing ends are open. */
  countEqual(score: number, fromMs: number | undefined, untilMs: number | undefined): Promise<number>;
}

/** The best players' scores, best first. */
export interface Head {
  scores: readonly number[];
  /** Whether these are all players; else there may be more who are equal to the last. */
  isAll: boolean;
}

export interface CountLimits {
  /** Whether finer thresholds are tried where they might be free: they are not where many players are equal. */
  mayRefine: boolean;
  /** Rounds of splitting. */
  roundsMax: number;
  /** Intervals that come of splitting in one run. */
  splitsMax: number;
  /** Questions under way at once. */
  concurrencyMax: number;
}

/**
 * Counts a ranking.
 *
 * Rounds one after another: 1 for the worst score, 1 for a sample, 1 of counts, and 2 for each round of splitting;
 * 1 more of each where a crowd is counted in parts.
 * @param before the rows of the last ranking; none the first time.
 */
export async function countRows(
  order: Order,
  counter: Counter,
  head: Head,
  before: Rows,
  { mayRefine, roundsMax, splitsMax, concurrencyMax }: CountLimits,
): Promise<Rows> {
  const last = head.scores.at(-1);
  const best = intervalsOf(order, head.scores);
  if (head.isAll || last === undefined) return toRows(order, best);
  const worst = await counter.worstScore();
  if (worst === undefined) return toRows(order, best);
  const top = best.slice(0, -1);
  const above = sumOf(top);
  const range = { from: sortKey(order, last), until: nextKey(sortKey(order, worst)) };
  const known = before.scores.length === 0 ? undefined : knownIn(order, before, range);
  const sample = createSample(order, counter);
  const steps = stepsPerUnit([...head.scores, worst, ...(known === undefined ? await sample.scores() : [])]);
  const ask = createAsk(order, counter, createPool(concurrencyMax));

  const laid =
    known === undefined
      ? await sample.intervals(range)
      : layOver(known, range, above, spacingFor(above + sumOf(known), steps), mayRefine);
  let rest = await ask.counted(laid);
  const spacing = spacingFor(above + sumOf(rest), steps);
  let left = splitsMax;
  for (let round = 1; round <= roundsMax && left > 0; round++) {
    const wide = tooWide(rest, above, spacing);
    if (wide.size === 0) break;
    const all = above + sumOf(rest);
    const plans = await ask.all([...wide], async ([interval, before]) => {
      const isMuch = interval.players >= Math.max(sampledMin, all / 8);
      const drawn = isMuch ? (await sample.intervals(interval)).slice(1).map(({ from }) => from) : [];
      const held = round > 1 ? await ask.firstHeld(interval, round % 2 === 1) : undefined;
      return { interval, cuts: cutsOf(interval, before, spacing, drawn, held) };
    });
    const parts = new Map<Interval, readonly Interval[]>();
    for (const { interval, cuts } of plans) {
      const some = thinned(cuts, left);
      if (some.length === 0) continue;
      left -= some.length;
      parts.set(interval, cutAt(interval, some));
    }
    if (parts.size === 0) break;
    const counted = await ask.partsOf(parts);
    rest = rest.flatMap((interval) => counted.get(interval) ?? [interval]);
  }
  return toRows(order, [...top, ...joined(rest, above, spacing)]);
}

/** Exact intervals of scores, best first. */
function intervalsOf(order: Order, scores: readonly number[]): Interval[] {
  const counts = new Map<number, number>();
  for (const score of scores) counts.set(score, (counts.get(score) ?? 0) + 1);
  return [...counts].map(([score, players]) => {
    const from = sortKey(order, score);
    return { from, until: nextKey(from), players };
  });
}

type Range = Pick<Interval, "from" | "until">;

/** The rows of the last ranking as far as they lie in a range. */
function knownIn(order: Order, { scores, lows, players }: Rows, range: Range): Interval[] {
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

/** The thresholds of the last ranking while they are about as good as new ones; else those. */
function layOver(
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
    // Behind an exact row begins an interval of its own; elsewhere the next row's start ends this one.
    if (until === nextKey(from)) keys.add(until);
  }
  const players = new Map(known.map((interval) => [interval.from, interval.players]));
  return cutAt(range, [...keys]).map((interval) => ({
    ...interval,
    players: players.get(interval.from) ?? 0,
  }));
}

/** A range cut at those keys that lie in it. */
function cutAt({ from, until }: Range, cuts: readonly number[]): Interval[] {
  const inside = [...new Set(cuts)].filter((key) => key > from && key < until).sort((a, b) => a - b);
  const keys = [from, ...inside, until];
  return keys.slice(1).map((end, i) => ({ from: keys[i] ?? NaN, until: end, players: 0 }));
}

/** Intervals with too many players beside those above them, each with those above it. */
function tooWide(rest: readonly Interval[], above: number, spacing: Spacing): Map<Interval, number> {
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
 * @param drawn thresholds from a sample, if it was asked.
 * @param held a score that somebody has, if one was looked for.
 */
function cutsOf(
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

/** No more than so many of some cuts, evenly chosen. */
function thinned(cuts: readonly number[], most: number): readonly number[] {
  if (cuts.length <= most) return cuts;
  return Array.from({ length: most }, (_, i) => cuts[Math.floor(((i + 0.5) * cuts.length) / most)] ?? NaN);
}

function evenly(from: number, until: number, parts: number): number[] {
  return Array.from({ length: parts - 1 }, (_, i) => from + ((until - from) * (i + 1)) / parts);
}

/** With as many doubles in each part; nothing where that is about the same as {@link evenly}. */
function evenlyInDoubles(from: number, until: number, parts: number): number[] {
  if (from !== 0 && until / from > 0.25 && until / from < 4) return [];
  const [first, last] = [ordinalOf(from), ordinalOf(until)];
  return Array.from({ length: parts - 1 }, (_, i) =>
    doubleAt(first + ((last - first) * BigInt(i + 1)) / BigInt(parts)),
  );
}

/** A key inside an interval of more than one, as near its middle as a double gets. */
function middleOf({ from, until }: Range): number {
  const middle = from + (until - from) / 2;
  return middle > from && middle < until ? middle : nextKey(from);
}

/** Intervals without empty ones, neighbours joined where together they hold no more than one should. */
function joined(rest: readonly Interval[], above: number, spacing: Spacing): Interval[] {
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

/** Asks the database about intervals of keys, as many at once as it may. */
function createAsk(order: Order, counter: Counter, pool: Pool) {
  const score = (key: number) => scoreOfKey(order, key);

  /** Counts intervals that say how many players are expected, in as many parts as that takes. */
  async function counted(intervals: readonly Interval[]): Promise<Interval[]> {
    const parts = await pool(intervals, async (interval) => {
      const isCrowd = interval.players >= crowdCountedMax && interval.until === nextKey(interval.from);
      const count = isCrowd ? Math.ceil(interval.players / crowdPartPlayers) : 1;
      if (count === 1) return [{ interval, fromMs: undefined, untilMs: undefined }];
      const { firstMs, lastMs } = await counter.timesOf(score(interval.from));
      return timesBetween(firstMs, lastMs, count).map((times) => ({ interval, ...times }));
    });
    const all = parts.flat();
    const counts = await pool(all, ({ interval: { from, until }, fromMs, untilMs }) =>
      fromMs === undefined && untilMs === undefined
        ? counter.count(score(from), score(until))
        : counter.countEqual(score(from), fromMs, untilMs),
    );
    const sums = new Map(intervals.map(({ from }) => [from, 0]));
    all.forEach(({ interval: { from } }, i) => sums.set(from, (sums.get(from) ?? 0) + (counts[i] ?? NaN)));
    return intervals.map((interval) => ({ ...interval, players: sums.get(interval.from) ?? NaN }));
  }

  return {
    all: pool,
    counted,
    /** Counts the parts of intervals: all but the first of each, whose players are what remains. */
    async partsOf(parts: ReadonlyMap<Interval, readonly Interval[]>) {
      const others = await counted([...parts.values()].flatMap((list) => list.slice(1)));
      let at = 0;
      return new Map(
        Array.from(parts, ([interval, list]): [Interval, Interval[]] => {
          const behind = others.slice(at, (at += list.length - 1));
          const first = { from: interval.from, until: list[0]?.until ?? NaN };
          return [interval, [{ ...first, players: interval.players - sumOf(behind) }, ...behind]];
        }),
      );
    },
    async firstHeld(interval: Interval, beyondMiddle: boolean): Promise<number | undefined> {
      const from = beyondMiddle ? middleOf(interval) : interval.from;
      const found = await counter.firstScore(score(from), score(interval.until));
      return found === undefined ? undefined : sortKey(order, found);
    },
  };
}

/** Stretches of time, some of equal length between two moments, the first and the last without an end. */
function timesBetween(
  firstMs: number,
  lastMs: number,
  count: number,
): { fromMs: number | undefined; untilMs: number | undefined }[] {
  const parts = Math.max(1, Math.min(count, Math.floor(lastMs - firstMs)));
  const at = (part: number) =>
    part === 0 || part === parts ? undefined : Math.floor(firstMs + ((lastMs - firstMs) * part) / parts);
  return Array.from({ length: parts }, (_, part) => ({ fromMs: at(part), untilMs: at(part + 1) }));
}

/** A sample of players, drawn when it is first needed. */
function createSample(order: Order, counter: Counter) {
  let drawn: Promise<number[]> | undefined;
  const scores = () => (drawn ??= counter.sample());
  return {
    scores,
    /**
     * A range cut at the scores drawn, each interval with the players expected if the sample stands for as many as there can well be. A score that was
     * drawn twice has many players, and an interval of its own.
     */
    async intervals(range: Range): Promise<Interval[]> {
      const all = await scores();
      const times = new Map<number, number>();
      for (const score of all) {
        const key = sortKey(order, score);
        times.set(key, (times.get(key) ?? 0) + 1);
      }
      const cuts = [...times].flatMap(([key, count]) => (count > 1 ? [key, nextKey(key)] : [key]));
      return cutAt(range, cuts).map((interval) => ({
        ...interval,
        players: ((times.get(interval.from) ?? 0) / all.length) * sampledPlayers,
      }));
    },
  };
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
