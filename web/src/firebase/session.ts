/** Who is signed in, as signals that views read. */
import { computed, signal } from "@preact/signals";
import { onIdTokenChanged, signOut as signOutOf, type User } from "firebase/auth";
import { type Grant, grantIn, suffices } from "../../../functions/src/model/role.ts";
import { firebase } from "./connect.ts";

export interface Session {
  uid: string;
  /** The e-mail address, if the account has one. */
  name: string;
  /** Whether the account has the role of an admin for all boards. This only decides what is shown; rules and functions decide what is allowed. */
  isAdmin: boolean;
  grant: Partial<Grant>;
}

/** `undefined` until it is known, `null` if nobody is signed in. */
export const session = signal<Session | null | undefined>(undefined);
export const isAdmin = computed(() => session.value?.isAdmin === true);
/** Whether the account may hide, ban and readmit players of a board. */
export const mayModerate = (leaderboard: string) =>
  suffices(session.value?.grant ?? {}, "moderator", leaderboard);

/** Keeps {@link session} up to date; resolves once it is known, so that the first render is already right. */
export function watchSession(): Promise<void> {
  return new Promise((resolve) => {
    onIdTokenChanged(firebase().auth, (user) => {
      if (user === null) session.value = null;
      // An account without a token, for instance because the network is down, is shown as signed out.
      const done = user === null ? Promise.resolve() : remember(user).catch(() => (session.value ??= null));
      void done.then(() => resolve());
    });
  });
}

export async function signOut(): Promise<void> {
  await signOutOf(firebase().auth);
}

async function remember(user: User): Promise<void> {
  const { claims } = await user.getIdTokenResult();
  if (firebase().auth.currentUser?.uid !== user.uid) return;
  const grant = grantIn(claims) ?? {};
  const next = {
    uid: user.uid,
    name: user.email ?? user.displayName ?? user.uid,
    isAdmin: suffices(grant, "admin", undefined),
    grant,
  };
  if (JSON.stringify(session.value) !== JSON.stringify(next)) session.value = next;
}
