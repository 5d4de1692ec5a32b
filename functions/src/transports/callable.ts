/** Makes 2nd generation callable functions from specs. */
import { type CallableFunction, type CallableRequest, HttpsError, onCall } from "firebase-functions/https";
import * as logger from "firebase-functions/logger";
import type { z } from "zod";
import { type Caller, roleFor } from "../operations/shared/access.ts";
import { answer, type OperationSpec } from "../operations/shared/spec.ts";
import { grantIn } from "../model/role.ts";
import { appMissing, needsApp, refusalOf, statuses } from "./refusal.ts";
import { isAppCheckEnforced } from "./on-emulator.ts";
import { maxInstances } from "./params.ts";
import { functionOptions, runtimeServices } from "./runtime.ts";

/** The resources that a callable may use. */
export interface CallableLimits {
  timeoutSeconds?: number;
  /** Concurrent requests of one instance; by default the default of Cloud Functions. */
  concurrency?: number;
}

/** Makes a callable function from a spec. */
export function defineCallable<Schema extends z.ZodType, Answer>(
  spec: OperationSpec<Schema, Answer>,
  limits: CallableLimits = {},
): CallableFunction<unknown, Promise<Answer>> {
  // Calls that need a role are not bounded: players cannot flood them.
  const bound = roleFor(spec.name) === undefined ? { maxInstances } : {};
  const options = { ...functionOptions, timeoutSeconds: 60, ...bound, ...limits };
  return onCall<unknown, Promise<Answer>>(options, async (call) => {
    try {
      const caller = callerOfCall(call);
      const isApp = call.app !== undefined;
      // Not the library's own `enforceAppCheck`, which would read the parameter when the module loads.
      if (!isApp && needsApp(spec.name, caller) && isAppCheckEnforced())
        throw appMissing("set up App Check in the app");
      return await answer(spec, runtimeServices(), call.data, caller, isApp || caller !== undefined);
    } catch (error) {
      throw toHttpsError(spec.name, error);
    }
  });
}

function callerOfCall({ auth }: CallableRequest): Caller | undefined {
  return auth === undefined ? undefined : { uid: auth.uid, claims: auth.token, ...grantIn(auth.token) };
}

/** An error in the callable protocol. Errors that callers must not see are logged and not sent. */
export function toHttpsError(name: string, error: unknown): HttpsError {
  const refusal = refusalOf(logger, name, error);
  if (refusal === undefined)
    return new HttpsError("internal", `${name} failed; the function's log says why.`);
  const { code, message, details } = refusal;
  return new HttpsError(statuses[code].callable, message, { code, ...details });
}
