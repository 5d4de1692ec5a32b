/** Steps of a search between two sort keys whose counts are known. Pure. */
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
 * Guesses alternate: as if the players were spread evenly, which mostly finds them at once; the middle, for players
 * crowded on one side; evenly again; and the middle of the doubles, for scores of all magnitudes. In the end only the
 * middle of the doubles is used, which separates any two scores within 64 steps. For rows of 2,000 a simulation gave a
 * mean of 16 reads, counts and skipped players together, and 35 at the 99th percentile, whether the scores were
 * uniform, products or sums of random numbers.
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

/** With as many doubles before it as after it. */
function halfway(from: Bound, end: Bound): number {
  return doubleAt((ordinalOf(from.key) + ordinalOf(end.key)) / 2n);
}
