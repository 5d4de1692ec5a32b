/**
 * ID tokens with a role, on the emulators: an admin's, who saves leaderboards, and a server's, which submits for players.
 *
 * In production a server needs neither: it comes as its service account (docs/rest.md, "A game server"), and boards are
 * saved by people. Here a program makes itself a custom token with the claim, and signs in with it.
 */
import { getApps, initializeApp } from "firebase-admin/app";
import { getAuth } from "firebase-admin/auth";
import type { Addresses } from "./emulators.ts";

/** Gives a token that is good for some minutes more; signs in at the first call and again before it expires. */
export type Token = () => Promise<string>;

/** ID tokens last an hour. */
const renewAfterMs = 50 * 60_000;

export function createToken({ auth, project }: Addresses, role: "admin" | "submitter"): Token {
  process.env["FIREBASE_AUTH_EMULATOR_HOST"] ??= auth; // where the Admin SDK looks for it
  const app = getApps()[0] ?? initializeApp({ projectId: project });
  let signedIn: { token: Promise<string>; atMs: number } | undefined;

  async function signIn(): Promise<string> {
    const customToken = await getAuth(app).createCustomToken(`game-${role}`, { leaderboard_role: role });
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
    if (signedIn === undefined || Date.now() - signedIn.atMs > renewAfterMs) {
      const token = signIn();
      signedIn = { token, atMs: Date.now() };
      token.catch(() => (signedIn = undefined)); // the next call tries again
    }
    return signedIn.token;
  };
}
