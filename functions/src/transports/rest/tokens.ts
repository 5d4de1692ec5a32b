/** Checks the tokens of requests with Firebase. */
import { getAppCheck } from "firebase-admin/app-check";
import { getAuth } from "firebase-admin/auth";
import { FirerankError } from "../../model/errors.ts";
import { grantIn } from "../../model/role.ts";
import type { Caller } from "../../operations/access.ts";
import { type CheckServer, createServerCheck } from "./server-tokens.ts";
import { defaultApp } from "../runtime.ts";

export interface Tokens {
  /** The user of an ID token. @throws `unauthenticated` if it is malformed, expired or belongs to another project. */
  caller(idToken: string): Promise<Caller>;
  /** The e-mail address of a server's service account. @throws `unauthenticated` */
  server: CheckServer;
  /** Whether this is a valid App Check token of this project. */
  isApp(token: string): Promise<boolean>;
}

/** Checks tokens with Firebase's public keys, which the Admin SDK keeps in memory, or with the Auth emulator. */
export const firebaseTokens: Tokens = {
  async caller(idToken) {
    const token = await getAuth(defaultApp())
      .verifyIdToken(idToken)
      .catch((error: unknown) => {
        throw isRefusal(error, "auth/", authRefusals)
          ? new FirerankError("unauthenticated", `The ID token is not valid: ${error.message}`, {}, error)
          : error;
      });
    return { uid: token.uid, ...grantIn(token) };
  },
  server: createServerCheck(() => process.env["GCLOUD_PROJECT"]),
  async isApp(token) {
    try {
      await getAppCheck(defaultApp()).verifyToken(token);
      return true;
    } catch (error) {
      if (isRefusal(error, "app-check/", appRefusals)) return false;
      throw error;
    }
  },
};

const authRefusals = [
  "argument-error",
  "id-token-expired",
  "id-token-revoked",
  "invalid-id-token",
  "user-disabled",
  "user-not-found",
];
const appRefusals = ["invalid-argument", "app-check-token-expired"];

/**
 * Whether Firebase says that a token is bad, not that it could not check it. If Google's public keys cannot be fetched,
 * the Admin SDK gives the same codes as for a bad token; only the message differs.
 */
function isRefusal(
  error: unknown,
  prefix: string,
  codes: readonly string[],
): error is Error & { code: string } {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return false;
  if (/^Error (while making request|fetching)/.test(error.message)) return false;
  return error.code.startsWith(prefix) && codes.includes(error.code.slice(prefix.length));
}
