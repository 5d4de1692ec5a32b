/** The task functions: a ranking run, a refresh of a top, a step of a repair or of a season's closing. */
import { onTaskDispatched, type TaskQueueOptions } from "firebase-functions/tasks";
import { stepEnd } from "../closing/step.ts";
import { isBoardNotFound } from "../model/errors.ts";
import { taskSecondsMax, topRefreshTaskSecondsMax } from "../model/limits.ts";
import { labels } from "../model/version.ts";
import { publishRanking } from "../ranking/run.ts";
import { stepRepair } from "../repair/repair.ts";
import { refreshTopWhenDue } from "../top/keep-live.ts";
import { closingRequest, repairRequest, runRequest, topRefreshRequest } from "../world/tasks.ts";
import { memoryMib, region } from "./params.ts";
import { runtimeServices } from "./runtime.ts";

/** One ranking run. A failed run is retried at once; the next slot's run makes up for it in any case. */
export const rankSeason = onTaskDispatched(
  {
    region,
    labels,
    memory: memoryMib,
    timeoutSeconds: taskSecondsMax,
    // A fold may need most of an instance's memory: one at a time in an instance, but many instances.
    concurrency: 1,
    retryConfig: { maxAttempts: 3, minBackoffSeconds: 10 },
    rateLimits: { maxConcurrentDispatches: 50 },
  },
  async ({ data }) => {
    try {
      await publishRanking(runtimeServices(), runRequest.parse(data));
    } catch (error) {
      // The season is parked now; a retry would not help.
      if (!isBoardNotFound(error)) throw error;
    }
  },
);

/** Refreshes of one instance at once: each may hold a thousand players of a few KB. */
const topRefreshConcurrency = 10;

/** One refresh of a top. A failed one is retried at once; the next change or publication makes up for it. */
export const refreshTop = onTaskDispatched(
  {
    region,
    labels,
    memory: memoryMib,
    timeoutSeconds: topRefreshTaskSecondsMax,
    concurrency: topRefreshConcurrency,
    retryConfig: { maxAttempts: 3, minBackoffSeconds: 1 },
    rateLimits: { maxConcurrentDispatches: 200 },
  },
  async ({ data }) => {
    await refreshTopWhenDue(runtimeServices(), topRefreshRequest.parse(data));
  },
);

const stepAttempts = 3;

/** Options for steps of long work on a season: each may need most of an instance's memory, so one at a time. */
function stepOptions(maxConcurrentDispatches: number): TaskQueueOptions {
  return {
    region,
    labels,
    memory: memoryMib,
    timeoutSeconds: taskSecondsMax,
    concurrency: 1,
    retryConfig: { maxAttempts: stepAttempts, minBackoffSeconds: 10 },
    rateLimits: { maxConcurrentDispatches },
  };
}

/** Whether the queue retries a task that fails now. */
const isTriedAgain = (retryCount: number) => retryCount < stepAttempts - 1;

/** One step of an audit or a repair. A killed step is retried from where its record says. */
export const repairSeasonStep = onTaskDispatched(stepOptions(20), async ({ data, retryCount }) => {
  await stepRepair(runtimeServices(), repairRequest.parse(data), { retries: isTriedAgain(retryCount) });
});

/** One step of a season's closing. A killed step is retried from where its record says. */
export const closeSeasonStep = onTaskDispatched(stepOptions(50), async ({ data, retryCount }) => {
  await stepEnd(runtimeServices(), closingRequest.parse(data), { retries: isTriedAgain(retryCount) });
});
