/** Whether Cloud Scheduler starts the scheduled functions. */
import { z } from "zod";
import { functionName } from "../../../functions/src/model/function-name.ts";
import { scheduleNames, silentMinutesMax } from "../expected.ts";
import { type Finding, NotChecked } from "../finding.ts";
import type { Check, Patient } from "../patient.ts";

const job = z.looseObject({
  name: z.string(),
  state: z.string().optional(),
  /** Absent until the first attempt. */
  lastAttemptTime: z.string().optional(),
  /** When it was created or changed. */
  userUpdateTime: z.string().optional(),
  status: z.looseObject({ code: z.number().optional(), message: z.string().optional() }).optional(),
});

export const schedules: Check = {
  name: "schedules",
  byHand:
    "Google Cloud console, Cloud Scheduler: a job for each scheduled function, enabled, its last run a success",
  absent: "The emulators fire no schedules; there the functions have a clock of their own.",
  async look(patient) {
    const { own, prefix } = await patient.deployment();
    const wanted = scheduleNames.filter((name) => own.has(name));
    if (wanted.length === 0) throw new NotChecked("None of Firerank's scheduled functions is deployed.");
    const region = await patient.functionsRegion();
    const jobs = await patient.inRegion(
      { service: "cloudscheduler.googleapis.com", version: "v1", kind: "jobs", pageSize: 500 },
      job,
    );
    const findings = wanted.flatMap((name) => {
      const id = functionName(name, prefix);
      // As firebase-tools names it.
      const jobId = `firebase-schedule-${id}-${region}`;
      const where = `${jobId} --location ${region} --project ${patient.project}`;
      return wrongWith(patient, jobs.get(jobId), { id, jobId, where, silentMinutes: silentMinutesMax[name] });
    });
    return { seen: `${wanted.length} jobs in ${region}`, findings };
  },
};

interface Expected {
  id: string;
  jobId: string;
  /** The job, as gcloud takes it. */
  where: string;
  silentMinutes: number;
}

function wrongWith(
  { project, now }: Patient,
  found: z.infer<typeof job> | undefined,
  { id, jobId, where, silentMinutes }: Expected,
): Finding[] {
  if (found === undefined) {
    const what = `${id} has no job ${jobId}, so nothing starts it.`;
    const todo = `npx firebase deploy --only functions --force --project ${project}`;
    return [{ id: "schedule-missing", what, known: "Cloud Scheduler's list of jobs.", todo }];
  }
  const { state, status, lastAttemptTime, userUpdateTime } = found;
  if (state !== undefined && state !== "ENABLED") {
    const what = `The schedule of ${id} is ${state.toLowerCase().replaceAll("_", " ")}, so it does not start.`;
    const todo = `gcloud scheduler jobs resume ${where}`;
    return [{ id: "schedule-stopped", what, known: "Cloud Scheduler says so.", todo }];
  }
  const findings: Finding[] = [];
  const { code = 0, message = "" } = status ?? {};
  if (code > 0) {
    findings.push({
      id: "schedule-failing",
      what: `The last start of ${id} failed with status ${code}${message === "" ? "" : ` (${message})`}.`,
      known: "Cloud Scheduler says so.",
      todo: `npx firebase functions:log --only ${id} --project ${project}. 7 is a missing right: see the check "roles".`,
    });
  }
  const since = lastAttemptTime ?? userUpdateTime;
  const minutes = since === undefined ? 0 : (now() - Date.parse(since)) / 60_000;
  if (minutes > silentMinutes) {
    const what =
      lastAttemptTime === undefined
        ? `${id} was never started, and its job is ${Math.round(minutes)} minutes old.`
        : `${id} was last started ${Math.round(minutes)} minutes ago.`;
    const todo = `gcloud scheduler jobs run ${where}; if it stays silent: gcloud scheduler jobs describe ${where}`;
    findings.push({ id: "schedule-silent", what, known: "Cloud Scheduler's last attempt.", todo });
  }
  return findings;
}
