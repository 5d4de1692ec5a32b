/** Reads thrown values of unknown type, and says in words what they mean. Pure. */
import { FirebaseError } from "firebase/app";
import { FirerankError } from "../../client/src/firerank-error.ts";

/** A thrown value as an error. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** The code of a thrown value: errors of Firebase and of calls have one. */
export function codeOf(thrown: unknown): string | undefined {
  const code = (thrown as { code?: unknown } | null | undefined)?.code;
  return typeof code === "string" ? code : undefined;
}

/** The error while Firestore cannot be reached. */
export function unreached(cause?: unknown): FirebaseError {
  return Object.assign(new FirebaseError("unavailable", "Firestore cannot be reached."), { cause });
}

/** What Firestore's codes mean here, where the page only reads. */
const ofFirestore: Readonly<Record<string, string>> = {
  aborted: "Something else changed it at the same moment. Try again.",
  "already-exists": "It is there already. Reload the page.",
  cancelled: "The request was cancelled. Try again.",
  "data-loss": "Firestore has lost or damaged data. Google Cloud's status page says whether it is known.",
  "deadline-exceeded": "Firestore did not answer in time. Try again.",
  internal: "Firestore has failed. Try again in a moment.",
  "invalid-argument":
    "Firestore did not understand what this page asked. Is the page of the same version as the functions?",
  "not-found":
    "The database is not there. Is Firestore set up in this project, and is the page built for this database?",
  "out-of-range": "Firestore was asked for more than there is. Reload the page.",
  "permission-denied": "This account may not read this. Sign in with another one.",
  "resource-exhausted":
    "The project's quota of Firestore is used up. It is full again tomorrow, or with the Blaze plan.",
  unauthenticated: "The sign-in is no longer valid. Sign in again.",
  unavailable: "Firestore cannot be reached.",
  unimplemented: "This database does not know what the page asks. Is Firestore in Native mode?",
  unknown: "Firestore has failed for a reason that it does not tell. Try again in a moment.",
};

/** What codes of Firebase Auth mean, when somebody signs in or a token is renewed. */
const ofAuth: Readonly<Record<string, string>> = {
  "auth/configuration-not-found": "Authentication is not set up in this project.",
  "auth/internal-error": "Firebase Auth has failed. Try again in a moment.",
  "auth/invalid-api-key": "The web app's API key is not valid. Is the page of this project?",
  "auth/invalid-credential": "There is no account with this e-mail address and password.",
  "auth/invalid-email": "This is not an e-mail address.",
  "auth/invalid-user-token": "The sign-in is no longer valid. Sign in again.",
  "auth/missing-password": "The password is missing.",
  "auth/network-request-failed": "Firebase Auth could not be reached.",
  "auth/operation-not-allowed":
    "This sign-in method is not enabled in the project's Authentication settings.",
  // Safari opens a window only right after a click, but the first attempt has to load Google's script first.
  "auth/popup-blocked":
    "The browser blocked the window. Try again; if it is blocked again, allow pop-ups for this page.",
  "auth/quota-exceeded": "The project's quota of sign-ins is used up. Try again later.",
  "auth/too-many-requests": "Too many attempts. Wait a moment before the next one.",
  "auth/unauthorized-domain":
    "Google's sign-in is not allowed from this address. Add it to the authorized domains in the project's Authentication settings.",
  "auth/user-disabled": "This account is disabled.",
  "auth/user-not-found": "There is no account with this e-mail address and password.",
  "auth/user-token-expired": "The sign-in is no longer valid. Sign in again.",
  "auth/web-storage-unsupported":
    "The browser keeps nothing for this page. Allow it to store data, and try again.",
  "auth/wrong-password": "There is no account with this e-mail address and password.",
};

/** An error as a sentence. Errors of our functions say by themselves what is wrong; Firebase's have codes. */
export function problemText(error: Error): string {
  const code = codeOf(error) ?? "";
  if (error instanceof FirerankError) return error.message;
  if (code === "failed-precondition")
    return `An index is missing: deploy firestore.indexes.json. Firestore says: ${error.message}`;
  const said = ofFirestore[code] ?? ofAuth[code];
  if (said !== undefined) return said;
  // Such as "Firebase: The given sign-in provider is disabled. (auth/some-code)."
  const words = error.message.replace(/^Firebase: /, "").replace(/\s*\([a-z-]+\/[a-z-]+\)\.?$/, "");
  return /^(Error)?$/.test(words) ? `Firebase answered with “${code}”, and no reason.` : words;
}
