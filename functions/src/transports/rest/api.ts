/** `api`: the REST interface, one function. What it loads, it loads with its first request and not with the others' code. */
import { type HttpsFunction, onRequest } from "firebase-functions/https";
import { maxInstances, memoryMib, region } from "../params.ts";
import type { Handle } from "./listener.ts";

let listening: Promise<Handle> | undefined;

/** The routes of `routes.ts`, described at `/openapi.json`. Costs what the callables behind them do. */
export const api: HttpsFunction = onRequest(
  // CORS is the app's own matter: the emulators would otherwise put theirs in front.
  { region, memory: memoryMib, maxInstances, timeoutSeconds: 60, cors: false },
  async (request, response) => {
    listening ??= import("./listener.ts").then(({ createListener }) => createListener());
    await (
      await listening
    )(request, response);
  },
);
