/** What an instance remembers of callers: the roles of servers, and who has changed a profile lately. */
import { LRUCache } from "lru-cache";
import { rolesPath } from "../../documents/paths.ts";
import { readRoles } from "../../documents/roles.ts";
import { FirerankError } from "../../model/errors.ts";
import { profileSecondsBetween } from "../../model/limits.ts";
import { many } from "../../model/many.ts";
import type { Grant } from "../../model/role.ts";
import { createSharedReads } from "../../world/shared-reads.ts";
import type { Services } from "../../world/services.ts";

export const serversOf = ({ memory }: Pick<Services, "memory">) => memory(createServers);

function createServers({ db, now, boardCacheMs }: Services) {
  const reads = createSharedReads<ReadonlyMap<string, Grant>>({ now, max: 1, keepMs: boardCacheMs });
  const read = async () => readRoles(await db.doc(rolesPath).get()).servers;
  return {
    /** The role of a service account, as it was at most a minute ago. Cost: 1 read a minute. */
    roleOf: async (email: string): Promise<Grant | undefined> =>
      (await reads.get(rolesPath, read)).value.get(email.toLowerCase()),
    forget: () => reads.forgetAll(() => true),
  };
}

/** Players whose last change of a profile an instance remembers: 100 bytes each. Beyond that it forgets the oldest. */
const playersMax = 10_000;

/**
 * How often a player's profile may change: names cost nothing to make up, and each change is a write in every season. A
 * refusal reads nothing; a flood that reaches several instances gets as many changes through.
 */
export const profileWaitsOf = ({ memory }: Pick<Services, "memory">) => memory(createProfileWaits);

function createProfileWaits({ now }: Services) {
  const takenMs = new LRUCache<string, number>({ max: playersMax });
  return {
    /** Notes a request of a player. @throws `too_frequent` */
    take(leaderboard: string, player: string): void {
      const key = `${leaderboard}/${player}`;
      const leftMs = (takenMs.get(key) ?? -Infinity) + profileSecondsBetween * 1_000 - now();
      if (leftMs <= 0) return void takenMs.set(key, now());
      const seconds = Math.ceil(leftMs / 1_000);
      const message = `A profile may change once in ${many(profileSecondsBetween, "second")}; send it again in ${many(seconds, "second")}.`;
      throw new FirerankError("too_frequent", message, { retry_after_seconds: seconds });
    },
  };
}
