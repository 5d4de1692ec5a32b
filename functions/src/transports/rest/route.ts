/** A route of the REST interface: enough to serve it, and to describe it. */
import { z } from "zod";
import type { ErrorCode } from "../../model/errors.ts";
import type { Services } from "../../operations/services.ts";
import type { Caller, OperationName } from "../../operations/access.ts";
import { answer, type OperationSpec } from "../../operations/spec.ts";
import { type Parameters, required } from "./query.ts";

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
  name: OperationName;
  summary: string;
  description?: string;
  /** The schemas of the path, the query string and the JSON body; together they make the request. */
  inPath: Parameters;
  inQuery: Parameters;
  inBody?: z.ZodType;
  answer: z.ZodType;
  /** The route's error codes, beside those of every route. */
  refusals: readonly ErrorCode[];
  keep: Keep;
  /** Answers a request that has the fields of path, query and body. @throws FirerankError */
  respond: (
    services: Services,
    data: Record<string, unknown>,
    caller: Caller | undefined,
    isKnown: boolean,
  ) => Promise<unknown>;
}

type Described = Pick<Route, "path" | "summary" | "description" | "keep">;
type Optional = Partial<Pick<Route, "method" | "refusals">> & {
  /** Fields of the operation's request that the route does not take. */
  leftOut?: readonly string[];
};

/**
 * A route that an operation's spec answers. What the path does not name of the request is in the query, or in the body of
 * a POST.
 */
export function routeOf<Schema extends z.ZodObject, Answer>(
  spec: OperationSpec<Schema, Answer>,
  { method = "get", leftOut = [], refusals = [], ...described }: Described & Optional,
): Route {
  const { name, request } = spec;
  if (spec.answer === undefined || typeof request === "function")
    throw new Error(`${name} lacks a schema for its request or its answer`);
  const fields = Object.entries<z.ZodType>(request.shape);
  const named = fields.filter(([field]) => described.path.includes(`{${field}}`));
  const others = fields.filter((one) => !named.includes(one) && !leftOut.includes(one[0]));
  return {
    ...described,
    method,
    name,
    answer: spec.answer,
    inPath: Object.fromEntries(named.map(([field, schema]) => [field, required(schema)])),
    inQuery: method === "get" ? Object.fromEntries(others) : {},
    ...(method === "get" ? {} : { inBody: z.strictObject(Object.fromEntries(others)) }),
    refusals: [
      ...("leaderboard" in request.shape ? (["leaderboard_not_found"] as const) : []),
      ...("season" in request.shape ? (["season_not_found"] as const) : []),
      ...refusals,
    ],
    respond: (services, data, caller, isKnown) =>
      answer({ ...spec, isStrict: true }, services, data, caller, isKnown),
  };
}
