/** Checks the tokens of requests with Firebase. */
import { getAppCheck } from "firebase-admin/app-check";
import { getAuth } from "firebase-admin/auth";
import { FirerankError } from "../../model/errors.ts";
import { grantIn } from "../../model/role.ts";
import type { Caller } from "../../operations/shared/access.ts";
import { authRefusals, isRefusal } from "../../world/accounts.ts";
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
    return { uid: token.uid, claims: token, ...grantIn(token) };
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

const appRefusals = ["invalid-argument", "app-check-token-expired"];
