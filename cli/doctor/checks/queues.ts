/** Whether each task function has its queue, which runs, with the limits that Firerank asks for. */
import { z } from "zod";
import { functionName } from "../../../functions/src/model/function-name.ts";
import { dispatchesPerSecond, queueLimits, type TaskName, taskNames } from "../expected.ts";
import { type Finding, listed, NotChecked, type Seen } from "../finding.ts";
import type { Check, Patient } from "../patient.ts";

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

export const queues: Check = {
  name: "queues",
  byHand: "Google Cloud console, Cloud Tasks: a queue for each task function, of its name, running",
  async look(patient) {
    const { prefix, own } = await patient.deployment();
    const wanted = taskNames.filter((name) => own.has(name));
    if (wanted.length === 0) throw new NotChecked("None of Firerank's task functions is deployed.");
    if (patient.emulators !== undefined) return onEmulators(patient, wanted, prefix);
    const { project } = patient;
    const region = await patient.functionsRegion();
    const all = await patient.inRegion(
      { service: "cloudtasks.googleapis.com", version: "v2", kind: "queues", pageSize: 1_000 },
      queue,
    );
    const deploy = `npx firebase deploy --only functions --force --project ${project}`;
    const findings = wanted.flatMap((name) => {
      const id = functionName(name, prefix);
      const found = all.get(id);
      return found === undefined
        ? noQueue(id, "Cloud Tasks' list of queues.", deploy)
        : wrongWith(found, name, id, `--location ${region} --project ${project}`);
    });
    return { seen: `${wanted.length} queues in ${region}`, findings };
  },
};

function noQueue(id: string, known: string, todo: string): Finding {
  return { id: "queue-missing", what: `There is no queue ${id}, so its tasks are refused.`, known, todo };
}

function wrongWith(
  { state, rateLimits, retryConfig }: z.infer<typeof queue>,
  name: TaskName,
  id: string,
  where: string,
): Finding[] {
  const findings: Finding[] = [];
  if (state !== undefined && state !== "RUNNING") {
    findings.push({
      id: "queue-stopped",
      what: `The queue ${id} is ${state.toLowerCase()}, so nothing in it runs.`,
      known: "Cloud Tasks says so.",
      todo: `gcloud tasks queues resume ${id} ${where}`,
    });
  }
  const { maxConcurrentDispatches: atOnce, maxAttempts: attempts } = queueLimits[name];
  const less = [
    [rateLimits.maxConcurrentDispatches, atOnce, "tasks at once", "--max-concurrent-dispatches"],
    [rateLimits.maxDispatchesPerSecond, dispatchesPerSecond, "tasks a second", "--max-dispatches-per-second"],
    // -1 is without end.
    [
      retryConfig.maxAttempts === -1 ? undefined : retryConfig.maxAttempts,
      attempts,
      "attempts",
      "--max-attempts",
    ],
  ] as const;
  for (const [is, should, unit, option] of less) {
    if (is === undefined || is >= should) continue;
    findings.push({
      id: "queue-limits",
      what: `The queue ${id} allows ${is} ${unit}, and Firerank asks for ${should}.`,
      known: "Cloud Tasks says so.",
      todo: `gcloud tasks queues update ${id} ${option}=${should} ${where}`,
    });
  }
  return findings;
}

/** The emulator names a queue after project, region and function. */
async function onEmulators(
  { emulators, project, functionsRegion }: Patient,
  wanted: TaskName[],
  prefix: string,
): Promise<Seen> {
  const host = emulators?.["tasks"];
  if (host === undefined) {
    const what = "No Tasks emulator runs: ranking runs cannot be enqueued, so no rank is ever published.";
    const todo =
      'Add "tasks": { "port": 9499 } to "emulators" in firebase.json, as npx --no-install firerank init does, and start them again.';
    return {
      seen: "",
      findings: [{ id: "tasks-emulator-missing", what, known: "The emulators' hub.", todo }],
    };
  }
  const region = await functionsRegion();
  let stats: Record<string, unknown>;
  try {
    stats = (await (await fetch(`http://${host}/queueStats`)).json()) as Record<string, unknown>;
  } catch (error) {
    throw new NotChecked(
      `The Tasks emulator at ${host} did not say which queues it has (${(error as Error).message}).`,
    );
  }
  const missing = wanted
    .map((name) => functionName(name, prefix))
    .filter((id) => !(`queue:${project}-${region}-${id}` in stats));
  const again = "Stop the emulators and start them again: npx firebase emulators:start";
  return {
    seen: `${wanted.length} queues: ${listed(wanted.map((name) => functionName(name, prefix)))}`,
    findings: missing.map((id) => noQueue(id, "The Tasks emulator's list of queues.", again)),
  };
}
