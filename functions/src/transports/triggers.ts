/** The functions that start automatically: on a write of a player's document, every minute, and as tasks. */
import { onDocumentWritten } from "firebase-functions/firestore";
import { onSchedule } from "firebase-functions/scheduler";
import { onTaskDispatched } from "firebase-functions/tasks";
import { changedPlayer, versionOf } from "../counting/changed-player.ts";
import { followPlayer } from "../counting/follow-player.ts";
import { enqueueDue, stepSeason as step } from "../jobs/schedule/schedule.ts";
import { queueLimits, taskSecondsMax, topRefreshTaskSecondsMax } from "../model/limits.ts";
import { refreshTopWhenDue } from "../top/keep-live.ts";
import { jobRequest, topRefreshRequest } from "../world/tasks.ts";
import { onEmulator } from "./on-emulator.ts";
import { database, directWrites } from "./params.ts";
import { functionOptions, runtimeServices } from "./runtime.ts";

/**
 * The net for servers that write players' documents by themselves; of our own writes it does nothing. It is left out of a
 * deployment where `DIRECT_WRITES` is false. Retried for a day: a late or repeated event does no harm.
 *
 * Its events take a millisecond or two of a processor, but are billed by tenths of a second. So it has a sixth of a
 * processor, and one event at a time: at 10 events a second that is less than a third of what an instance with a whole
 * processor costs, and up to 53 a second it is not more (docs/costs.md has the sum).
 */
export const indexPlayer = onDocumentWritten(
  {
    document: "leaderboards/{leaderboard}/seasons/{season}/players/{player}",
    database,
    ...functionOptions,
    memory: "256MiB",
    cpu: "gcf_gen1",
    concurrency: 1,
    retry: true,
    omit: directWrites.equals(false),
  },
  async ({ params: { leaderboard, season, player }, data, time }) => {
    const write = {
      before: versionOf(data?.before),
      after: versionOf(data?.after),
      // The emulators tell the second in which it was written.
      atMs: Date.parse(time) + (onEmulator() ? 999 : 0),
    };
    await followPlayer(runtimeServices(), { leaderboard, season }, changedPlayer(data, player), write);
  },
);

/**
 * Enqueues, every minute, what is due of each season: a run, a step of its end, and once a day an audit. It fails, and is
 * tried again, only where no request of a kind succeeded.
 */
export const rankSeasons = onSchedule(
  { ...functionOptions, schedule: "* * * * *", timeoutSeconds: 540, retryCount: 3 },
  async () => {
    await enqueueDue(runtimeServices());
  },
);

/**
 * One step of a season's work: a ranking run, or a step of its end, of an audit or a repair. It may need most of an
 * instance's memory: one at a time in an instance, but many instances. A killed step is retried from where its record says.
 */
export const stepSeason = onTaskDispatched(
  {
    ...functionOptions,
    timeoutSeconds: taskSecondsMax,
    concurrency: 1,
    retryConfig: { maxAttempts: queueLimits.stepSeason.maxAttempts, minBackoffSeconds: 10 },
    rateLimits: { maxConcurrentDispatches: queueLimits.stepSeason.maxConcurrentDispatches },
  },
  async ({ data, retryCount }) => {
    await step(runtimeServices(), jobRequest.parse(data), {
      retries: retryCount < queueLimits.stepSeason.maxAttempts - 1,
    });
  },
);

/** One refresh of a top. A failed one is retried at once; the next change or publication makes up for it. */
export const refreshTop = onTaskDispatched(
  {
    ...functionOptions,
    timeoutSeconds: topRefreshTaskSecondsMax,
    // Each may hold a thousand players of a few KB.
    concurrency: 10,
    retryConfig: { maxAttempts: queueLimits.refreshTop.maxAttempts, minBackoffSeconds: 1 },
    rateLimits: { maxConcurrentDispatches: queueLimits.refreshTop.maxConcurrentDispatches },
  },
  async ({ data }) => {
    await refreshTopWhenDue(runtimeServices(), topRefreshRequest.parse(data));
  },
);
