/** The errors that callers get: one list of codes. Each message says what is wrong and what would be right. */
import type { ZodError } from "zod";

export const errorCodes = [
  "unauthenticated",
  "app_check_missing",
  "not_admin",
  "invalid_request",
  "leaderboard_not_found",
  "season_not_found",
  "season_closed",
  "player_not_ranked",
  "player_banned",
  "score_out_of_range",
  "too_frequent",
  "too_many_attempts",
  "server_scores_only",
  "definition_frozen",
  "contention",
  "unknown_schema_version",
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** A field of a request and what is wrong with it; `path` is dotted, as in `submissions.3.score`. */
export interface FieldProblem {
  path: string;
  message: string;
}

/** Machine-readable part of an error, next to its code. */
export interface ErrorDetails {
  fields?: FieldProblem[];
  retry_after_seconds?: number;
}

/** An error that reaches the caller unchanged. Any other error is a fault of Firerank: it is logged and not shown. */
export class FirerankError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "FirerankError";
    this.code = code;
    this.details = details;
  }
}

/** Whether an error says that a board does not exist. */
export function isBoardNotFound(error: unknown): boolean {
  return error instanceof FirerankError && error.code === "leaderboard_not_found";
}

/** The `player_not_ranked` about everybody: a season without a publication ranks nobody. */
export function nothingRankedYet({
  leaderboard,
  season,
}: {
  leaderboard: string;
  season: string;
}): FirerankError {
  return new FirerankError(
    "player_not_ranked",
    `Nothing is ranked yet in season "${season}" of leaderboard "${leaderboard}". Its first ranking is published soon after the first scores.`,
  );
}

/** An `invalid_request` about one or more fields. */
export function invalidRequest(fields: FieldProblem[]): FirerankError {
  return new FirerankError("invalid_request", messageAbout(fields), { fields });
}

/** A `score_out_of_range` about the field at `path`. */
export function outOfRange(path: string, message: string): FirerankError {
  return new FirerankError("score_out_of_range", `${path}: ${message}`, { fields: [{ path, message }] });
}

/** An `unauthenticated` about a field whose value costs too much for callers without sign-in and App Check token. */
export function forKnownOnly(path: string, message: string): FirerankError {
  const advice = `${message}; sign in with Firebase Auth, or send an App Check token`;
  return new FirerankError("unauthenticated", `${path}: ${advice}`, { fields: [{ path, message: advice }] });
}

/** The same error for a part of a request: the paths begin with the part's path, as in `submissions.3`. */
export function errorWithin(part: string, error: FirerankError): FirerankError {
  if (error.details.fields === undefined) return error;
  const fields = error.details.fields.map(({ path, message }) => ({
    path: path === "" ? part : `${part}.${path}`,
    message,
  }));
  return new FirerankError(error.code, messageAbout(fields), { ...error.details, fields }, error.cause);
}

function messageAbout(fields: readonly FieldProblem[]): string {
  return fields.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`)).join("; ");
}

export function firstProblem({ issues: [first] }: ZodError): string {
  if (first === undefined) return "it has another form";
  const path = first.path.join(".");
  return path === "" ? first.message : `${path}: ${first.message}`;
}
