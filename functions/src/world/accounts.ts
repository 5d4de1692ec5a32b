/** The accounts of Firebase Auth, as far as roles need them. */

/** An account, with the fields that Firebase's libraries give it. */
export interface Account {
  uid: string;
  email?: string | undefined;
  emailVerified: boolean;
  customClaims?: Readonly<Record<string, unknown>> | undefined;
}

/** An account, by its uid or its e-mail address. */
export type NamedAccount = { uid: string } | { email: string };

export interface Accounts {
  find(named: NamedAccount): Promise<Account | undefined>;
  /** Those of these uids that there are. A hundred take one request to Firebase Auth. */
  findAll(uids: readonly string[]): Promise<Account[]>;
  /** Replaces all custom claims. New ID tokens have the new claims; older tokens last up to an hour. */
  setClaims(uid: string, claims: Record<string, unknown>): Promise<void>;
  /**
   * The uid of the guest to whom an ID token belongs; undefined if the token is not valid, or belongs to somebody who
   * is no guest.
   */
  guestOf(idToken: string): Promise<string | undefined>;
}

interface Auth {
  getUser(uid: string): Promise<Account>;
  getUserByEmail(email: string): Promise<Account>;
  getUsers(identifiers: { uid: string }[]): Promise<{ users: Account[] }>;
  setCustomUserClaims(uid: string, claims: object): Promise<void>;
  verifyIdToken(idToken: string): Promise<{ uid: string; firebase: { sign_in_provider: string } }>;
}

/** The most that Firebase Auth looks up at once. */
const usersPerRequest = 100;

/** @param auth is called at each use, as a process that touches no account has no client of Firebase Auth. */
export function accountsOf(auth: () => Auth): Accounts {
  return {
    async find(named) {
      try {
        return await ("uid" in named ? auth().getUser(named.uid) : auth().getUserByEmail(named.email));
      } catch (error) {
        if ((error as { code?: unknown }).code === "auth/user-not-found") return undefined;
        throw error;
      }
    },
    async findAll(uids) {
      const named = uids.map((uid) => ({ uid }));
      const stretches = Array.from({ length: Math.ceil(named.length / usersPerRequest) }, (_, i) =>
        named.slice(i * usersPerRequest, (i + 1) * usersPerRequest),
      );
      const found = await Promise.all(stretches.map((stretch) => auth().getUsers(stretch)));
      return found.flatMap(({ users }) => users);
    },
    setClaims: (uid, claims) => auth().setCustomUserClaims(uid, claims),
    async guestOf(idToken) {
      try {
        const { uid, firebase } = await auth().verifyIdToken(idToken);
        return firebase.sign_in_provider === "anonymous" ? uid : undefined;
      } catch (error) {
        if (isRefusal(error, "auth/", authRefusals)) return undefined;
        throw error;
      }
    },
  };
}

/** The codes with which the Admin SDK refuses an ID token. */
export const authRefusals = [
  "argument-error",
  "id-token-expired",
  "id-token-revoked",
  "invalid-id-token",
  "user-disabled",
  "user-not-found",
];

/**
 * Whether an error says that a token is bad, and not that the token could not be checked. If Google's public keys
 * cannot be fetched, the Admin SDK gives the same codes as for a bad token; only the message differs.
 */
export function isRefusal(
  error: unknown,
  prefix: string,
  codes: readonly string[],
): error is Error & { code: string } {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return false;
  if (/^Error (while making request|fetching)/.test(error.message)) return false;
  return error.code.startsWith(prefix) && codes.includes(error.code.slice(prefix.length));
}
