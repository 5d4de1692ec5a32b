/** Pauses between runs. Pure. */

/** Where times are further apart than a pause takes at least, each from its last time before to the first one after. */
export function pausesIn(timesMs: readonly number[], leastMs: number): [fromMs: number, toMs: number][] {
  return timesMs.flatMap((toMs, i): [number, number][] => {
    const fromMs = timesMs[i - 1] ?? toMs;
    return toMs - fromMs > leastMs ? [[fromMs, toMs]] : [];
  });
}

/** How long a season may have published nothing and still counts as fresh: two intervals, and the schedule's minute. */
export function freshMs(intervalMs: number): number {
  return 2 * Math.max(intervalMs, 60_000);
}
