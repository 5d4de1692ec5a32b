/** Steps of a search among sort keys, between two whose counts are known. Pure. */
import { narrowingsMax } from "../model/limits.ts";
import { nextKey } from "../ranking/count.ts";

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

/** The place of a double among all doubles: IEEE 754 orders those of one sign as their bits are. */
function ordinalOf(key: number): bigint {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, Math.abs(key));
  const ordinal = bits.getBigInt64(0);
  return key < 0 ? -ordinal : ordinal;
}

/** The inverse of {@link ordinalOf}. */
function doubleAt(ordinal: bigint): number {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setBigInt64(0, ordinal < 0n ? -ordinal : ordinal);
  const size = bits.getFloat64(0);
  return ordinal < 0n ? 0 - size : size;
}
