/** The accounts of Firebase Auth, as far as roles need them. */

/** As Firebase's libraries have it. */
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
  /** Replaces all custom claims. They are in ID tokens issued from now on; older ones last up to an hour. */
  setClaims(uid: string, claims: Record<string, unknown>): Promise<void>;
  /** The uid of the guest whose ID token this is; undefined if it is not valid, or of somebody who is no guest. */
  guestOf(idToken: string): Promise<string | undefined>;
}

interface Auth {
  getUser(uid: string): Promise<Account>;
  getUserByEmail(email: string): Promise<Account>;
  setCustomUserClaims(uid: string, claims: object): Promise<void>;
  verifyIdToken(idToken: string): Promise<{ uid: string; firebase: { sign_in_provider: string } }>;
}

/** @param auth is asked for at each use: a process that touches no account needs none. */
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
 * Whether Firebase says that a token is bad, not that it could not check it. If Google's public keys cannot be fetched,
 * the Admin SDK gives the same codes as for a bad token; only the message differs.
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
