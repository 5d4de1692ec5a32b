/** A route of the REST interface: enough to serve it, and to describe it. */
import type { z } from "zod";
import type { ErrorCode } from "../../model/errors.ts";
import type { Services } from "../../operations/services.ts";
import { answer, type Caller, type OperationSpec } from "../../operations/spec.ts";
import type { Parameters } from "./query.ts";

/**
 * How long caches may keep an answer: `top` as long as a live top may lag behind, `ranking` until the next publication;
 * `now` must be revalidated each time, by its `ETag`; `never` must not be stored at all. Answers about a closed season
 * are kept longer: see caching.ts.
 */
export type Keep = "top" | "ranking" | "now" | "never";

export interface Route {
  method: "get" | "post";
  /** With its parameters in braces, as OpenAPI writes it. */
  path: string;
  /** Its `operationId`. */
  name: string;
  summary: string;
  description?: string;
  /** The schemas of the path, the query string and the JSON body; together they make the request. */
  inPath: Parameters;
  inQuery: Parameters;
  inBody?: z.ZodType;
  answer: z.ZodType;
  access: OperationSpec<never, unknown>["access"];
  /** The route's error codes, beside those of every route. */
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

/** A route that an operation's spec answers. */
export function routeOf<Schema extends z.ZodType, Answer>(
  spec: OperationSpec<Schema, Answer>,
  route: Omit<Route, "answer" | "access" | "respond">,
): Route {
  if (spec.answer === undefined) throw new Error(`${spec.name} has no schema for its answer`);
  return {
    ...route,
    answer: spec.answer,
    access: spec.access,
    respond: (services, data, caller, isApp) => answer(spec, services, data, caller, isApp),
  };
}
