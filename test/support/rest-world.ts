/** The REST interface in its own world: requests to the app itself, with the callers' names as tokens. */
import { FirerankError } from "../../functions/src/model/errors.ts";
import { createApp } from "../../functions/src/transports/rest/app.ts";
import { createServerCheck } from "../../functions/src/transports/rest/server-tokens.ts";
import { audience, keys } from "./server-tokens.ts";
import { createWorld, type World } from "./world.ts";

export interface RestWorld extends World {
  /** Whether App Check is enforced; the only valid token is `app`. */
  enforceAppCheck: boolean;
  /**
   * Sends a request as a caller: `admin` and `moderator` have these roles, a token of `server-tokens.ts` is a server's, `bad` has a token that is not valid, nobody has none.
   * @param body of a POST, sent as JSON unless it is text.
   */
  send(
    method: string,
    path: string,
    more?: { as?: string; body?: unknown; headers?: Record<string, string> },
  ): Promise<Response>;
  get(path: string, as?: string, headers?: Record<string, string>): Promise<Response>;
}

export function createRestWorld(): RestWorld {
  const world = createWorld();
  const app = createApp({
    services: world.services,
    tokens: {
      async caller(token) {
        if (token === "broken") throw new Error("the keys could not be fetched");
        if (token === "bad") throw new FirerankError("unauthenticated", "The ID token is not valid.");
        return { uid: token, ...(token === "admin" || token === "moderator" ? { role: token } : {}) };
      },
      server: createServerCheck(() => audience, keys),
      isApp: async (token) => token === "app",
    },
    enforceAppCheck: () => rest.enforceAppCheck,
  });
  const rest: RestWorld = {
    ...world,
    enforceAppCheck: false,
    async send(method, path, { as, body, headers = {} } = {}) {
      return app.request(path, {
        method,
        headers: {
          ...(as === undefined ? {} : { Authorization: `Bearer ${as}` }),
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      });
    },
    get: (path, as, headers = {}) => rest.send("GET", path, { ...(as === undefined ? {} : { as }), headers }),
  };
  return rest;
}

/** What the tests read of an answer, also of a callable's: its status, and the code and the fields of an error. */
export async function outcomeOf(
  response: Response,
): Promise<{ status: number; code?: string; paths?: string[] }> {
  const { error } = (await response.json()) as {
    error?: { code?: string; details: { code: string; fields?: { path: string }[] } };
  };
  if (error === undefined) return { status: response.status };
  const { details, code = details.code } = error;
  const paths = details.fields?.map(({ path }) => path);
  return { status: response.status, code, ...(paths === undefined ? {} : { paths }) };
}
