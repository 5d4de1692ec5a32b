/** The edge that all callables share: who may call, the shape of the request, and errors that say what to do. */
import {
  type CallableFunction,
  type CallableRequest,
  type FunctionsErrorCode,
  HttpsError,
  onCall,
} from "firebase-functions/https";
import * as logger from "firebase-functions/logger";
import { z } from "zod";
import { type ErrorCode, type FieldProblem, FirerankError, invalidRequest } from "../model/errors.ts";
import { playerId } from "../model/ids.ts";
import { enforceAppCheck, maxInstances, memoryMib, region } from "../transports/params.ts";
import { runtimeServices } from "../transports/runtime.ts";
import { asRetryable } from "../world/retryable.ts";
import type { Services } from "./services.ts";

/** Who calls: a signed-in user. */
export interface Caller {
  uid: string;
  /** Whether the user has the custom claim `leaderboard_admin: true`. */
  admin: boolean;
}

/** What a callable does, apart from the transport; tests call `handle` as it is. */
export interface CallableSpec<Schema extends z.ZodType, Answer> {
  name: string;
  /** `player`: any signed-in user, behind App Check. `anyone`: the handler decides. `admin`: the custom claim. */
  access: "player" | "anyone" | "admin";
  request: Schema | ((services: Services) => Schema);
  /** What it answers, for descriptions and tests. */
  answer?: z.ZodType<Answer>;
  /** @param isApp whether an App Check token says that the request is the owner's app's; see {@link isKnown}. */
  handle: (
    services: Services,
    request: z.infer<Schema>,
    caller: Caller | undefined,
    isApp?: boolean,
  ) => Promise<Answer>;
  timeoutSeconds?: number;
  /** Requests that one instance serves at a time; by default as many as Cloud Functions allows. */
  concurrency?: number;
}

/** Makes a 2nd generation callable function of a spec. */
export function defineCallable<Schema extends z.ZodType, Answer>(
  spec: CallableSpec<Schema, Answer>,
): CallableFunction<unknown, Promise<Answer>> {
  const { timeoutSeconds = 60, concurrency } = spec;
  const limits = concurrency === undefined ? { timeoutSeconds } : { timeoutSeconds, concurrency };
  // Only admins call the others.
  const bound = spec.access === "admin" ? {} : { maxInstances };
  const options = { region, memory: memoryMib, ...bound, ...limits };
  return onCall<unknown, Promise<Answer>>(options, async (call) => {
    try {
      const caller = callerOf(call);
      if (needsApp(spec.access, caller)) requireApp(call);
      return await answer(spec, runtimeServices(), call.data, caller, call.app !== undefined);
    } catch (error) {
      throw toHttpsError(spec.name, error);
    }
  });
}

/**
 * Checks the caller and the request and lets the spec answer.
 * @throws FirerankError
 */
export async function answer<Schema extends z.ZodType, Answer>(
  spec: CallableSpec<Schema, Answer>,
  services: Services,
  data: unknown,
  caller: Caller | undefined,
  isApp = false,
): Promise<Answer> {
  if (spec.access !== "anyone") requireCaller(caller);
  if (spec.access === "admin" && caller?.admin !== true) {
    throw new FirerankError(
      "not_admin",
      `${spec.name} needs the custom claim leaderboard_admin: true on the caller's account.`,
    );
  }
  const schema = typeof spec.request === "function" ? spec.request(services) : spec.request;
  return spec.handle(services, parse(schema, data), caller, isApp);
}

/**
 * Whether a request is from a signed-in user or, by App Check, from the owner's app. What anybody else sends costs a
 * bounded handful of reads.
 */
export function isKnown(caller: Caller | undefined, isApp = false): boolean {
  return caller !== undefined || isApp;
}

/** The caller, who must be signed in. @throws `unauthenticated` */
export function requireCaller(caller: Caller | undefined): Caller {
  if (caller === undefined) throw new FirerankError("unauthenticated", "Sign in with Firebase Auth first.");
  return caller;
}

/** Who calls, as a player. @throws `unauthenticated`, `invalid_request` for a uid that can be no player's id */
export function requirePlayer(caller: Caller | undefined, id: typeof playerId = playerId): string {
  return parse(z.object({ player: id }), { player: requireCaller(caller).uid }).player;
}

/** A value of a schema. @throws `invalid_request` naming each bad field by its path */
export function parse<Schema extends z.ZodType>(schema: Schema, data: unknown): z.infer<Schema> {
  const result = schema.safeParse(data);
  if (result.success) return result.data;
  throw invalidRequest(result.error.issues.flatMap(problemsOf));
}

function problemsOf(issue: z.core.$ZodIssue): FieldProblem[] {
  const path = issue.path.map(String);
  if (issue.code !== "unrecognized_keys") return [{ path: path.join("."), message: issue.message }];
  return issue.keys.map((key) => ({
    path: [...path, key].join("."),
    message: "is no field of this request",
  }));
}

/** Whether App Check applies: to players, in whatever they call. An admin is known by the claim, from any app or server. */
export function needsApp(
  access: CallableSpec<z.ZodType, unknown>["access"],
  caller: Caller | undefined,
): boolean {
  return access !== "admin" && caller?.admin !== true;
}

/**
 * Refuses a player's call without a valid App Check token, where the deployer wants that. Done here and not by the
 * library's `enforceAppCheck`, which reads the parameter when the module loads. Admins' servers have no such token.
 */
function requireApp({ app }: CallableRequest): void {
  if (app !== undefined || !enforceAppCheck.value()) return;
  throw new FirerankError(
    "unauthenticated",
    "A valid App Check token is missing: set up App Check in the app, or deploy with ENFORCE_APP_CHECK=false.",
  );
}

function callerOf({ auth }: CallableRequest): Caller | undefined {
  return auth === undefined ? undefined : { uid: auth.uid, admin: auth.token["leaderboard_admin"] === true };
}

const httpsCodes: Record<ErrorCode, FunctionsErrorCode> = {
  unauthenticated: "unauthenticated",
  not_admin: "permission-denied",
  invalid_request: "invalid-argument",
  leaderboard_not_found: "not-found",
  season_not_found: "not-found",
  season_closed: "failed-precondition",
  player_not_ranked: "not-found",
  player_banned: "permission-denied",
  score_out_of_range: "out-of-range",
  too_frequent: "resource-exhausted",
  too_many_attempts: "resource-exhausted",
  server_scores_only: "permission-denied",
  definition_frozen: "failed-precondition",
  contention: "aborted",
};

/** An error as the callable protocol carries it; what is not the caller's to know is logged and stays here. */
export function toHttpsError(name: string, error: unknown): HttpsError {
  const known = error instanceof FirerankError ? error : asRetryable(error, "Try again in a moment.");
  if (known !== undefined) {
    if (known.cause instanceof Error) logger.warn(`${name} met contention`, { cause: known.cause.message });
    return new HttpsError(httpsCodes[known.code], known.message, { code: known.code, ...known.details });
  }
  logger.error(`${name} failed`, error);
  return new HttpsError("internal", `${name} failed; the function's log says why.`);
}
