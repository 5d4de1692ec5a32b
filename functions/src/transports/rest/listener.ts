/** The REST interface between Node's HTTP and the process's services. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { enforceAppCheck } from "../params.ts";
import { runtimeServices } from "../runtime.ts";
import { createApp } from "./app.ts";
import { errorResponse, HttpRefusal } from "./errors.ts";
import { firebaseTokens } from "./tokens.ts";

/** Answers a request; what the Functions Framework has read of its body is taken from `rawBody`. */
export type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export function createListener(): Handle {
  const services = runtimeServices();
  const app = createApp({ services, tokens: firebaseTokens, enforceAppCheck: () => enforceAppCheck.value() });
  return getRequestListener(app.fetch, {
    // The other functions share the process with this one on the emulators, and keep Node's own Request.
    overrideGlobalObjects: false,
    // What is no request at all, such as one without a host.
    errorHandler: (error) => errorResponse(services.log, "api", new HttpRefusal(400, String(error))),
  });
}
