/**
 * Arithmetic of scores in decimals, as people write them: 0.1 + 0.2 is 0.3. Pure. A score is stored as the double
 * nearest to its decimal, so servers and lists see 0.3; and a double tells all decimals of 15 digits apart.
 *
 * - On a board with `decimals` a score is a whole number of steps of 10^-decimals. Each submitted score and each result
 *   is rounded to the nearest step. Scores have at most 15 digits, so a result errs by less than half a step, and the
 *   nearest step is the exact result. With 0 decimals, whole numbers are exact up to 2^53 - 1.
 * - On other boards whole numbers add up exactly. Any other result is rounded to the 15th digit of the largest number
 *   in the sum: 1,000,000.2 and 1,000,000.3 differ by 0.1, but doubles give 0.10000000009.
 */
import { scoreSizeMax } from "./limits.ts";

/** How many digits of a decimal number every double keeps. */
const digitsKept = 15;

/** A board's setting for fractions: how many digits scores have after the point; undefined for any number of digits. */
export interface Steps {
  decimals?: number | undefined;
}

/**
 * A score as a board stores it. On a board with `decimals` it is rounded to the nearest step, a half away from zero; on
 * other boards it stays as it is. Never −0.
 */
export function toStep({ decimals }: Steps, score: number): number {
  return decimals === undefined ? 0 + score : fixed(score, decimals);
}

/** The largest size of a score that is submitted, and of a sum. */
export function sizeMaxOf({ decimals = 0 }: Steps): number {
  return decimals === 0 ? scoreSizeMax : (10 ** digitsKept - 1) / 10 ** decimals;
}

/** {@link sizeMaxOf} as a text for people. */
export function sizeMaxSaid(steps: Steps): string {
  const most = sizeMaxOf(steps);
  return most === scoreSizeMax ? "2^53 - 1" : `${most}, as 15 digits are stored`;
}

/** The sum of two numbers; their difference if one is negated. */
export function add(steps: Steps, a: number, b: number): number {
  const sum = a + b;
  if (steps.decimals !== undefined) return fixed(sum, steps.decimals);
  if (Number.isInteger(a) && Number.isInteger(b)) return 0 + sum;
  const digits = digitsKept - 1 - exponentOf(Math.max(Math.abs(a), Math.abs(b), Math.abs(sum)));
  return fixed(sum, Math.max(0, digits));
}

/** Whether `a` is greater than `b` by more than the error of their arithmetic. */
export function exceeds(steps: Steps, a: number, b: number): boolean {
  return a > b && add(steps, a, -b) > 0;
}

/**
 * Rounds a value to so many digits after the point, a half away from zero. It rounds the decimal that people read,
 * which is the shortest that means this double: 1.005 becomes 1.01, though the double is a little below 1.005.
 */
function fixed(value: number, digits: number): number {
  const [mantissa = "", exponent] = Math.abs(value).toExponential().split("e");
  const all = mantissa.replace(".", "");
  const kept = Number(exponent) + 1 + digits;
  if (!(kept < all.length)) return 0 + value; // the value has no more digits, or is infinite
  const steps = BigInt(all.slice(0, Math.max(0, kept))) + BigInt(all.charAt(kept) >= "5");
  return 0 + Math.sign(value) * Number(`${steps}e${-digits}`);
}

/** The power of ten of a number's first digit: 3 for 1,234.5. */
function exponentOf(value: number): number {
  return Number(value.toExponential().split("e")[1]);
}
