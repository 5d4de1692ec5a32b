/** The value that a share of some sorted ones does not exceed; the median for a half. NaN of nothing. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}
