/**
 * Sort keys are doubles (smaller is better, see model/score.ts). This numbers all doubles in order, to find neighbours.
 * Pure.
 */

/** The next worse key among all doubles. */
export function nextKey(key: number): number {
  return doubleAt(ordinalOf(key) + 1n);
}

/**
 * The number of a double among all doubles in order. Doubles of one sign have the same order as their bits (IEEE 754).
 */
export function ordinalOf(key: number): bigint {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, Math.abs(key));
  const ordinal = bits.getBigInt64(0);
  return key < 0 ? -ordinal : ordinal;
}

/** The inverse of {@link ordinalOf}. */
export function doubleAt(ordinal: bigint): number {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setBigInt64(0, ordinal < 0n ? -ordinal : ordinal);
  const size = bits.getFloat64(0);
  return ordinal < 0n ? 0 - size : size;
}
