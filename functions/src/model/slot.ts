/**
 * Slots: stretches of time. A shard document takes the changes of one slot. All slots of all boards have one length
 * (`slotMs` in limits.ts), which no setting changes.
 *
 * The changes of one player lie in several shard documents. The documents of all slots up to some slot hold every change
 * of a player up to the last one in them, as long as a later change never lies in an earlier slot. So the slot of a
 * change follows from the time at which the database read the player, in the transaction that changes the mark, and from
 * nothing else: a transaction that reads what another one wrote reads it later, by the one clock that all of them share.
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
