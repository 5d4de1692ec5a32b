/** App Check: who has to send its token where the deployer wants one. Pure. */
import { FirerankError } from "../model/errors.ts";
import type { Caller, OperationSpec } from "../operations/spec.ts";

/** Whether App Check applies: to players, in whatever they call. An admin is known by the claim, from any app or server. */
export function needsApp(
  access: OperationSpec<never, unknown>["access"],
  caller: Caller | undefined,
): boolean {
  return access !== "admin" && caller?.admin !== true;
}

/** The refusal of a request without a valid token. @param remedy what the app's developer has to do. */
export function appMissing(remedy: string): FirerankError {
  return new FirerankError(
    "unauthenticated",
    `A valid App Check token is missing: ${remedy}, or deploy with ENFORCE_APP_CHECK=false.`,
  );
}
