/** What Cloud Tasks and Cloud Scheduler, or the Tasks emulator, say of Firerank's queues, tasks and schedules. */
import { z } from "zod";
import { functionName } from "../../../functions/src/model/function-name.ts";
import { queueLimits } from "../../../functions/src/model/limits.ts";
import { askEmulator } from "../api.ts";
import {
  dispatchesPerSecond,
  scheduleNames,
  silentMinutesMax,
  type TaskName,
  taskNames,
} from "../expected.ts";
import { count } from "../../progress.ts";
import { danger, fault, type Finding, listed, NotChecked } from "../finding.ts";
import { type Check, deployOf, type Patient, restart } from "../patient.ts";

const queue = z.looseObject({
  name: z.string(),
  state: z.string().optional(),
  rateLimits: z
    .looseObject({
      maxConcurrentDispatches: z.number().optional(),
      maxDispatchesPerSecond: z.number().optional(),
    })
    .default({}),
  retryConfig: z.looseObject({ maxAttempts: z.number().optional() }).default({}),
});

/** Those of the wanted functions that are deployed, by the names that they have there. */
async function deployed<Name extends string>({ deployment }: Patient, wanted: readonly Name[], kind: string) {
  const { prefix, own } = await deployment();
  const found = wanted.filter((name) => own.has(name));
  if (found.length === 0) throw new NotChecked(`None of Firerank's ${kind} functions is deployed.`);
  return found.map((name) => ({ name, id: functionName(name, prefix) }));
}

const noQueue = (id: string, todo: string, known?: string) =>
  fault("queue-missing", `There is no queue ${id}, so its tasks are refused.`, todo, known);

/** Whether each task function has its queue, which runs, with the limits that Firerank asks for. */
export const queues: Check = {
  name: "queues",
  byHand: "Google Cloud console, Cloud Tasks: a queue for each task function, of its name, running",
  known: "Cloud Tasks' list of queues.",
  async *look(patient) {
    const wanted = await deployed(patient, taskNames, "task");
    if (patient.emulators !== undefined) return yield* onEmulators(patient, wanted);
    const region = await patient.functionsRegion();
    const all = await patient.inRegion("cloudtasks.googleapis.com", "v2", "queues", queue);
    for (const { name, id } of wanted) {
      const found = all.get(id);
      if (found === undefined) yield noQueue(id, deployOf(patient, "functions", "--force"));
      else yield* wrongWith(found, name, id, `--location ${region} --project ${patient.project}`);
    }
    return `${count(wanted.length, "queue")} in ${region}`;
  },
};

function* wrongWith(
  { state = "RUNNING", rateLimits, retryConfig: { maxAttempts } }: z.infer<typeof queue>,
  name: TaskName,
  id: string,
  where: string,
): Generator<Finding> {
  if (state !== "RUNNING")
    yield fault(
      "queue-stopped",
      `The queue ${id} is ${state.toLowerCase()}, so nothing in it runs.`,
      `gcloud tasks queues resume ${id} ${where}`,
    );
  const { maxConcurrentDispatches: atOnce, maxAttempts: attempts } = queueLimits[name];
  for (const [is, should, unit, option] of [
    [rateLimits.maxConcurrentDispatches, atOnce, "tasks at once", "--max-concurrent-dispatches"],
    [rateLimits.maxDispatchesPerSecond, dispatchesPerSecond, "tasks a second", "--max-dispatches-per-second"],
    // -1 is without end.
    [maxAttempts === -1 ? undefined : maxAttempts, attempts, "attempts", "--max-attempts"],
  ] as const)
    if (is !== undefined && is < should)
      yield danger(
        "queue-limits",
        `The queue ${id} allows ${is} ${unit}, and Firerank asks for ${should}.`,
        `gcloud tasks queues update ${id} ${option}=${should} ${where}`,
      );
}

/** The emulator names a queue after project, region and function. */
async function* onEmulators(
  { emulators, project, functionsRegion }: Patient,
  wanted: readonly { id: string }[],
): AsyncGenerator<Finding, string> {
  const host = emulators?.["tasks"];
  if (host === undefined) {
    yield fault(
      "tasks-emulator-missing",
      "No Tasks emulator runs: ranking runs cannot be enqueued, so no rank is ever published.",
      'Add "tasks": { "port": 9499 } to "emulators" in firebase.json, as npx --no-install firerank init does, and start them again.',
      "The emulators' hub.",
    );
    return "";
  }
  const region = await functionsRegion();
  const stats = await askEmulator("Tasks", host, "queueStats", "which queues it has");
  for (const { id } of wanted)
    if (!(`queue:${project}-${region}-${id}` in stats))
      yield noQueue(id, restart, "The Tasks emulator's list of queues.");
  return `${count(wanted.length, "queue")}: ${listed(wanted.map(({ id }) => id))}`;
}

const task = z.looseObject({
  scheduleTime: z.string().optional(),
  lastAttempt: z
    .looseObject({
      responseStatus: z
        .looseObject({ code: z.number().optional(), message: z.string().optional() })
        .optional(),
    })
    .optional(),
});

