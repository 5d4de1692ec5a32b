/** What the REST interface knows of each operation: enough to serve it, and to describe it. */
import type { z } from "zod";
import type { ErrorCode } from "../../model/errors.ts";
import type { Services } from "../../operations/services.ts";
import { answer, type Caller, type CallableSpec } from "../../operations/spec.ts";
import type { Parameters } from "./query.ts";

/**
 * How long an answer holds: `top` for as long as a live top may lag behind, `ranking` until the next publication,
 * `now` for no time, so that it is asked for again each time, by its `ETag`; `never` is not to be kept at all.
 */
export type Keep = "top" | "ranking" | "now" | "never";

export interface Operation {
  method: "get" | "post";
  /** With its parameters in braces, as OpenAPI writes it. */
  path: string;
  /** Its `operationId`. */
  name: string;
  summary: string;
  description?: string;
  /** Schemas of what stands in the path, in the query string, and in a JSON body; together they are the request. */
  inPath: Parameters;
  inQuery: Parameters;
  inBody?: z.ZodType;
  answer: z.ZodType;
  /** Codes that callers may meet, beside those of every operation. */
  refusals: readonly ErrorCode[];
  keep: Keep;
  /** Answers a request that has the fields of path, query and body. @throws FirerankError */
  respond: (
    services: Services,
    data: Record<string, unknown>,
    caller: Caller | undefined,
    isApp: boolean,
  ) => Promise<unknown>;
}

/** An operation that a callable's spec answers. */
export function operationOf<Schema extends z.ZodType, Answer>(
  spec: CallableSpec<Schema, Answer>,
  operation: Omit<Operation, "answer" | "respond">,
): Operation {
  if (spec.answer === undefined) throw new Error(`${spec.name} does not say what it answers`);
  return {
    ...operation,
    answer: spec.answer,
    respond: (services, data, caller, isApp) => answer(spec, services, data, caller, isApp),
  };
}
