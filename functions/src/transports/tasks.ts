/** The task functions: a step of a season's work, a refresh of a top. */
import { onTaskDispatched } from "firebase-functions/tasks";
import { stepSeason as step } from "../jobs/schedule.ts";
import { taskSecondsMax, topRefreshTaskSecondsMax } from "../model/limits.ts";
import { refreshTopWhenDue } from "../top/keep-live.ts";
import { jobRequest, topRefreshRequest } from "../world/tasks.ts";
import { functionOptions, runtimeServices } from "./runtime.ts";

const attempts = 3;

/**
 * One step of a season's work: a ranking run, or a step of its end, of an audit or a repair. It may need most of an
 * instance's memory: one at a time in an instance, but many instances. A killed step is retried from where its record says.
 */
export const stepSeason = onTaskDispatched(
  {
    ...functionOptions,
    timeoutSeconds: taskSecondsMax,
    concurrency: 1,
    retryConfig: { maxAttempts: attempts, minBackoffSeconds: 10 },
    rateLimits: { maxConcurrentDispatches: 100 },
  },
  async ({ data, retryCount }) => {
    await step(runtimeServices(), jobRequest.parse(data), { retries: retryCount < attempts - 1 });
  },
);

/** One refresh of a top. A failed one is retried at once; the next change or publication makes up for it. */
export const refreshTop = onTaskDispatched(
  {
    ...functionOptions,
    timeoutSeconds: topRefreshTaskSecondsMax,
    // Each may hold a thousand players of a few KB.
    concurrency: 10,
    retryConfig: { maxAttempts: attempts, minBackoffSeconds: 1 },
    rateLimits: { maxConcurrentDispatches: 200 },
  },
  async ({ data }) => {
    await refreshTopWhenDue(runtimeServices(), topRefreshRequest.parse(data));
  },
);
