/** What a ranking by counts asks the database: how many players an interval has, and samples of them. */
import { nextKey } from "../model/keys.ts";
import { crowdCountedMax, crowdPartPlayers, sampledPlayers } from "../model/limits.ts";
import { type Order, scoreOfKey, sortKey } from "../model/score.ts";
import { cutAt, type Range, sumOf } from "./intervals.ts";
import type { Pool } from "./pool.ts";
import type { Interval } from "./thresholds.ts";

/** What a ranking by counts asks the database, all at one read time. */
export interface Counter {
  /** Players with scores from `from` (inclusive) down to `until` (exclusive). */
  count(from: number, until: number): Promise<number>;
  /** The best score that a player has from `from` (inclusive) down to `until` (exclusive). */
  firstScore(from: number, until: number): Promise<number | undefined>;
  /** The worst score that a player has. */
  worstScore(): Promise<number | undefined>;
  /** Scores of some players, as random as their ids allow, in no order. */
  sample(): Promise<number[]>;
  /** When the first and the last player with a score achieved it, in milliseconds since 1970. */
  timesOf(score: number): Promise<{ firstMs: number; lastMs: number }>;
  /** Players with a score who achieved it from one time (inclusive) until another (exclusive); missing ends are open. */
  countEqual(score: number, fromMs: number | undefined, untilMs: number | undefined): Promise<number>;
}

/** Asks the database about intervals of keys, as many at the same time as allowed. */
export function createAsk(order: Order, counter: Counter, pool: Pool) {
  const score = (key: number) => scoreOfKey(order, key);

  /** Counts intervals with an expected number of players, each in as many parts as that number needs. */
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
    const sums = new Map<number, number>();
    all.forEach(({ interval: { from } }, i) => sums.set(from, (sums.get(from) ?? 0) + (counts[i] ?? NaN)));
    return intervals.map((interval) => ({ ...interval, players: sums.get(interval.from) ?? NaN }));
  }

  return {
    all: pool,
    counted,
    /** Counts the parts of intervals: all but the first part of each, which has the remaining players. */
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

/** Stretches of equal length between two moments; the first and the last are open-ended. */
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

/** A key inside an interval of more than one key, as near its middle as a double allows. */
function middleOf({ from, until }: Range): number {
  const middle = from + (until - from) / 2;
  return middle > from && middle < until ? middle : nextKey(from);
}

/** A sample of players, which is drawn when it is first needed. */
export function createSample(order: Order, counter: Counter) {
  let drawn: Promise<number[]> | undefined;
  const scores = () => (drawn ??= counter.sample());
  return {
    scores,
    /**
     * A range cut at the sampled scores. Each interval gets the players expected if the sample stands for as many
     * players as there can well be. A score that was drawn twice has many players, and gets an interval of its own.
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
