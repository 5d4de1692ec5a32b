/** Steps of a search among sort keys, between two whose counts are known. Pure. */
import { doubleAt, nextKey, ordinalOf } from "../../model/keys.ts";
import { narrowingsMax } from "../../model/limits.ts";

/** A sort key, with the number of players before it. */
export interface Bound {
  key: number;
  before: number;
}

/**
 * A key between two others that are not neighbours, which might have `target` players before it.
 *
 * Guesses take turns: as if the players were spread evenly, which finds most at once; the middle, for those who crowd
 * on one side; evenly again; and the middle of the doubles, for scores of all sizes. In the end halves of the doubles
 * alone tell any two scores apart within 64 steps. For rows of 2,000 a simulation gave 16 reads in the mean, counts
 * and skipped players together, and 35 at the 99th percentile, whether the scores were uniform, products or sums of
 * random numbers.
 */
export function guessBetween(from: Bound, end: Bound, target: number, step: number): number {
  const key =
    step >= narrowingsMax ? halfway(from, end) : (turns[step % turns.length] ?? evenly)(from, end, target);
  return key > from.key && key < end.key ? key : nextKey(from.key);
}

const turns = [evenly, middle, evenly, halfway];

function evenly(from: Bound, end: Bound, target: number): number {
  const share = (target - from.before) / (end.before - from.before);
  return from.key + share * (end.key - from.key);
}

function middle(from: Bound, end: Bound): number {
  return from.key / 2 + end.key / 2;
}

/** With as many doubles before it as behind it. */
function halfway(from: Bound, end: Bound): number {
  return doubleAt((ordinalOf(from.key) + ordinalOf(end.key)) / 2n);
}
