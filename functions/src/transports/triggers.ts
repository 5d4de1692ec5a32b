/** The functions that start automatically: on a write of a player's document, every minute, and as tasks. */
import { onDocumentWritten } from "firebase-functions/firestore";
import { onSchedule } from "firebase-functions/scheduler";
import { onTaskDispatched } from "firebase-functions/tasks";
import { changedPlayer, versionOf } from "../counting/changed-player.ts";
import { followPlayer } from "../counting/follow-player.ts";
import { enqueueDue } from "../jobs/schedule/schedule.ts";
import { askAlone, stepJob, stepTogether } from "../jobs/schedule/step.ts";
import {
  queueLimits,
  sharedTaskSecondsMax,
  taskSecondsMax,
  topRefreshTaskSecondsMax,
} from "../model/limits.ts";
import { followInPrivateGroups } from "../groups/follow-private.ts";
import { refreshWhenDue } from "../groups/refresh.ts";
import { sharedRequest, stepRequest, topRefreshRequest } from "../world/tasks.ts";
import { onEmulator } from "./on-emulator.ts";
import { database, directWrites } from "./params.ts";
import { functionOptions, runtimeServices } from "./runtime.ts";

/**
 * The net for servers that write players' documents by themselves. It ignores Firerank's own writes. A deployment with
 * `DIRECT_WRITES=false` has no `indexPlayer`. A failed event is retried for a day; a late or repeated event does no
 * harm.
 *
 * An event takes a millisecond or two of a processor, but is billed by tenths of a second. So an instance has a sixth
 * of a processor, and handles one event at a time. At 10 events a second this costs less than a third of an instance
 * with a whole processor, and up to 53 events a second not more than such an instance (docs/costs.md has the sum).
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
      // The emulators tell only the second of a write.
      atMs: Date.parse(time) + (onEmulator() ? 999 : 0),
    };
    const [services, key, id] = [runtimeServices(), { leaderboard, season }, changedPlayer(data, player)];
    await followPlayer(services, key, id, write);
    await followInPrivateGroups(services, key, id, write);
  },
);

/**
 * Each minute, enqueues what is due of each season: a run, a step of its end, and once a day an audit. It fails, and is
 * tried again, only if every request of a kind failed.
 */
export const rankSeasons = onSchedule(
  { ...functionOptions, schedule: "* * * * *", timeoutSeconds: 540, retryCount: 3 },
  async () => {
    await enqueueDue(runtimeServices());
  },
);

/**
 * One step of work on a season: a ranking run, or a step of its end, of an audit or of a repair; of a small season only if
 * the step needs a task of its own. A step may need most
 * of an instance's memory, so an instance does one step at a time, and there may be many instances. After a step was
 * killed, the retry goes on from where the record says.
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
    await stepJob(runtimeServices(), stepRequest.parse(data), {
      retries: retryCount < queueLimits.stepSeason.maxAttempts - 1,
    });
  },
);

/**
 * A step of each of some small seasons: ranking runs, or steps of their ends. A second attempt only requests a task of
 * `stepSeason` for each step, so that one that kills its process does so alone.
 */
export const stepSmallSeasons = onTaskDispatched(
  {
    ...functionOptions,
    timeoutSeconds: sharedTaskSecondsMax,
    concurrency: 1,
    retryConfig: { maxAttempts: queueLimits.stepSmallSeasons.maxAttempts, minBackoffSeconds: 1 },
    rateLimits: { maxConcurrentDispatches: queueLimits.stepSmallSeasons.maxConcurrentDispatches },
  },
  async ({ data, retryCount }) => {
    const { steps } = sharedRequest.parse(data);
    await (retryCount === 0 ? stepTogether : askAlone)(runtimeServices(), steps);
  },
);

/** One refresh of a top, or of what a league shows. A failed refresh is retried at once; the next change or publication makes up for it too. */
export const refreshTop = onTaskDispatched(
  {
    ...functionOptions,
    timeoutSeconds: topRefreshTaskSecondsMax,
    // A refresh may hold a thousand players of a few KB.
    concurrency: 10,
    retryConfig: { maxAttempts: queueLimits.refreshTop.maxAttempts, minBackoffSeconds: 1 },
    rateLimits: { maxConcurrentDispatches: queueLimits.refreshTop.maxConcurrentDispatches },
  },
  async ({ data }) => {
    await refreshWhenDue(runtimeServices(), topRefreshRequest.parse(data));
  },
);
