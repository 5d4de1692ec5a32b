/** Slots: the stretches of time, as long as the ranking interval, whose changes one shard document takes. */

/** When the slot that holds `nowMs` ends, in milliseconds since 1970. A slot holds its start and not its end. */
export function slotEnd(nowMs: number, intervalMs: number): number {
  return (Math.floor(nowMs / intervalMs) + 1) * intervalMs;
}

/** When the last slot that has ended by `nowMs` ended. */
export function lastSlotEnd(nowMs: number, intervalMs: number): number {
  return Math.floor(nowMs / intervalMs) * intervalMs;
}

/** A ranking interval in whole milliseconds. */
export function intervalMs(rankingIntervalMinutes: number): number {
  return Math.max(1, Math.round(rankingIntervalMinutes * 60_000));
}
