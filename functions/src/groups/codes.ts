/** The codes with which players join private groups, and how often a caller may try one that leads nowhere. */
import { LRUCache } from "lru-cache";
import { FirerankError } from "../model/errors.ts";
import { hashOf } from "../model/hash.ts";
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

/** A code as somebody types it, in the form in which it is stored; undefined for a text that is no code. */
export function codeTyped(text: string): string | undefined {
  const plain = text.toUpperCase().replace(/[\s-]/g, "").replace(/O/g, "0").replace(/[IL]/g, "1");
  return plain.length === codeLetters && /^[0-9A-HJKMNP-TV-Z]*$/.test(plain) ? plain : undefined;
}

/** Wrong codes, a minute, caller and instance. */
const codeTriesPerMinute = 10;

/** Callers whose wrong codes an instance remembers: 100 bytes each. Beyond that it forgets the oldest. */
const callersMax = 10_000;

/**
 * Counts wrong codes, as each costs a read. A code has 65 bits, so this is no protection of the codes; a caller who reaches
 * several instances gets as many tries.
 */
export const codeTriesOf = ({ memory }: Pick<Services, "memory">) => memory(createCodeTries);

function createCodeTries({ now }: Services) {
  const failed = new LRUCache<string, number[]>({ max: callersMax });
  const recent = (caller: string) => (failed.get(caller) ?? []).filter((atMs) => now() - atMs < 60_000);
  return {
    /** @throws `too_frequent` for a player who has sent too many wrong codes in the last minute. */
    admit(caller: string): void {
      const [oldest, ...others] = recent(caller);
      if (oldest === undefined || others.length + 1 < codeTriesPerMinute) return;
      const seconds = Math.ceil((oldest + 60_000 - now()) / 1_000);
      const message = `Too many codes that lead nowhere; try again in ${seconds} seconds.`;
      throw new FirerankError("too_frequent", message, { retry_after_seconds: seconds });
    },
    fail(caller: string): void {
      failed.set(caller, [...recent(caller), now()]);
    },
  };
}
