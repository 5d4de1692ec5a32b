/** The OpenAPI 3.1 description of the operations, made of the schemas that check their requests and answers. */
import { z } from "zod";
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponsesObject,
} from "zod-openapi";
import type { ErrorCode } from "../model/errors.ts";
import { errorSchema, statuses } from "./errors.ts";
import type { Operation } from "./operation.ts";

/** Of all operations; each operation's refusals are listed beside its statuses. */
export function describe(operations: readonly Operation[]): object {
  const paths: ZodOpenApiPathsObject = {};
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: describeOne(operation) };
  }
  return createDocument({
    openapi: "3.1.1",
    info: { title: "Firerank", version: "1", description: info },
    servers: [{ url: ".", description: "Where this description was found." }],
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
  });
}

const info = `Leaderboards with exact ranks. Public boards may be read by everybody; anything else needs a Firebase ID token.
Where the deployer enforces App Check, requests of players carry a token of it in \`X-Firebase-AppCheck\`.`;

function describeOne(operation: Operation): ZodOpenApiOperationObject {
  const { name, summary, description, method, inPath, inQuery, inBody } = operation;
  return {
    operationId: name,
    summary,
    ...(description === undefined ? {} : { description }),
    ...(method === "post" ? { security: [{ id_token: [] }] } : {}),
    requestParams: { path: z.object(inPath), query: z.object(inQuery) },
    ...(inBody === undefined
      ? {}
      : { requestBody: { required: true, content: { "application/json": { schema: inBody } } } }),
    responses: responsesOf(operation),
  };
}

function responsesOf({ answer, refusals, inBody, keep }: Operation): ZodOpenApiResponsesObject {
  const codes: ErrorCode[] = ["invalid_request", "unauthenticated", ...refusals, "contention"];
  const byStatus = Map.groupBy(new Set(codes), (code) => statuses[code]);
  const responses: ZodOpenApiResponsesObject = {
    200: { description: "The answer.", content: { "application/json": { schema: answer } } },
    500: refusal("`internal`: the function's log says why."),
  };
  for (const [status, list] of byStatus) {
    responses[`${status as 400}`] = refusal(list.map((code) => `\`${code}\``).join(" · "));
  }
  if (keep !== "never")
    responses["304"] = { description: "The answer is still the one with the ETag in `If-None-Match`." };
  if (inBody !== undefined) {
    responses["413"] = refusal("`invalid_request`: the body is too large.");
    responses["415"] = refusal("`invalid_request`: the body is not application/json.");
  }
  return responses;
}

function refusal(description: string) {
  return { description, content: { "application/json": { schema: errorSchema } } };
}
