/**
 * Firestore's "500/50/5" rule: start with 500 operations a second on a collection, and raise that by 50 % every 5
 * minutes, so that the database has time to split its storage
 * (https://firebase.google.com/docs/firestore/best-practices#ramping_up_traffic).
 */
const importPlayersPerSecond = 500;
const importGrowth = 1.5;
const importGrowthMs = 5 * 60_000;

/** How many players may be written a second, by the time since the start. Pure. */
export function playersPerSecond(elapsedMs: number): number {
  return importPlayersPerSecond * importGrowth ** Math.floor(elapsedMs / importGrowthMs);
}

/** Waits until that many more players may be written. */
export type Ramp = (players: number) => Promise<void>;

interface CreateRampOptions {
  now: () => number;
  sleep: (ms: number) => Promise<void>;
}

/** A ramp that starts now. */
export function createRamp({ now, sleep }: CreateRampOptions): Ramp {
  const startMs = now();
  let freeAtMs = startMs;
  return async (players) => {
    const beginMs = Math.max(now(), freeAtMs);
    freeAtMs = beginMs + (1_000 * players) / playersPerSecond(beginMs - startMs);
    if (beginMs > now()) await sleep(beginMs - now());
  };
}

/** For emulators, which need no time to split. */
export const noRamp: Ramp = () => Promise.resolve();
