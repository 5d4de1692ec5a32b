/** Sort keys (smaller is better, see model/score.ts) as doubles: neighbours, places, round values. Pure. */

/** The next worse key among all doubles. */
export function nextKey(key: number): number {
  return neighbour(key, 1n);
}

/** The next better key among all doubles. */
export function previousKey(key: number): number {
  return neighbour(key, -1n);
}

/** IEEE 754 doubles of one sign have the same order as their bits. */
function neighbour(key: number, step: 1n | -1n): number {
  if (key === 0) return step === 1n ? Number.MIN_VALUE : -Number.MIN_VALUE;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, key);
  view.setBigInt64(0, view.getBigInt64(0) + (key > 0 ? step : -step));
  return view.getFloat64(0);
}

/** The place of a double among all doubles. */
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

/**
 * How many steps per unit scores lie on: 1 for whole numbers, 10, 100 or 1,000 for decimals, 0 for scores that lie
 * anywhere.
 */
export function stepsPerUnit(scores: readonly number[]): number {
  return [1, 10, 100, 1_000].find((steps) => scores.every((score) => onStep(score, steps))) ?? 0;
}

/** Whether a score or key lies on a step. */
export function onStep(key: number, steps: number): boolean {
  return Math.round(key * steps) / steps === key;
}

/** The first key at or after `key` that lies on a step; `key` itself where there are no steps. */
export function stepFrom(key: number, steps: number): number {
  if (steps === 0 || onStep(key, steps)) return key;
  const step = Math.ceil(key * steps) / steps;
  return step >= key ? 0 + step : key;
}
