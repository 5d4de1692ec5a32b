/** Numbers as people read them. Pure; all in English, as the dashboard is. */

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const upTo = (digits: number) => new Intl.NumberFormat("en-US", { maximumFractionDigits: digits });
const compact = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });
const scores = upTo(6);
const percents = upTo(2);

/** A count: `48,213`. */
export function formatCount(count: number): string {
  return whole.format(count);
}

/** A count where there is little room: `48.2K`. */
export function formatCompact(count: number): string {
  return Math.abs(count) < 10_000 ? whole.format(count) : compact.format(count);
}

/** A score as it is, up to six decimals. */
export function formatScore(score: number): string {
  return scores.format(score);
}

/** `84.47 %` of a number of per cent. */
export function formatPercent(percent: number): string {
  return `${percents.format(percent)} %`;
}

/** A count with its noun, in the plural where it is not one: `1 player`, `3 players`. */
export function formatMany(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : plural}`;
}

/**
 * Dollars with as many digits as say something: `$12.50`, `$0.0042`. What is less than a millionth is `<$0.000001`.
 */
export function formatDollars(dollars: number): string {
  if (dollars === 0) return "$0";
  if (dollars >= 1)
    return `$${dollars.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
  if (dollars < 1e-6) return "<$0.000001";
  const digits = Math.min(6, 1 - Math.floor(Math.log10(dollars)));
  return `$${dollars.toFixed(digits)}`;
}
