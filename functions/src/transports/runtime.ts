/** The services of a deployed function, made when the first request needs them. */
import { type App, getApps, initializeApp } from "firebase-admin/app";
import { getAuth } from "firebase-admin/auth";
import { getFunctions, type TaskOptions } from "firebase-admin/functions";
import * as logger from "firebase-functions/logger";
import { Firestore } from "../documents/firestore.ts";
import {
  endStepMs,
  sharedTaskSecondsMax,
  taskSecondsMax,
  topRefreshTaskSecondsMax,
} from "../model/limits.ts";
import { isClockOff } from "../model/parameters.ts";
import { labels } from "../model/version.ts";
import { bytesPerMib, createServices } from "../operations/shared/services.ts";
import type { Services } from "../world/services.ts";
import { accountsOf } from "../world/accounts.ts";
import { describeError } from "../world/describe-error.ts";
import { ownProcess } from "../world/own-process.ts";
import { mendTransactions } from "../world/mend-transactions.ts";
import { grpc } from "../world/retryable.ts";
import type { EnqueueJob, EnqueueTopRefresh } from "../world/tasks.ts";
import { queueOf } from "./deployed-name.ts";
import { type EmulatorClock, leaseFile, startEmulatorClock } from "./emulator-clock.ts";
import { isAppCheckEnforced, isDatabaseEmulated, onEmulator, runsOneCallAtATime } from "./on-emulator.ts";
import { memoryMib, region, parameterValue } from "./params.ts";

/** The options that all deployed functions share. */
export const functionOptions = { region, labels, memory: memoryMib };

let services: Services | undefined;

/** The process's services. */
export function runtimeServices(): Services {
  if (services === undefined) {
    // A client of our own: firebase-admin's may come from another copy of the library, whose timestamps have another
    // class.
    const db = mendTransactions(new Firestore({ databaseId: parameterValue("DATABASE") }));
    services = createServices({
      ...ownProcess(db, isDatabaseEmulated()),
      memoryBytes: Number(parameterValue("MEMORY_MIB")) * bytesPerMib,
      log: logger,
      // The emulators have no App Check.
      opener: isAppCheckEnforced() || onEmulator() ? "app" : "anybody",
      accounts: accountsOf(() => getAuth(defaultApp())),
      // On the emulators a season is ranked soon after a change. In production the schedule does that.
      counted: (key) => clock?.rankSoon(key),
      enqueueJob,
      callMsMax: endStepMs,
      enqueueTopRefresh,
    });
    const clock = startClockOnEmulator(services);
  }
  return services;
}

/**
 * Starts the clock on the emulators; nothing of it runs in production, or on a production database. With
 * `FIRERANK_EMULATOR_CLOCK=off` somebody else starts runs.
 */
function startClockOnEmulator(world: Services): EmulatorClock | undefined {
  if (!onEmulator()) return undefined;
  if (!isDatabaseEmulated()) {
    const project = process.env["GCLOUD_PROJECT"] ?? "";
    logger.error(
      `These functions run on an emulator, and read and write the real Firestore database of project "${project}". ` +
        "Start the Firestore emulator too: firebase emulators:start --only functions,firestore,auth,tasks",
    );
    return undefined;
  }
  if (isClockOff(process.env)) return undefined;
  return startEmulatorClock(world, leaseFile(process.env, process.cwd()));
}

const enqueueJob: EnqueueJob = (request, taskId, delaySeconds) => {
  const after = { scheduleDelaySeconds: delaySeconds };
  return request.job === "shared"
    ? enqueue("stepSmallSeasons", request, taskId, {
        ...after,
        dispatchDeadlineSeconds: sharedTaskSecondsMax,
      })
    : enqueue("stepSeason", request, taskId, after);
};

/**
 * The emulators deliver a task at once, and the task waits until it is due. Where they run one call at a time, all calls
 * would wait with it: there the request waits.
 */
const enqueueTopRefresh: EnqueueTopRefresh = async (request, taskId) => {
  const options = {
    scheduleTime: new Date(request.due_at),
    dispatchDeadlineSeconds: topRefreshTaskSecondsMax,
  };
  const ask = () => enqueue("refreshTop", request, taskId, options);
  if (!runsOneCallAtATime()) return ask();
  const failed = (error: unknown) =>
    logger.error("a refresh of the top could not be enqueued", { error: describeError(error) });
  setTimeout(() => void ask().catch(failed), options.scheduleTime.getTime() - Date.now()).unref();
};

/** The Admin SDK's app. Firestore triggers have another one: firebase-functions creates it for their documents. */
export function defaultApp(): App {
  return getApps().find(({ name }) => name === "[DEFAULT]") ?? initializeApp();
}

async function enqueue(
  name: string,
  data: Record<string, unknown>,
  taskId: string,
  options: TaskOptions,
): Promise<void> {
  const { name: deployed, scope } = queueOf(name, process.env);
  const queue = `locations/${parameterValue("REGION")}/functions/${deployed}`;
  try {
    const settings = { dispatchDeadlineSeconds: taskSecondsMax, ...options, id: taskId };
    await getFunctions(defaultApp()).taskQueue(queue, scope).enqueue(data, settings);
  } catch (error) {
    if (isTaskTaken(error)) return;
    throw new Error(`The task queue ${queue} rejected a task: ${(error as Error).message}`, { cause: error });
  }
}

/** Whether a task with this id was enqueued before. Then this request needs no task. */
function isTaskTaken(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === grpc.alreadyExists || code === "functions/task-already-exists";
}
