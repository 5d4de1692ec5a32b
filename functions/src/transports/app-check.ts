/** App Check: which callers need a token if the deployer enforces it. Pure. */
import { FirerankError } from "../model/errors.ts";
import type { Caller, OperationSpec } from "../operations/spec.ts";

/** Whether App Check applies: to players, in every call. Admins are known by their claim, from any app or server. */
export function needsApp(
  access: OperationSpec<never, unknown>["access"],
  caller: Caller | undefined,
): boolean {
  return access !== "admin" && caller?.admin !== true;
}

/** The error for a request without a valid token. @param remedy what the app's developer has to do. */
export function appMissing(remedy: string): FirerankError {
  return new FirerankError(
    "unauthenticated",
    `A valid App Check token is missing: ${remedy}, or deploy with ENFORCE_APP_CHECK=false.`,
  );
}
