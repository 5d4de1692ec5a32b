/**
 * The REST interface as one function from request to response: the routes of `routes.ts`, and what all routes share.
 * A request's path, query and body become the request of a callable; the callable's answer becomes the body.
 */
import { type Context, Hono } from "hono";
import { cors } from "hono/cors";
import { etag, RETAINED_304_HEADERS } from "hono/etag";
import { methodNotAllowed } from "hono/method-not-allowed";
import { invalidRequest } from "../../model/errors.ts";
import { restBodyBytesMax } from "../../model/limits.ts";
import type { Services } from "../../world/services.ts";
import { callerOf, refuseIfAppNeeded } from "./access.ts";
import { cachingOf } from "./caching.ts";
import { describeRoutes } from "./description.ts";
import { errorResponse, HttpRefusal } from "./errors.ts";
import { type Route, routes } from "./routes.ts";
import { readQuery, refuseJoined } from "./query.ts";
import { withWholeNumbers } from "./whole-numbers.ts";
import type { Tokens } from "./tokens.ts";

interface AppParts {
  services: Services;
  tokens: Tokens;
  enforceAppCheck: () => boolean;
}

const exposed = ["ETag", "Retry-After"];
const corsHeaders = ["Access-Control-Allow-Origin", "Access-Control-Expose-Headers"];

/** A route costs the same as its operation; `/openapi.json` and invalid requests cost nothing. */
export function createApp(parts: AppParts): Hono {
  const app = new Hono();
  app.use(
    cors({
      origin: "*",
      allowMethods: ["GET", "HEAD", "POST"],
      allowHeaders: ["Authorization", "Content-Type", "If-None-Match", "X-Firebase-AppCheck"],
      exposeHeaders: exposed,
      maxAge: 86_400,
    }),
  );
  app.use(etag({ weak: true, retainedHeaders: [...RETAINED_304_HEADERS, ...corsHeaders] }));
  const refuse = (error: unknown) => errorResponse(parts.services.log, "leaderboardApi", error);
  app.use(
    methodNotAllowed({
      app,
      onMethodNotAllowed({ req }, methods) {
        const allowed = [...methods, "OPTIONS"].join(", ");
        const message = `${req.path} takes ${allowed}, and not ${req.method}.`;
        return refuse(new HttpRefusal(405, message, { Allow: allowed }));
      },
    }),
  );
  for (const route of routes) {
    const path = route.path.replace(/\{(\w+)\}/g, ":$1");
    app.on(route.method.toUpperCase(), path, (context) => serve(parts, route, context));
  }
  let description: object | undefined;
  app.get("/openapi.json", (context) => {
    description ??= describeRoutes(routes);
    return context.json(description, 200, { "Cache-Control": "public, max-age=3600" });
  });
  app.notFound(({ req }) =>
    refuse(new HttpRefusal(404, `There is no ${req.path}; /openapi.json lists all paths.`)),
  );
  app.onError(refuse);
  return app;
}

async function serve(
  { services, tokens, enforceAppCheck }: AppParts,
  route: Route,
  { req }: Context,
): Promise<Response> {
  try {
    const caller = await callerOf(services, tokens, req.header("Authorization"));
    const body = route.inBody === undefined ? {} : await bodyOf(req, route);
    const { search } = new URL(req.url);
    const query = readQuery(route.inQuery, search);
    const data = { ...body, ...query, ...req.param() };
    const appToken = req.header("X-Firebase-AppCheck");
    // The token of a caller with a role is not checked, as it would change nothing.
    const isApp = appToken !== undefined && caller?.role === undefined && (await tokens.isApp(appToken));
    const lacksApp = enforceAppCheck() && !isApp;
    if (lacksApp) await refuseIfAppNeeded(services, route, data, caller);
    const isKnown = isApp || caller?.role !== undefined || (caller !== undefined && !lacksApp);
    const answer = await route.respond(services, data, caller, isKnown);
    if (isEmptyList(answer)) refuseJoined(route.inQuery, search);
    return Response.json(answer, { headers: await cachingOf(services, route, data, answer) });
  } catch (error) {
    return errorResponse(services.log, route.name, error);
  }
}

function isEmptyList(answer: unknown): boolean {
  return (answer as { entries?: unknown[] }).entries?.length === 0;
}

async function bodyOf(req: Context["req"], { inPath, inBody }: Route): Promise<Record<string, unknown>> {
  const type = req.header("Content-Type") ?? "";
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    throw new HttpRefusal(415, `The body must have the Content-Type application/json, and not "${type}".`);
  }
  const text = await req.text();
  if (Buffer.byteLength(text) > restBodyBytesMax) {
    throw new HttpRefusal(413, `The body must have at most ${restBodyBytesMax} bytes.`);
  }
  const body = withWholeNumbers(inBody, parsed(text));
  const inBoth = Object.keys(body).filter((name) => Object.hasOwn(inPath, name));
  if (inBoth.length === 0) return body;
  throw invalidRequest(inBoth.map((path) => ({ path, message: "belongs in the path, not in the body" })));
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch (error) {
    throw new HttpRefusal(400, `The body is not JSON: ${(error as Error).message}`);
  }
  throw new HttpRefusal(400, "The body must be a JSON object.");
}
