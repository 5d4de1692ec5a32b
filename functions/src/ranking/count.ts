/**
 * The source `count`: a ranking without an inverted index, from Firestore's own counts between thresholds.
 *
 * The thresholds cut the scores into intervals, best first. Counting the players of an interval costs one read for each
 * 1,000 of them, and at least one. An interval is a merged row of the ranking (see merge.ts), so its players must be
 * few compared with those above it. The best players need no counting: their scores are read.
 *
 * 1. **Lay.** The rows of the last ranking, whatever its source, show where players are. Its thresholds are used again
 *    while they are good; otherwise new ones are laid over its rows (thresholds.ts), in memory, before anything is
 *    counted. A first ranking lays them over a sample of players.
 * 2. **Count** all intervals, in parallel.
 * 3. **Split** those with too many players compared with those above them, again in parallel, in a few rounds: evenly,
 *    by numbers and by doubles; by a sample where many players are in one place. From the second round on also at the
 *    first score that a player has, alternately in the whole interval and beyond its middle, and just behind that score,
 *    so that a crowd of equal players gets a row of its own.
 * 4. **Join** intervals that became small.
 *
 * A crowd of equal players that is too large for one count is counted in parts, by when they achieved the score.
 *
 * A sample, or any guess, only decides where to count. Everything that is published was counted, all at one read time,
 * and the players of an interval show if it is still too wide after the last round.
 */
import { nextKey, stepsPerUnit } from "../model/keys.ts";
import { sampledMin } from "../model/limits.ts";
import { type Order, sortKey } from "../model/score.ts";
import { type Counter, createAsk, createSample } from "./ask-counts.ts";
import {
  cutAt,
  cutsOf,
  intervalsOf,
  joined,
  knownIn,
  layOver,
  sumOf,
  thinned,
  tooWide,
  toRows,
} from "./intervals.ts";
import { createPool } from "./pool.ts";
import type { Rows } from "./rows.ts";
import { type Interval, spacingFor } from "./thresholds.ts";

/** The best players' scores, best first. */
export interface Head {
  scores: readonly number[];
  /** Whether these are all players; if not, there may be more who are equal to the last. */
  isAll: boolean;
}

export interface CountLimits {
  /** Whether finer thresholds are tried where they may cost nothing: with many equal players, they do cost reads. */
  mayRefine: boolean;
  /** Rounds of splitting. */
  roundsMax: number;
  /** Intervals that splitting makes in one run. */
  splitsMax: number;
  /** Queries at the same time. */
  concurrencyMax: number;
}

/**
 * Counts a ranking.
 *
 * Sequential rounds: 1 for the worst score, 1 for a sample, 1 of counts, and 2 for each round of splitting; 1 more of
 * each where a crowd is counted in parts.
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
