/** The accounts of Firebase Auth, as far as roles need them. */

export interface Account {
  uid: string;
  email?: string;
  isVerified: boolean;
  claims: Readonly<Record<string, unknown>>;
}

/** An account, by its uid or its e-mail address. */
export type NamedAccount = { uid: string } | { email: string };

export interface Accounts {
  find(named: NamedAccount): Promise<Account | undefined>;
  /** Replaces all custom claims. They are in ID tokens issued from now on; older ones last up to an hour. */
  setClaims(uid: string, claims: Record<string, unknown>): Promise<void>;
}

/** What is used of the Admin SDK's Auth. */
interface Auth {
  getUser(uid: string): Promise<User>;
  getUserByEmail(email: string): Promise<User>;
  setCustomUserClaims(uid: string, claims: object): Promise<void>;
}

interface User {
  uid: string;
  email?: string | undefined;
  emailVerified: boolean;
  customClaims?: Record<string, unknown> | undefined;
}

/** @param auth is asked for at each use: a process that touches no account needs none. */
export function accountsOf(auth: () => Auth): Accounts {
  return {
    async find(named) {
      try {
        const user = await ("uid" in named ? auth().getUser(named.uid) : auth().getUserByEmail(named.email));
        const { uid, email, emailVerified, customClaims = {} } = user;
        return {
          uid,
          ...(email === undefined ? {} : { email }),
          isVerified: emailVerified,
          claims: customClaims,
        };
      } catch (error) {
        if ((error as { code?: unknown }).code === "auth/user-not-found") return undefined;
        throw error;
      }
    },
    setClaims: (uid, claims) => auth().setCustomUserClaims(uid, claims),
  };
}
