/** Steps of a search among sort keys, between two whose counts are known. Pure. */
import { nextKey } from "../ranking/count.ts";

/** A sort key, with the number of players before it. */
export interface Bound {
  key: number;
  before: number;
}

/** The key that would have `target` players before it, if they were spread evenly between two others. */
export function interpolated(from: Bound, end: Bound, target: number): number {
  const share = (target - from.before) / (end.before - from.before);
  return between(from, end, from.key + share * (end.key - from.key));
}

/** The key with as many doubles between it and either bound, so that 64 steps tell any two keys apart. */
export function halfway(from: Bound, end: Bound): number {
  return between(from, end, doubleAt((ordinalOf(from.key) + ordinalOf(end.key)) / 2n));
}

/** A key that really lies between two bounds that are not neighbours. */
function between(from: Bound, end: Bound, key: number): number {
  return key > from.key && key < end.key ? key : nextKey(from.key);
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
