/** The errors that callers get: one list of codes. Each message says what is wrong and what would be right. */
import type { ZodError } from "zod";
import "./problem-words.ts";
import { definitionId, isOfTemplate } from "./template.ts";

export const errorCodes = [
  "unauthenticated",
  "app_check_missing",
  "not_allowed",
  "invalid_request",
  "leaderboard_not_found",
  "season_not_found",
  "season_closed",
  "player_not_ranked",
  "player_banned",
  "player_erased",
  "group_not_found",
  "group_full",
  "group_ended",
  "score_out_of_range",
  "too_frequent",
  "too_many_attempts",
  "server_scores_only",
  "definition_frozen",
  "contention",
  "unknown_schema_version",
] as const;
export type ErrorCode = (typeof errorCodes)[number];

/** Refusals for what a player has in a season already, which leave the player's other seasons as they are. */
export const seasonRefusals = ["too_many_attempts", "score_out_of_range"] as const;
export type SeasonRefusal = (typeof seasonRefusals)[number];

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

export function boardNotFound(leaderboard: string): FirerankError {
  const template = definitionId(leaderboard);
  const advice = isOfTemplate(leaderboard)
    ? `: "${template}" is no template. An admin creates a template with saveLeaderboard.`
    : ". An admin creates it with saveLeaderboard.";
  return new FirerankError("leaderboard_not_found", `There is no leaderboard "${leaderboard}"${advice}`);
}

/** The refusal of a call about one board that names a template. */
export class TemplateAsked extends FirerankError {
  constructor(template: string) {
    const message = `"${template}" is a template, and no leaderboard itself: name one of its boards, as in "${template}:1".`;
    super("leaderboard_not_found", message);
  }
}

export function isBoardNotFound(error: unknown): error is FirerankError {
  return error instanceof FirerankError && error.code === "leaderboard_not_found";
}

/** The `player_not_ranked` for every player of a season that was never published. */
export function nothingRankedYet(key: Record<"leaderboard" | "season", string>): FirerankError {
  return new FirerankError(
    "player_not_ranked",
    `Nothing is ranked yet in season "${key.season}" of leaderboard "${key.leaderboard}". Its first ranking is published soon after the first scores.`,
  );
}

export function invalidRequest(fields: FieldProblem[]): FirerankError {
  return aboutFields("invalid_request", fields);
}

export function invalidField(path: string, message: string): FirerankError {
  return invalidRequest([{ path, message }]);
}

export function outOfRange(path: string, message: string): FirerankError {
  return aboutFields("score_out_of_range", [{ path, message }]);
}

/**
 * The `unauthenticated` for a request that costs too much for callers who neither sign in nor send an App Check token.
 */
export function forKnownOnly(path: string, message: string): FirerankError {
  const advice = `${message}; sign in with Firebase Auth, or send an App Check token`;
  return aboutFields("unauthenticated", [{ path, message: advice }]);
}

/**
 * An error about one part of a request, as an error about the whole request: its paths begin with the part's path, as
 * in `submissions.3`.
 */
export function errorWithin(part: string, error: FirerankError): FirerankError {
  const { code, details, cause } = error;
  if (details.fields === undefined) return error;
  const fields = details.fields.map(({ path, message }) => ({
    path: path === "" ? part : `${part}.${path}`,
    message,
  }));
  return aboutFields(code, fields, details, cause);
}

function aboutFields(code: ErrorCode, fields: FieldProblem[], details?: ErrorDetails, cause?: unknown) {
  return new FirerankError(code, fields.map(problemText).join("; "), { ...details, fields }, cause);
}

function problemText({ path, message }: FieldProblem): string {
  return path === "" ? message : `${path}: ${message}`;
}

/** The first problem that a schema found, as one text. */
export function firstProblem({ issues: [first] }: ZodError): string {
  return first === undefined ? "it has another form" : problemText({ ...first, path: first.path.join(".") });
}
