/**
 * An admin's ID token, for servers that submit for players or save leaderboards.
 *
 * A server makes itself a custom token with the claim that Firerank asks admins for, and signs in with it. In
 * production the Admin SDK finds a service account to sign the token with, and `auth` is Google's own address, with
 * your web API key.
 */
import { getApps, initializeApp } from "firebase-admin/app";
import { getAuth } from "firebase-admin/auth";
import type { Addresses } from "./emulators.ts";

/** Gives a token that is good for some minutes more; signs in at the first call and again before it expires. */
export type Token = () => Promise<string>;

/** ID tokens last an hour. */
const renewAfterMs = 50 * 60_000;

export function createAdmin({ auth, project }: Addresses, now: () => number = Date.now): Token {
  process.env["FIREBASE_AUTH_EMULATOR_HOST"] ??= auth; // where the Admin SDK looks for it
  const app = getApps()[0] ?? initializeApp({ projectId: project });
  let signedIn: { token: Promise<string>; atMs: number } | undefined;

  async function signIn(): Promise<string> {
    const customToken = await getAuth(app).createCustomToken("game-server", { leaderboard_admin: true });
    const url = `http://${auth}/identitytoolkit.googleapis.com/v1/accounts:signInWithCustomToken?key=any`;
    const response = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ token: customToken, returnSecureToken: true }),
    });
    const { idToken } = (await response.json()) as { idToken?: string };
    if (idToken === undefined) throw new Error(`The Auth emulator answered HTTP ${response.status}`);
    return idToken;
  }

  return () => {
    if (signedIn === undefined || now() - signedIn.atMs > renewAfterMs) {
      const token = signIn();
      signedIn = { token, atMs: now() };
      token.catch(() => (signedIn = undefined)); // the next call tries again
    }
    return signedIn.token;
  };
}
