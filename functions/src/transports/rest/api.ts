/**
 * `leaderboardApi`: the REST interface as one function. It loads its code with the first request, so the other
 * functions do not load it.
 */
import { type HttpsFunction, onRequest } from "firebase-functions/https";
import { submissionsAtOnceMax } from "../../model/limits.ts";
import { maxInstances } from "../params.ts";
import { functionOptions } from "../runtime.ts";
import type { Handle } from "./listener.ts";

let listening: Promise<Handle> | undefined;

/** Serves the routes of `routes.ts`, described at `/openapi.json`. Routes cost the same as their callables. */
export const leaderboardApi: HttpsFunction = onRequest(
  // The app handles CORS itself: otherwise the emulators would handle it first.
  {
    ...functionOptions,
    maxInstances,
    concurrency: submissionsAtOnceMax,
    timeoutSeconds: 60,
    cors: false,
  },
  async (request, response) => {
    listening ??= import("./listener.ts").then(({ createListener }) => createListener());
    const handle = await listening;
    await handle(request, response);
  },
);
