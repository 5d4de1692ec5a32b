/**
 * Exact sums of scores. A score is the decimal that people read: the shortest that means its double, which is also its
 * key in a shard. So 0.1 + 0.2 is 0.3, and a sum beyond 2^53 loses nothing. Pure.
 */

/** The number `units` × 10^−`digits`. */
export interface Decimal {
  units: bigint;
  digits: number;
}

export const zero: Decimal = { units: 0n, digits: 0 };

/** A score as a decimal. */
export function decimalOf(score: number): Decimal {
  if (Number.isInteger(score)) return { units: BigInt(score), digits: 0 };
  const [mantissa = "", exponent] = score.toExponential().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  // A number that is not whole has a digit behind the point, whatever its exponent.
  return { units: BigInt(whole + fraction), digits: fraction.length - Number(exponent) };
}

/** The sum of a decimal and so many scores of one size. */
export function plus({ units, digits }: Decimal, score: number, times: number): Decimal {
  const added = decimalOf(score);
  const most = Math.max(digits, added.digits);
  const [a, b] = [scaled({ units, digits }, most), scaled(added, most)];
  return { units: a + b * BigInt(times), digits: most };
}

function scaled({ units, digits }: Decimal, to: number): bigint {
  return to === digits ? units : units * 10n ** BigInt(to - digits);
}

/** Below 0 if a / n is less than b / m, above 0 if it is more, 0 if they are equal. @param n and m are above 0. */
export function compareShares(a: Decimal, n: number, b: Decimal, m: number): number {
  const most = Math.max(a.digits, b.digits);
  const difference = scaled(a, most) * BigInt(m) - scaled(b, most) * BigInt(n);
  return difference < 0n ? -1 : Number(difference > 0n);
}

/** As in `-12.5`, without zeros behind. */
export function decimalText({ units, digits }: Decimal): string {
  const all = (units < 0n ? -units : units).toString().padStart(digits + 1, "0");
  const [whole, fraction] = [all.slice(0, all.length - digits), all.slice(all.length - digits)];
  const kept = fraction.replace(/0+$/, "");
  return `${units < 0n ? "-" : ""}${whole}${kept === "" ? "" : `.${kept}`}`;
}

/** The form of {@link decimalText}. */
export const decimalPattern = /^-?\d+(\.\d+)?$/;

/** The inverse of {@link decimalText}. */
export function decimalIn(text: string): Decimal {
  const [whole = "", fraction = ""] = text.split(".");
  return { units: BigInt(whole + fraction), digits: fraction.length };
}

/** More digits than any double keeps. */
const shareDigits = 20;

/** The double next to a / n, for people; n is above 0. */
export function shareOf(a: Decimal, n: number): number {
  const share = (a.units * 10n ** BigInt(shareDigits)) / BigInt(n);
  // A very small number has many zeros before its first digit, all of which `digits` has.
  return Number(decimalText({ units: share, digits: a.digits + shareDigits }));
}
