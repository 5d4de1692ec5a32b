/** Errors with typed codes, whether Firerank or Firestore refused a request, or the network failed. */
import { documentIdProblem } from "../../functions/src/model/document-id.ts";
import type { ErrorCode, FieldProblem } from "../../functions/src/model/errors.ts";

export type { FieldProblem };

/**
 * Firerank's own codes, and
 * - `unavailable`: there is no connection, the answer is incomplete, or the server is overloaded. Try again.
 * - `deadline_exceeded`: no answer came in time. Try again.
 * - `permission_denied`: the security rules refused to let the device read Firestore.
 * - `function_not_found`: the region has no such function.
 * - `not_stored`: a `scoreQueue` could not keep the score, as the queue is full or the device's storage failed.
 * - `cancelled`: the app has ended the call by its `signal`, or has deleted its `FirebaseApp` while a watcher ran.
 * - `expired`: a queued score has waited for too long, or no longer counts.
 * - `internal`: the server has a fault. Its log says more.
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

/** The error with which every call rejects, and which every watcher reports. */
export class FirerankError extends Error {
  declare readonly code: FirerankErrorCode;
  /** The wrong fields of the request, by dotted path, and what would be right; empty if no field was wrong. */
  declare readonly fields: readonly FieldProblem[];
  /** After how many seconds the same request may succeed, if the server has said so. */
  declare readonly retryAfterSeconds: number | undefined;
  /**
   * Set if `submitScore` failed. If the app sends the score again with this `submission_id`, the score counts once, while the
   * id is among the player's last 20.
   */
  declare readonly submissionId: string | undefined;
  /** The Firebase error underneath, if there was one. */
  declare readonly cause: unknown;

  constructor(code: FirerankErrorCode, message: string, particulars: Particulars = {}) {
    super(message);
    Object.assign(this, { name: "FirerankError", code, fields: [] }, particulars);
  }
}

interface Particulars {
  fields?: readonly FieldProblem[];
  retryAfterSeconds?: number | undefined;
  submissionId?: string | undefined;
  cause?: unknown;
}

/** An `invalid_request` about one field. */
export function invalidField(path: string, message: string, cause?: unknown): FirerankError {
  return new FirerankError("invalid_request", `${path}: ${message}`, { fields: [{ path, message }], cause });
}

/** @throws `invalid_request` for an id that is no text, as one that an app without types has left out */
export function requireText(path: string, id: unknown): asserts id is string {
  if (typeof id !== "string") throw invalidField(path, "must be a text");
}

/** @throws `invalid_request` for an id that no document can have */
export function requireId(path: string, id: unknown): void {
  requireText(path, id);
  const problem = documentIdProblem(id);
  if (problem !== undefined) throw invalidField(path, problem);
}

/** The error `leaderboard_not_found` when the device reads Firestore itself. */
export function leaderboardNotFound(id: string): FirerankError {
  const missing = id.includes(":") ? "its template" : "it";
  return new FirerankError(
    "leaderboard_not_found",
    `There is no leaderboard "${id}" in this database. An admin creates ${missing} with saveLeaderboard. ` +
      "Or give leaderboard() its `database`.",
  );
}

/** The error `season_not_found` when the device reads Firestore itself. */
export function seasonNotFound({ id, season }: { id: string; season: string }): FirerankError {
  return new FirerankError(
    "season_not_found",
    `Leaderboard "${id}" has no season "${season}". listSeasons has all of them.`,
  );
}

/** The error `season_not_found` of a board that has only tournaments. */
export function noSpans({ id }: { id: string }): FirerankError {
  return new FirerankError("season_not_found", `Leaderboard "${id}" has no spans: name a season.`);
}

/** The error `player_not_ranked` when the device reads Firestore itself: nobody is ranked before the first publication. */
export function nothingRankedYet(): FirerankError {
  return new FirerankError(
    "player_not_ranked",
    "Nothing is ranked yet. If something was, its pages are gone, and repairSeason makes them anew, or `order` was changed by hand.",
  );
}

/** The fields of errors that Firebase's SDKs throw. */
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

/** Any error as a {@link FirerankError}. @param what the name of the call, for the message. */
export function toFirerankError(what: string, cause: unknown): FirerankError {
  if (cause instanceof FirerankError) return cause;
  const { code = "", message, details } = (cause ?? {}) as FirebaseFault;
  const text = String(message ?? cause);
  // The SDK ends the messages of callables with the HTTP status in brackets.
  const own = text.replace(/ \[\d+\]$/, "");
  if (details?.code !== undefined) {
    const { code: ownCode, fields = [], retry_after_seconds: retryAfterSeconds } = details;
    return new FirerankError(ownCode, own, { fields, retryAfterSeconds, cause });
  }
  const short = String(code).replace(/.*\//, "");
  // If the SDK did not understand the answer, the message is only the code, or begins with "Response is ": the network
  // failed, an instance died, the body was cut off, or a server in between answered with a page of its own.
  const isAnswer = own !== short && !own.startsWith("Response is ");
  const known = codes[code as string] ?? codes[short] ?? (isAnswer ? "internal" : "unavailable");
  const problem =
    known === "permission_denied"
      ? "refused. Is the player signed in, or the board public?"
      : isAnswer || known !== "unavailable"
        ? own
        : `no complete answer arrived (${own}). Is the device offline, or the region wrong?`;
  return new FirerankError(known, `${what}: ${problem}`, { cause });
}

/** What watchers do with an error if the app gave no `onError`. */
export function logError(error: FirerankError): void {
  console.error(error);
}
