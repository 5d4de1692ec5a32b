/** Numbers as people read them. Pure; all in English, as the dashboard is. */

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const upTo = (digits: number) => new Intl.NumberFormat("en-US", { maximumFractionDigits: digits });
const compact = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });
const digitsMax = 15;
const fractions = new Intl.NumberFormat("en-US", { maximumSignificantDigits: digitsMax });
const decimals = upTo(6);
const threeDigits = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 3 });

/** A count: `48,213`. */
export function formatCount(count: number): string {
  return whole.format(count);
}

/** A compact count: `48.2K`. */
export function formatCompact(count: number): string {
  return Math.abs(count) < 10_000 ? whole.format(count) : compact.format(count);
}

/** A score: as many digits as are reliable (0.1 + 0.2 is `0.3`), whole ones with all, tiny ones as `1e-7`. */
export function formatScore(score: number): string {
  if (Number.isInteger(score)) return whole.format(score);
  return isTiny(score) ? tiny(score, digitsMax) : fractions.format(score);
}

/** A number that need not differ from its neighbours: up to six decimals, or four digits of a small one. */
export function formatNumber(value: number): string {
  return isTiny(value) ? tiny(value, 4) : decimals.format(value);
}

function isTiny(value: number): boolean {
  return value !== 0 && Math.abs(value) < 1e-4;
}

function tiny(value: number, digits: number): string {
  return Number(value.toPrecision(digits)).toExponential();
}

/** `84.47 %`, with more digits, such as `99.9999 %`, where that would read as 100 % or 0 %. */
export function formatPercent(percent: number): string {
  const fromTheEnd = Math.min(percent, 100 - percent);
  const digits = fromTheEnd > 0 && fromTheEnd < 0.01 ? Math.ceil(-Math.log10(fromTheEnd)) : 2;
  return `${upTo(Math.min(digits, digitsMax)).format(percent)} %`;
}

/** A count with its noun, in the plural unless it is one: `1 player`, `3 players`. */
export function formatMany(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** Dollars with significant digits: `$12.50`, `$0.0042`. Less than a millionth is `<$0.000001`. */
export function formatDollars(dollars: number): string {
  if (dollars === 0) return "$0";
  if (dollars >= 1)
    return `$${dollars.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
  if (dollars < 1e-6) return "<$0.000001";
  const digits = Math.min(6, 1 - Math.floor(Math.log10(dollars)));
  return `$${dollars.toFixed(digits)}`;
}

/** Dollars beside others on an axis: `$0.00125`, where {@link formatDollars} has two digits. */
export function formatDollarTick(dollars: number): string {
  return `$${threeDigits.format(dollars)}`;
}
