/** Errors in HTTP: each has a status, and a body with a code, a message and details. */
import { z } from "zod";
import { errorCodes, FirerankError } from "../../model/errors.ts";
import type { Log } from "../../world/services.ts";
import { refusalOf, statuses } from "../refusal.ts";

/** The body of every answer with a status from 400 on. */
export const errorSchema = z
  .object({
    error: z.object({
      code: z.enum([...errorCodes, "internal"]).describe("For programs."),
      message: z.string().describe("For people: which value is wrong, why, and what would be right."),
      details: z.object({
        fields: z
          .array(z.object({ path: z.string(), message: z.string() }))
          .optional()
          .describe("The invalid fields, each with its path, as in `columns.points`."),
        retry_after_seconds: z.number().optional(),
      }),
    }),
  })
  .meta({ id: "Error", description: "Why a request was refused." });

type ErrorBody = z.infer<typeof errorSchema>;

/** An error with the code `invalid_request` and an HTTP status of its own. */
export class HttpRefusal extends FirerankError {
  readonly status: 400 | 404 | 405 | 413 | 415;
  readonly headers: Record<string, string>;

  constructor(status: HttpRefusal["status"], message: string, headers: Record<string, string> = {}) {
    super("invalid_request", message);
    this.status = status;
    this.headers = headers;
  }
}

const challenge = 'Bearer realm="firerank"';

/**
 * The answer to a failed request. Errors that callers must not see are logged and not sent.
 * @param name the operation's name, for the log.
 */
export function errorResponse(log: Log, name: string, error: unknown): Response {
  const refusal = refusalOf(log, name, error);
  if (refusal === undefined)
    return respond(500, {
      code: "internal",
      message: "The request failed; the function's log says why.",
      details: {},
    });
  const { code, message, details } = refusal;
  const status = refusal instanceof HttpRefusal ? refusal.status : statuses[code].http;
  return respond(status, { code, message, details }, headersOf(refusal));
}

function headersOf(error: FirerankError): Record<string, string> {
  if (error instanceof HttpRefusal) return error.headers;
  const { retry_after_seconds: seconds } = error.details;
  return {
    ...(error.code === "unauthenticated" ? { "WWW-Authenticate": challenge } : {}),
    ...(seconds === undefined ? {} : { "Retry-After": String(Math.max(1, Math.ceil(seconds))) }),
  };
}

function respond(status: number, error: ErrorBody["error"], headers: Record<string, string> = {}): Response {
  return Response.json({ error }, { status, headers: { ...headers, "Cache-Control": "no-store" } });
}
