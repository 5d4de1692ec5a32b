/** The value that a share of some does not exceed; the median for a half. NaN of nothing. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}