/** Tasks that are looked at in a queue: enough to tell that it is stuck. */
const tasksMost = 1_000;
const waitMinutesMax = 15;

/** Whether tasks wait too long or fail. Cloud Tasks drops a task after its last attempt, so only those still there are seen. */
export const tasks: Check = {
  name: "tasks",
  byHand: "Google Cloud console, Cloud Tasks: the tasks in each queue, and their last attempts",
  absent: "The Tasks emulator shows no tasks.",
  known: "The times and last attempts of the tasks in Cloud Tasks.",
  async *look(patient) {
    const { api, project, now, functionsRegion } = patient;
    const wanted = await deployed(patient, taskNames, "task");
    const region = await functionsRegion();
    let all = 0;
    for (const { id } of wanted) {
      const path = `v2/projects/${project}/locations/${region}/queues/${id}/tasks?pageSize=1000`;
      const found = await api.list("cloudtasks.googleapis.com", path, "tasks", task, { most: tasksMost });
      all += found.length;
      const log = `npx firebase functions:log --only ${id} --project ${project}`;
      const overdue = found.filter(
        ({ scheduleTime }) =>
          scheduleTime !== undefined && now() - Date.parse(scheduleTime) > waitMinutesMax * 60_000,
      );
      if (overdue.length > 0)
        yield danger(
          "tasks-waiting",
          `${count(overdue.length, "task")} of ${id}, due for more than ${count(waitMinutesMax, "minute")}.`,
          `Look whether ${id} is slow or fails: ${log}`,
        );
      const failed = found.flatMap(({ lastAttempt }) => {
        const { code = 0, message = "" } = lastAttempt?.responseStatus ?? {};
        return code > 0 ? [`${code} ${message}`.trim()] : [];
      });
      if (failed[0] !== undefined)
        yield danger(
          "tasks-failing",
          `${count(failed.length, "task")} of ${id} failed at the last attempt, the first with status ${failed[0]}.`,
          `${log}. 7 is a missing right (the role to call the function, see the check "roles"), 13 an error of the function's.`,
        );
    }
    return `${all} in ${count(wanted.length, "queue")}`;
  },
};

const job = z.looseObject({
  name: z.string(),
  state: z.string().optional(),
  /** Absent until the first attempt. */
  lastAttemptTime: z.string().optional(),
  /** When it was created or changed. */
  userUpdateTime: z.string().optional(),
  status: z.looseObject({ code: z.number().optional(), message: z.string().optional() }).default({}),
});

/** Whether Cloud Scheduler starts the scheduled functions. */
export const schedules: Check = {
  name: "schedules",
  byHand:
    "Google Cloud console, Cloud Scheduler: a job for each scheduled function, enabled, its last run a success",
  absent: "The emulators fire no schedules; there the functions have a clock of their own.",
  known: "Cloud Scheduler's list of jobs.",
  async *look(patient) {
    const { project, now } = patient;
    const wanted = await deployed(patient, scheduleNames, "scheduled");
    const region = await patient.functionsRegion();
    const jobs = await patient.inRegion("cloudscheduler.googleapis.com", "v1", "jobs", job);
    for (const { id } of wanted) {
      // As firebase-tools names it.
      const jobId = `firebase-schedule-${id}-${region}`;
      const where = `${jobId} --location ${region} --project ${project}`;
      const found = jobs.get(jobId);
      if (found === undefined) {
        const what = `${id} has no job ${jobId}, so nothing starts it.`;
        yield fault("schedule-missing", what, deployOf(patient, "functions", "--force"));
        continue;
      }
      const { state = "ENABLED", status, lastAttemptTime, userUpdateTime } = found;
      if (state !== "ENABLED") {
        const how = state.toLowerCase().replaceAll("_", " ");
        yield fault(
          "schedule-stopped",
          `The schedule of ${id} is ${how}, so it does not start.`,
          `gcloud scheduler jobs resume ${where}`,
        );
        continue;
      }
      const { code = 0, message = "" } = status;
      if (code > 0)
        yield danger(
          "schedule-failing",
          `The last start of ${id} failed with status ${code}${message === "" ? "" : ` (${message})`}.`,
          `npx firebase functions:log --only ${id} --project ${project}. 7 is a missing right: see the check "roles".`,
        );
      const since = lastAttemptTime ?? userUpdateTime;
      const minutes = since === undefined ? 0 : (now() - Date.parse(since)) / 60_000;
      if (minutes > silentMinutesMax)
        yield fault(
          "schedule-silent",
          lastAttemptTime === undefined
            ? `${id} was never started, and its job is ${count(Math.round(minutes), "minute")} old.`
            : `${id} was last started ${count(Math.round(minutes), "minute")} ago.`,
          `gcloud scheduler jobs run ${where}; if it stays silent: gcloud scheduler jobs describe ${where}`,
        );
    }
    return `${count(wanted.length, "job")} in ${region}`;
  },
};
