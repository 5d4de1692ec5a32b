/** The OpenAPI 3.1 description of the routes, made from the schemas that check their requests and answers. */
import { z } from "zod";
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
  type ZodOpenApiResponsesObject,
} from "zod-openapi";
import { type ErrorCode, errorCodes } from "../../model/errors.ts";
import { eventKinds } from "../../model/event-kinds.ts";
import { statuses } from "../refusal.ts";
import { errorSchema } from "./errors.ts";
import type { Route } from "./routes.ts";
import { asWritten } from "./query.ts";

/** The description of all routes. Each status lists the error codes that its answers may have. */
export function describeRoutes(routes: readonly Route[]): object {
  const paths: ZodOpenApiPathsObject = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: describeOne(route) };
  }
  return createDocument(
    {
      openapi: "3.1.1",
      info: { title: "Firerank", version: "1", description: info },
      servers: [{ url: ".", description: "The server of this description." }],
      security: [{}, { id_token: [] }],
      paths,
      components: {
        securitySchemes: {
          id_token: {
            type: "http",
            scheme: "bearer",
            bearerFormat: "JWT",
            description: "A Firebase ID token.",
          },
        },
      },
    },
    { override: simplify },
  );
}

/**
 * Adapts a schema to generators of clients. Without a format, Go's generator takes a number for a float32, which cannot
 * hold 16777219, and Java's takes a whole number for an int of 32 bits. Java has no type for a boolean that is always
 * true or false. Answers may get new fields and new forms of texts, so the schemas of answers do not forbid them. A
 * pattern that repeats a format is left out.
 *
 * Error codes and kinds of events may get more in a minor version (docs/upgrading.md). In answers they are texts, and known
 * ones only named: openapi-generator's clients in Python would take no list of boards with a kind that they do not know.
 */
function simplify({ jsonSchema, io }: { jsonSchema: z.core.JSONSchema.BaseSchema; io: "input" | "output" }) {
  const { type, minimum = -Infinity, maximum = Infinity } = jsonSchema;
  if (type === "number") jsonSchema.format = "double";
  if (type === "integer") jsonSchema.format = minimum >= -(2 ** 31) && maximum < 2 ** 31 ? "int32" : "int64";
  if (type === "boolean") delete jsonSchema.const;
  if (io === "output" && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  if (io === "output" || jsonSchema.format === "date-time") delete jsonSchema.pattern;
  if (io === "output" && growing.some((words) => words.every((word) => jsonSchema.enum?.includes(word)))) {
    jsonSchema["x-extensible-enum"] = jsonSchema.enum;
    delete jsonSchema.enum;
  }
}

const growing: readonly (readonly string[])[] = [errorCodes, eventKinds];

const info = `Leaderboards with exact ranks. Everybody may read public boards; anything else needs a Firebase ID token.
If the deployer enforces App Check, players' requests need an App Check token in \`X-Firebase-AppCheck\`.
A map in a query is written \`columns=points:3&columns=goals:7\`. New fields may be added to answers.`;

function describeOne(route: Route): ZodOpenApiOperationObject {
  const { name, summary, description, method, inPath, inQuery, inBody } = route;
  return {
    operationId: name,
    summary,
    ...(description === undefined ? {} : { description }),
    ...(method === "post" ? { security: [{ id_token: [] }] } : {}),
    requestParams: { path: z.object(inPath), query: z.object(asWritten(inQuery)) },
    ...(inBody === undefined
      ? {}
      : { requestBody: { required: true, content: { "application/json": { schema: inBody } } } }),
    responses: responsesOf(route),
  };
}

function responsesOf({ answer, method, refusals, inBody, keep }: Route): ZodOpenApiResponsesObject {
  const codes: ErrorCode[] = [
    "invalid_request",
    "unauthenticated",
    "app_check_missing",
    ...refusals,
    "contention",
    "unknown_schema_version",
  ];
  const byStatus = Map.groupBy(new Set(codes), (code) => statuses[code].http);
  const kept = keep === "never" ? {} : { headers: keptHeaders };
  const responses: ZodOpenApiResponsesObject = {
    "200": { description: "The answer.", ...kept, content: { "application/json": { schema: answer } } },
    "500": refusal(`\`internal\`: the function's log says why.${method === "post" ? mayHaveCounted : ""}`),
    ...(method === "post" ? { "502": byOthers, "504": byOthers } : {}),
  };
  for (const [status, list] of byStatus) {
    const byPlatform = inBody !== undefined && status === statuses.invalid_request.http;
    const named = list.map((code) => `\`${code}\``).join(" · ");
    responses[`${status as 400}`] = refusal(named, { headers: refusalHeaders[status], byPlatform });
  }
  if (keep !== "never") {
    responses["304"] = {
      description: "Unchanged: the answer still has the ETag of `If-None-Match`.",
      ...kept,
    };
  }
  if (inBody !== undefined) {
    responses["413"] = refusal("`invalid_request`: the body is too large.");
    responses["415"] = refusal("`invalid_request`: the body is not application/json.", { byPlatform: true });
  }
  return responses;
}

const mayHaveCounted =
  " The score may have been recorded: a request with a `submission_id` may be repeated as it is, and counts once while that is among the player's last 20.";

/** By its numbers: `5XX` is valid too, but oazapfts 7.5 makes of it TypeScript that does not compile. */
const byOthers: ZodOpenApiResponseObject = {
  description: `A server on the way could not reach the function, or lost its answer.${mayHaveCounted}`,
  content: { "text/html": { schema: z.string() } },
};

/** @param byPlatform whether Cloud Functions itself may refuse an undecodable body before the function sees it. */
function refusal(
  description: string,
  { headers = {}, byPlatform = false }: { headers?: Headers; byPlatform?: boolean } = {},
): ZodOpenApiResponseObject {
  const json = { "application/json": { schema: errorSchema } };
  if (!byPlatform) return { description, headers, content: json };
  return {
    description: `${description} In HTML if the body cannot be decoded, for example because it is not JSON.`,
    headers,
    content: { ...json, "text/html": { schema: z.string() } },
  };
}

type Headers = ZodOpenApiResponseObject["headers"];

const header = (description: string) => ({ description, schema: { type: "string" as const } });

const keptHeaders = {
  ETag: header("For `If-None-Match`."),
  "Cache-Control": header("How long the answer may be cached, and by which caches."),
};

const refusalHeaders: Record<number, Headers> = {
  401: { "WWW-Authenticate": header("A `Bearer` challenge.") },
  429: { "Retry-After": header("Seconds to wait, if waiting helps.") },
};
