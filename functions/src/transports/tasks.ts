/** The task functions: a ranking run, a refresh of a top, a step of a repair or of a season's closing. */
import { onTaskDispatched, type TaskQueueOptions } from "firebase-functions/tasks";
import { stepEnd } from "../closing/step.ts";
import { isBoardNotFound } from "../model/errors.ts";
import { taskSecondsMax, topRefreshTaskSecondsMax } from "../model/limits.ts";
import { publishRanking } from "../ranking/run.ts";
import { stepRepair } from "../repair/repair.ts";
import { refreshTopWhenDue } from "../top/keep-live.ts";
import { closingRequest, repairRequest, runRequest, topRefreshRequest } from "../world/tasks.ts";
import { functionOptions } from "./function-options.ts";
import { runtimeServices } from "./runtime.ts";

const attempts = 3;

/** Options for work that may need most of an instance's memory: one at a time in an instance, but many instances. */
function largeTask(maxConcurrentDispatches: number): TaskQueueOptions {
  return {
    ...functionOptions,
    timeoutSeconds: taskSecondsMax,
    concurrency: 1,
    retryConfig: { maxAttempts: attempts, minBackoffSeconds: 10 },
    rateLimits: { maxConcurrentDispatches },
  };
}

/** One ranking run. A failed run is retried at once; the next slot's run makes up for it in any case. */
export const rankSeason = onTaskDispatched(largeTask(50), async ({ data }) => {
  try {
    await publishRanking(runtimeServices(), runRequest.parse(data));
  } catch (error) {
    // The season is parked now; a retry would not help.
    if (!isBoardNotFound(error)) throw error;
  }
});

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

/** Whether the queue retries a task that fails now. */
const isTriedAgain = (retryCount: number) => retryCount < attempts - 1;

/** One step of an audit or a repair. A killed step is retried from where its record says. */
export const repairSeasonStep = onTaskDispatched(largeTask(20), async ({ data, retryCount }) => {
  await stepRepair(runtimeServices(), repairRequest.parse(data), { retries: isTriedAgain(retryCount) });
});

/** One step of a season's closing. A killed step is retried from where its record says. */
export const closeSeasonStep = onTaskDispatched(largeTask(50), async ({ data, retryCount }) => {
  await stepEnd(runtimeServices(), closingRequest.parse(data), { retries: isTriedAgain(retryCount) });
});
