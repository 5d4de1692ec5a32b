/** What is done when a queue says so: a ranking run, a refresh of a top, a step of a repair or of a season's end. */
import { onTaskDispatched } from "firebase-functions/tasks";
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

const repairTaskAttempts = 3;

/** One step of an audit, sweep or rebuild. A killed one is tried again from where its record says it was. */
export const repairSeasonStep = onTaskDispatched(
  {
    region,
    memory: memoryMib,
    timeoutSeconds: taskSecondsMax,
    // A rebuild may need most of the memory: one at a time in an instance, many instances.
    concurrency: 1,
    retryConfig: { maxAttempts: repairTaskAttempts, minBackoffSeconds: 10 },
    rateLimits: { maxConcurrentDispatches: 20 },
  },
  async ({ data, retryCount }) => {
    const retries = retryCount < repairTaskAttempts - 1;
    await stepRepair(runtimeServices(), repairRequest.parse(data), { retries });
  },
);

const closingTaskAttempts = 3;

/** One step of a season's end. A killed one is tried again from where its record says it was. */
export const closeSeasonStep = onTaskDispatched(
  {
    region,
    memory: memoryMib,
    timeoutSeconds: taskSecondsMax,
    // A thousand players of a few KB are read ahead, and a repair may need most of the memory: one at a time.
    concurrency: 1,
    retryConfig: { maxAttempts: closingTaskAttempts, minBackoffSeconds: 10 },
    rateLimits: { maxConcurrentDispatches: 50 },
  },
  async ({ data, retryCount }) => {
    const retries = retryCount < closingTaskAttempts - 1;
    await stepEnd(runtimeServices(), closingRequest.parse(data), { retries });
  },
);
