/** What is done when a queue says so: a ranking run, a refresh of a top, a step of a repair or of a season's end. */
import { onTaskDispatched, type TaskQueueOptions } from "firebase-functions/tasks";
import { stepEnd } from "../closing/step.ts";
import { isBoardNotFound } from "../model/errors.ts";
import { taskSecondsMax, topRefreshConcurrency, topRefreshTaskSecondsMax } from "../model/limits.ts";
import { publishRanking } from "../ranking/run.ts";
import { stepRepair } from "../repair/repair.ts";
import { refreshTopWhenDue } from "../top/keep-live.ts";
import { closingRequest, repairRequest, runRequest, topRefreshRequest } from "../world/tasks.ts";
import { memoryMib, region } from "./params.ts";
import { runtimeServices } from "./runtime.ts";

/** One ranking run. A failed one is tried again at once, and by the next slot's run in any case. */
export const rankSeason = onTaskDispatched(
  {
    region,
    memory: memoryMib,
    timeoutSeconds: taskSecondsMax,
    // A fold may need most of the memory: one at a time in an instance, many instances.
    concurrency: 1,
    retryConfig: { maxAttempts: 3, minBackoffSeconds: 10 },
    rateLimits: { maxConcurrentDispatches: 50 },
  },
  async ({ data }) => {
    try {
      await publishRanking(runtimeServices(), runRequest.parse(data));
    } catch (error) {
      // The season is parked now; another attempt would find the same.
      if (!isBoardNotFound(error)) throw error;
    }
  },
);

/** One refresh of a top. A failed one is tried again at once, and the next change or publication makes up for it. */
export const refreshTop = onTaskDispatched(
  {
    region,
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

/** How steps of long work on a season are done: each may need most of the memory, so one at a time in an instance. */
function stepOptions(maxConcurrentDispatches: number): TaskQueueOptions {
  return {
    region,
    memory: memoryMib,
    timeoutSeconds: taskSecondsMax,
    concurrency: 1,
    retryConfig: { maxAttempts: stepAttempts, minBackoffSeconds: 10 },
    rateLimits: { maxConcurrentDispatches },
  };
}

/** Whether the queue comes again with a task that fails now. */
const isTriedAgain = (retryCount: number) => retryCount < stepAttempts - 1;

/** One step of an audit, sweep or rebuild. A killed one is tried again from where its record says it was. */
export const repairSeasonStep = onTaskDispatched(stepOptions(20), async ({ data, retryCount }) => {
  await stepRepair(runtimeServices(), repairRequest.parse(data), { retries: isTriedAgain(retryCount) });
});

/** One step of a season's end. A killed one is tried again from where its record says it was. */
export const closeSeasonStep = onTaskDispatched(stepOptions(50), async ({ data, retryCount }) => {
  await stepEnd(runtimeServices(), closingRequest.parse(data), { retries: isTriedAgain(retryCount) });
});
