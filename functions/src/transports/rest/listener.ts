/** Connects the REST interface to Node's HTTP and to the process's services. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { isAppCheckEnforced } from "../on-emulator.ts";
import { runtimeServices } from "../runtime.ts";
import { createApp } from "./app.ts";
import { errorResponse, HttpRefusal } from "./errors.ts";
import { firebaseTokens } from "./tokens.ts";

/** Answers a request. If the Functions Framework has already read the body, the body is taken from `rawBody`. */
export type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export function createListener(): Handle {
  const services = runtimeServices();
  const app = createApp({ services, tokens: firebaseTokens, enforceAppCheck: isAppCheckEnforced });
  return getRequestListener(app.fetch, {
    // On the emulators other functions share this process, and need Node's own Request.
    overrideGlobalObjects: false,
    // For invalid requests, such as one without a host.
    errorHandler: (error) =>
      errorResponse(services.log, "leaderboardApi", new HttpRefusal(400, String(error))),
  });
}
