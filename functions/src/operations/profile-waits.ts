/** How often a player's profile may change: names cost nothing to make up, and each change is a write in every season. */
import { LRUCache } from "lru-cache";
import { FirerankError } from "../model/errors.ts";
import { profileSecondsBetween } from "../model/limits.ts";
import type { World } from "../world/world.ts";

/** Players whose last change an instance remembers: 100 bytes each. Beyond that it forgets the oldest. */
const playersMax = 10_000;

export type ProfileWaits = ReturnType<typeof createProfileWaits>;

/**
 * The waits of one instance. They are in its memory, so a refusal reads nothing; a flood that reaches several instances
 * gets as many changes through.
 */
export function createProfileWaits({ now }: Pick<World, "now">) {
  const takenMs = new LRUCache<string, number>({ max: playersMax });
  return {
    /** Notes a request of a player. @throws `too_frequent` */
    take(leaderboard: string, player: string): void {
      const key = `${leaderboard}/${player}`;
      const leftMs = (takenMs.get(key) ?? -Infinity) + profileSecondsBetween * 1_000 - now();
      if (leftMs > 0) throw tooFrequent(Math.ceil(leftMs / 1_000));
      takenMs.set(key, now());
    },
  };
}

function tooFrequent(seconds: number): FirerankError {
  return new FirerankError(
    "too_frequent",
    `A profile may change once in ${profileSecondsBetween} seconds; send it again in ${seconds} seconds.`,
    { retry_after_seconds: seconds },
  );
}
