/** The services of a deployed function, made when the first request needs them. */
import { type App, getApps, initializeApp } from "firebase-admin/app";
import { getAuth } from "firebase-admin/auth";
import { getFunctions, type TaskOptions } from "firebase-admin/functions";
import * as logger from "firebase-functions/logger";
import { Firestore } from "../documents/firestore.ts";
import { taskSecondsMax, topRefreshTaskSecondsMax } from "../model/limits.ts";
import { labels } from "../model/version.ts";
import { createServices } from "../operations/shared/services.ts";
import type { Services } from "../world/services.ts";
import { accountsOf } from "../world/accounts.ts";
import { ownProcess } from "../world/own-process.ts";
import { mendTransactions } from "../world/mend-transactions.ts";
import { grpc } from "../world/retryable.ts";
import type { EnqueueJob, EnqueueTopRefresh } from "../world/tasks.ts";
import { queueOf } from "./deployed-name.ts";
import { type EmulatorClock, leaseFile, startEmulatorClock } from "./emulator-clock.ts";
import { isDatabaseEmulated, onEmulator } from "./on-emulator.ts";
import { memoryMib, region, parameterValue } from "./params.ts";

/** What all deployed functions have in common. */
export const functionOptions = { region, labels, memory: memoryMib };

let services: Services | undefined;

/** The process's services. */
export function runtimeServices(): Services {
  if (services === undefined) {
    // Our own client: the host's may come from another copy of the library, whose timestamps are a different class.
    const db = mendTransactions(new Firestore({ databaseId: parameterValue("DATABASE") }));
    services = createServices({
      ...ownProcess(db, isDatabaseEmulated()),
      log: logger,
      accounts: accountsOf(() => getAuth(defaultApp())),
      // On the emulators a season is ranked soon after a change. In production the schedule does that.
      counted: (key) => clock?.rankSoon(key),
      enqueueJob,
      enqueueTopRefresh,
    });
    const clock = startClockOnEmulator(services);
  }
  return services;
}

/**
 * Only there: nothing of the clock runs in production, or on its database. `FIRERANK_EMULATOR_CLOCK=off` leaves time to
 * somebody else.
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
  if (process.env["FIRERANK_EMULATOR_CLOCK"] === "off") return undefined;
  return startEmulatorClock(world, leaseFile(process.env, process.cwd()));
}

const enqueueJob: EnqueueJob = (request, taskId, delaySeconds) =>
  enqueue("stepSeason", request, taskId, { scheduleDelaySeconds: delaySeconds });

const enqueueTopRefresh: EnqueueTopRefresh = (request, taskId) =>
  enqueue("refreshTop", request, taskId, {
    scheduleTime: new Date(request.due_at),
    dispatchDeadlineSeconds: topRefreshTaskSecondsMax,
  });

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

/** Whether the task id exists already: the task was enqueued before, and naming it prevents a second run. */
function isTaskTaken(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === grpc.alreadyExists || code === "functions/task-already-exists";
}
