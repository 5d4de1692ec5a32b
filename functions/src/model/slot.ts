/**
 * Slots cut time into equal parts. A shard document holds the changes of one slot. All slots of all boards have the
 * same length (`slotMs` in limits.ts), which no setting changes.
 *
 * The changes of one player lie in several shard documents. A run takes the documents of all slots up to some slot. It
 * must not take a player's later change without an earlier change, so a later change must never lie in an earlier slot.
 * That holds because the slot of a change follows only from the time at which the database read the player, in the
 * transaction that changes the mark: a transaction that reads what another transaction wrote reads it later, by the
 * database's one clock.
 */

/** When the slot that holds `nowMs` ends, in milliseconds since 1970. A slot includes its start and not its end. */
export function slotEnd(nowMs: number, intervalMs: number): number {
  return (Math.floor(nowMs / intervalMs) + 1) * intervalMs;
}

/** When the last slot that has ended by `nowMs` ended. */
export function lastSlotEnd(nowMs: number, intervalMs: number): number {
  return Math.floor(nowMs / intervalMs) * intervalMs;
}

/** When the ranking interval that holds `nowMs` ends: when the next run is due. */
export const intervalEnd = slotEnd;

/** A ranking interval in whole milliseconds. */
export function intervalMs(rankingIntervalMinutes: number): number {
  return Math.max(1, Math.round(rankingIntervalMinutes * 60_000));
}
