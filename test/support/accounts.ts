/** Accounts in memory, as {@link Accounts} has them. Those of Firebase Auth are in test/emulator/cli/roles.test.ts. */
import type { Account, Accounts } from "../../functions/src/world/accounts.ts";

export interface AccountsInMemory extends Accounts {
  /** Makes a token that stands for a guest. */
  addGuest(uid: string): string;
  add(account: Partial<Account> & { uid: string }): void;
  claimsOf(uid: string): Readonly<Record<string, unknown>> | undefined;
  remove(uid: string): void;
}

export function createAccounts(): AccountsInMemory {
  const all = new Map<string, Account>();
  const guests = new Map<string, string>();
  return {
    addGuest(uid) {
      guests.set(`token of ${uid}`, uid);
      return `token of ${uid}`;
    },
    guestOf: (token) => Promise.resolve(guests.get(token)),
    add(account) {
      all.set(account.uid, { emailVerified: true, customClaims: {}, ...account });
    },
    claimsOf: (uid) => all.get(uid)?.customClaims,
    remove: (uid) => void all.delete(uid),
    async find(named) {
      if ("uid" in named) return all.get(named.uid);
      return [...all.values()].find(({ email }) => email === named.email);
    },
    findAll: (uids) => Promise.resolve(uids.flatMap((uid) => all.get(uid) ?? [])),
    async setClaims(uid, claims) {
      const account = all.get(uid);
      if (account === undefined) throw new Error(`there is no account ${uid}`);
      all.set(uid, { ...account, customClaims: claims });
    },
  };
}
