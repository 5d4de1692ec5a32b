/** The ways to sign in. */
import {
  browserPopupRedirectResolver,
  GoogleAuthProvider,
  signInWithEmailAndPassword,
  signInWithPopup,
} from "firebase/auth";
import { asError, codeOf, problemText } from "../errors.ts";
import type { Config } from "./config.ts";
import { firebase } from "./connect.ts";

/** @throws FirebaseError of Auth, which {@link signInProblem} puts into words */
export async function signInByPassword(email: string, password: string): Promise<void> {
  await signInWithEmailAndPassword(firebase().auth, email, password);
}

/** Opens Google's window. @throws FirebaseError of Auth */
export async function signInWithGoogle(): Promise<void> {
  await signInWithPopup(firebase().auth, new GoogleAuthProvider(), browserPopupRedirectResolver);
}

/** On the emulators: signs in with an account of such a role, which is created. @throws if there are no emulators */
export async function signInOnEmulators(role: "admin" | "player"): Promise<void> {
  const { auth, config } = firebase();
  if (config.emulators === undefined) throw new Error("There are no emulators.");
  const email = `${role}@example.com`;
  const password = "firerank";
  const { users = [] } = await askAuthEmulator(config, ":lookup", { email: [email] });
  if (users.length === 0) {
    const { localId } = await askAuthEmulator(config, "", { email, password });
    const customAttributes = JSON.stringify(role === "admin" ? { leaderboard_role: role } : {});
    await askAuthEmulator(config, ":update", { localId, customAttributes });
  }
  await signInWithEmailAndPassword(auth, email, password);
}

/** Calls the Auth emulator as a trusted server: "owner" is its token for that. */
async function askAuthEmulator(
  { emulators, options }: Config,
  method: string,
  body: object,
): Promise<{ localId?: string; users?: object[] }> {
  const { host, port } = emulators?.auth ?? { host: "", port: 0 };
  const accounts = `identitytoolkit.googleapis.com/v1/projects/${options.projectId ?? ""}/accounts`;
  const response = await fetch(`http://${host}:${port}/${accounts}${method}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: "Bearer owner" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`the Auth emulator answered HTTP ${response.status}`);
  return (await response.json()) as { localId?: string; users?: object[] };
}

/** Why signing in failed, for the user; undefined if the user closed the window. */
export function signInProblem(error: unknown): string | undefined {
  const closed = ["auth/popup-closed-by-user", "auth/cancelled-popup-request"];
  return closed.includes(codeOf(error) ?? "") ? undefined : problemText(asError(error));
}
