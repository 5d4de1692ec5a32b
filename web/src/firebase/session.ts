/** Who is signed in, as signals that views read. */
import { computed, signal } from "@preact/signals";
import { onIdTokenChanged, signOut as signOutOf, type User } from "firebase/auth";
import { firebase } from "./connect.ts";

export interface Session {
  uid: string;
  /** An e-mail address where the account has one. */
  name: string;
  /** Whether the account has the claim. It decides what is shown; what is allowed, rules and functions decide. */
  isAdmin: boolean;
}

/** `undefined` until it is known, `null` where nobody is signed in. */
export const session = signal<Session | null | undefined>(undefined);
export const isAdmin = computed(() => session.value?.isAdmin === true);

/**
 * Keeps {@link session} up to date from now on.
 * @returns when it is known, so that the first picture is already the right one.
 */
export function watchSession(): Promise<void> {
  return new Promise((resolve) => {
    onIdTokenChanged(firebase().auth, (user) => {
      if (user === null) session.value = null;
      // An account whose token cannot be had, as the network is gone, is shown as signed out.
      const done = user === null ? Promise.resolve() : remember(user).catch(() => (session.value ??= null));
      void done.then(() => {
        resolve();
      });
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
    isAdmin: claims["leaderboard_admin"] === true,
  };
  const { value } = session;
  const same = value?.uid === next.uid && value.isAdmin === next.isAdmin && value.name === next.name;
  if (!same) session.value = next;
}
