/** Who is signed in, as signals that views read. */
import { computed, signal } from "@preact/signals";
import { onIdTokenChanged, signOut as signOutOf, type User } from "firebase/auth";
import { grantIn, suffices } from "../../../functions/src/model/role.ts";
import { firebase } from "./connect.ts";

export interface Session {
  uid: string;
  /** The e-mail address, if the account has one. */
  name: string;
  /** Whether the account has the role of an admin for all boards. This only decides what is shown; rules and functions decide what is allowed. */
  isAdmin: boolean;
}

/** `undefined` until it is known, `null` if nobody is signed in. */
export const session = signal<Session | null | undefined>(undefined);
export const isAdmin = computed(() => session.value?.isAdmin === true);

/**
 * Keeps {@link session} up to date from now on.
 * @returns once it is known, so that the first render is already right.
 */
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
  const next = {
    uid: user.uid,
    name: user.email ?? user.displayName ?? user.uid,
    isAdmin: suffices(grantIn(claims) ?? {}, "admin", undefined),
  };
  const { value } = session;
  const same = value?.uid === next.uid && value.isAdmin === next.isAdmin && value.name === next.name;
  if (!same) session.value = next;
}
