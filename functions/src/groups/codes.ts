/** The codes with which players join private groups, and how often a caller may try one that leads nowhere. */
import { LRUCache } from "lru-cache";
import { FirerankError } from "../model/errors.ts";
import { hashOf } from "../model/hash.ts";
import { many } from "../model/many.ts";
import type { Services } from "../world/services.ts";

/** Douglas Crockford's base 32, which leaves out I, L, O and U: https://www.crockford.com/base32.html. */
const letters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Letters of a code: 65 bits. A million groups and a thousand tries a second: one is hit in a thousand years. */
const codeLetters = 13;

/** A new code, as it is stored. @param newId a random id of at least 65 bits. */
export function newCode(newId: () => string): string {
  const bytes = hashOf(newId());
  return Array.from({ length: codeLetters }, (_, i) => letters[(bytes[i] ?? 0) & 31]).join("");
}

/** A code as players see it: `7KQ2-M9XD-4TPAW`. */
export const shownCode = (code: string) => `${code.slice(0, 4)}-${code.slice(4, 8)}-${code.slice(8)}`;

/** A code as somebody may type it: with small letters, spaces and hyphens, and with O, I and L. */
export const codePattern = /^[\s-]*([0-9A-TV-Za-tv-z][\s-]*){13}$/;

/** A code as somebody types it, in the form in which it is stored. @param text of the form {@link codePattern}. */
export function codeTyped(text: string): string {
  return text.toUpperCase().replace(/[\s-]/g, "").replace(/O/g, "0").replace(/[IL]/g, "1");
}

/** Of something that a player may do to groups, a minute, player and instance. */
const timesPerMinute = 10;

/** Players whom an instance remembers: 100 bytes each. Beyond that it forgets the oldest. */
const playersMax = 10_000;

/**
 * Counts wrong codes, as each costs a read. A code has 65 bits, so this is no protection of the codes; a caller who reaches
 * several instances gets as many tries.
 */
export const codeTriesOf = ({ memory }: Pick<Services, "memory">) => memory(createCodeTries);
const createCodeTries = (services: Services) => perMinute(services, "Too many codes that lead nowhere");

/** Counts how often players join, leave and rename groups: all who listen to a group read each change. */
export const groupChangesOf = ({ memory }: Pick<Services, "memory">) => memory(createGroupChanges);
const createGroupChanges = (services: Services) => perMinute(services, "Too many changes of groups");

function perMinute({ now }: Services, problem: string) {
  const noted = new LRUCache<string, number[]>({ max: playersMax });
  const recent = (player: string) => (noted.get(player) ?? []).filter((atMs) => now() - atMs < 60_000);
  const take = (player: string): number => {
    const times = recent(player);
    const [oldest] = times;
    if (oldest !== undefined && times.length >= timesPerMinute) {
      const seconds = Math.ceil((oldest + 60_000 - now()) / 1_000);
      const message = `${problem}; try again in ${many(seconds, "second")}.`;
      throw new FirerankError("too_frequent", message, { retry_after_seconds: seconds });
    }
    const atMs = now();
    noted.set(player, [...times, atMs]);
    return atMs;
  };
  const takeBack = (player: string, atMs: number) => {
    const times = recent(player);
    const index = times.indexOf(atMs);
    if (index >= 0) noted.set(player, times.toSpliced(index, 1));
  };
  return {
    /** Counts one time. @throws `too_frequent` for a player who has done it too often in the last minute. */
    take,
    /**
     * Does something that counts while it is under way, so that many at once are as many as one after another; and afterwards
     * if its answer counts.
     * @throws as `take`, before it is done
     */
    async during<Answer>(
      player: string,
      counts: (answer: Answer) => boolean,
      work: () => Promise<Answer>,
    ): Promise<Answer> {
      const atMs = take(player);
      let isCounted = false;
      try {
        const answer = await work();
        isCounted = counts(answer);
        return answer;
      } finally {
        if (!isCounted) takeBack(player, atMs);
      }
    },
  };
}
