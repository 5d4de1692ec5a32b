/** Errors in both transports: which errors callers may see, and the status of each code. */
import { type ErrorCode, FirerankError } from "../model/errors.ts";
import { asRetryable } from "../world/retryable.ts";
import type { Log } from "../world/services.ts";
import { type Caller, type OperationName, roleFor } from "../operations/shared/access.ts";

/**
 * The error for the caller; undefined for a fault of Firerank. Faults, and causes of errors, are logged and not sent.
 * @param name the operation's name, for the log.
 */
export function refusalOf(log: Log, name: string, error: unknown): FirerankError | undefined {
  const refusal = error instanceof FirerankError ? error : asRetryable(error, "Try again in a moment.");
  if (refusal === undefined) log.error(`${name} failed`, error instanceof Error ? error : { error });
  else if (refusal.cause instanceof Error)
    log.warn(`${name} refused a request`, { code: refusal.code, cause: refusal.cause.message });
  return refusal;
}

const unauthenticated = { callable: "unauthenticated", http: 401 } as const;
const forbidden = { callable: "permission-denied", http: 403 } as const;
const notFound = { callable: "not-found", http: 404 } as const;
const conflict = { callable: "failed-precondition", http: 409 } as const;
const tooMany = { callable: "resource-exhausted", http: 429 } as const;

/** The status of each code, in the callable protocol and in REST. */
export const statuses = {
  unauthenticated,
  app_check_missing: unauthenticated,
  not_allowed: forbidden,
  invalid_request: { callable: "invalid-argument", http: 400 },
  leaderboard_not_found: notFound,
  season_not_found: notFound,
  season_closed: conflict,
  player_not_ranked: notFound,
  player_banned: forbidden,
  player_erased: forbidden,
  group_not_found: notFound,
  group_full: conflict,
  group_ended: conflict,
  score_out_of_range: { callable: "out-of-range", http: 400 },
  too_frequent: tooMany,
  too_many_attempts: tooMany,
  server_scores_only: forbidden,
  definition_frozen: conflict,
  contention: { callable: "aborted", http: 409 },
  unknown_schema_version: { callable: "unavailable", http: 503 },
} as const satisfies Record<ErrorCode, { callable: string; http: number }>;

/**
 * Whether a request needs an App Check token: a player's does, in every call. A caller with a role may use any app or
 * server.
 */
export function needsApp(operation: OperationName, caller: Caller | undefined): boolean {
  return roleFor(operation) === undefined && caller?.role === undefined;
}

/** The error for a request without a valid App Check token. @param remedy what the app's developer has to do. */
export function appMissing(remedy: string): FirerankError {
  return new FirerankError(
    "app_check_missing",
    `A valid App Check token is missing: ${remedy}, or deploy with ENFORCE_APP_CHECK=false.`,
  );
}
