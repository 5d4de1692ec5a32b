/**
 * Firestore's "500/50/5" rule: begin with 500 operations a second on a collection, and raise that by 50 % every 5
 * minutes, so that the database has time to split what it stores
 * (https://firebase.google.com/docs/firestore/best-practices#ramping_up_traffic).
 */
import { importGrowth, importGrowthMs, importPlayersPerSecond } from "../../functions/src/model/limits.ts";

/** How many players may be written a second, so long after the start. Pure. */
export function playersPerSecond(elapsedMs: number): number {
  return importPlayersPerSecond * importGrowth ** Math.floor(elapsedMs / importGrowthMs);
}

/** Waits until so many players more may be written. */
export type Ramp = (players: number) => Promise<void>;

/** A ramp that begins now. */
export function createRamp({
  now,
  sleep,
}: {
  now: () => number;
  sleep: (ms: number) => Promise<void>;
}): Ramp {
  const startMs = now();
  let freeAtMs = startMs;
  return async (players) => {
    const beginMs = Math.max(now(), freeAtMs);
    freeAtMs = beginMs + (1_000 * players) / playersPerSecond(beginMs - startMs);
    if (beginMs > now()) await sleep(beginMs - now());
  };
}

/** Emulators need no time to split. */
export const noRamp: Ramp = () => Promise.resolve();
