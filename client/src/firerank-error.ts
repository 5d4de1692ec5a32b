/** Errors as typed codes, whether Firerank refused, Firestore did, or the network failed. */
import type { ErrorCode, FieldProblem } from "../../functions/src/model/errors.ts";

export type { FieldProblem };

/**
 * Firerank's own codes, and
 * - `unavailable`: no connection, an incomplete answer, or an overloaded server; worth another try;
 * - `deadline_exceeded`: no answer in time; worth another try;
 * - `permission_denied`: the security rules refused a direct read;
 * - `function_not_found`: no such function in that region;
 * - `not_stored`: a `scoreQueue` could not keep the score: it is full, or the device's storage failed;
 * - `cancelled`: the app has ended the call by its `signal`, or was deleted under a watcher;
 * - `expired`: a queued score has waited for too long, or no longer counts;
 * - `internal`: a fault of the server, whose log says more.
 */
export type FirerankErrorCode =
  | ErrorCode
  | "unavailable"
  | "deadline_exceeded"
  | "permission_denied"
  | "function_not_found"
  | "not_stored"
  | "cancelled"
  | "expired"
  | "internal";

/** What every call rejects with and every listener reports. */
export class FirerankError extends Error {
  readonly code: FirerankErrorCode;
  /** The wrong fields, by dotted path, and what would be right; empty if no field was to blame. */
  readonly fields: readonly FieldProblem[];
  /** How long to wait before the same request may succeed, if known. */
  readonly retryAfterSeconds: number | undefined;
  /** Set when `submitScore` failed: the same score sent again with this `submission_id` counts once, while its id is among the player's last 20. */
  readonly submissionId: string | undefined;
  /** The Firebase error underneath, if there was one. */
  override readonly cause: unknown;

  constructor(
    code: FirerankErrorCode,
    message: string,
    { fields, retryAfterSeconds, submissionId, cause }: Particulars = {},
  ) {
    super(message);
    this.name = "FirerankError";
    this.code = code;
    this.fields = fields ?? [];
    this.retryAfterSeconds = retryAfterSeconds;
    this.submissionId = submissionId;
    this.cause = cause;
  }
}

interface Particulars {
  fields?: readonly FieldProblem[] | undefined;
  retryAfterSeconds?: number | undefined;
  submissionId?: string | undefined;
  cause?: unknown;
}

/** An `invalid_request` about one field. */
export function invalidField(path: string, message: string, cause?: unknown): FirerankError {
  return new FirerankError("invalid_request", `${path}: ${message}`, { fields: [{ path, message }], cause });
}

/** The `leaderboard_not_found` of a direct read. */
export function leaderboardNotFound(id: string): FirerankError {
  return new FirerankError(
    "leaderboard_not_found",
    `There is no leaderboard "${id}" in this database. An admin creates it with saveLeaderboard. If it is in another ` +
      "database, give leaderboard() that `database`.",
  );
}

/** The `season_not_found` of a board with tournaments only. */
export function noSpans({ id }: { id: string }): FirerankError {
  return new FirerankError(
    "season_not_found",
    `Leaderboard "${id}" has no spans, so name one of its seasons.`,
  );
}

/** The `player_not_ranked` of a direct read: nobody is ranked before the first publication. */
export function nothingRankedYet(): FirerankError {
  return new FirerankError(
    "player_not_ranked",
    "Nothing is ranked yet. If something was, its pages are gone, and repairSeason makes them anew, or `order` was changed by hand.",
  );
}

/** What Firebase's SDKs may throw. */
interface FirebaseFault {
  code?: unknown;
  message?: unknown;
  details?: { code?: ErrorCode; fields?: FieldProblem[]; retry_after_seconds?: number } | null;
}

const codes: Partial<Record<string, FirerankErrorCode>> = {
  unauthenticated: "unauthenticated",
  "permission-denied": "permission_denied",
  "not-found": "function_not_found",
  "deadline-exceeded": "deadline_exceeded",
  unavailable: "unavailable",
  // From Firebase Auth, when it could not fetch a token.
  "network-request-failed": "unavailable",
  "resource-exhausted": "unavailable",
  "functions/aborted": "contention",
  // From Firestore, under a listener whose app was deleted.
  aborted: "cancelled",
};

/** Any error as a {@link FirerankError}; `what` is what was being done. */
export function toFirerankError(what: string, cause: unknown): FirerankError {
  if (cause instanceof FirerankError) return cause;
  const { code, message, details } = (cause ?? {}) as FirebaseFault;
  const text = typeof message === "string" ? message : String(cause);
  // The SDK ends the messages of callables with the HTTP status in brackets.
  const own = text.replace(/ \[\d+\]$/, "");
  if (details?.code !== undefined) {
    const { code: ownCode, fields, retry_after_seconds: retryAfterSeconds } = details;
    return new FirerankError(ownCode, own, { fields, retryAfterSeconds, cause });
  }
  const whole = typeof code === "string" ? code : "";
  const short = whole.replace(/^.*\//, "");
  // The SDK says no more than this when it received nothing that it understands: the network failed, an instance died,
  // the body was cut off, or a server in between answered with its own page.
  const isAnswer = own !== short && !own.startsWith("Response is ");
  const known = codes[whole] ?? codes[short] ?? (isAnswer ? "internal" : "unavailable");
  const problem =
    known === "permission_denied"
      ? "refused. Is the player signed in, or the board public?"
      : isAnswer || known !== "unavailable"
        ? own
        : `no complete answer arrived (${own}). Is the device offline, or the region wrong?`;
  return new FirerankError(known, `${what}: ${problem}`, { cause });
}

/** What listeners do with an error when no `onError` was given. */
export function logError(error: FirerankError): void {
  console.error(error);
}
