/** Reads thrown values of unknown type. */
import { FirebaseError } from "firebase/app";

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
