/** Whether Cloud Scheduler starts the scheduled functions. */
import { z } from "zod";
import { functionName } from "../../../functions/src/model/function-name.ts";
import type { Check } from "../check.ts";
import { scheduleNames, silentMinutesMax } from "../expected.ts";
import { absentOnEmulators, type Finding, NotChecked } from "../finding.ts";

const job = z.looseObject({
  name: z.string(),
  state: z.string().optional(),
  lastAttemptTime: z.string().optional(),
  status: z.looseObject({ code: z.number().optional(), message: z.string().optional() }).optional(),
});

export const schedules: Check = {
  name: "schedules",
  byHand:
    "Google Cloud console, Cloud Scheduler: a job for each scheduled function, enabled, its last run a success",
  async look({ deployment, emulators, api, project, now, functionsRegion }) {
    if (emulators !== undefined)
      throw absentOnEmulators(
        "The emulators fire no schedules; there the functions have a clock of their own.",
      );
    const { own, prefix } = await deployment();
    const wanted = scheduleNames.filter((name) => own.has(name));
    if (wanted.length === 0) throw new NotChecked("None of Firerank's scheduled functions is deployed.");
    const region = await functionsRegion();
    const parent = `projects/${project}/locations/${region}`;
    const jobs = await api.list(
      "cloudscheduler.googleapis.com",
      `v1/${parent}/jobs?pageSize=500`,
      "jobs",
      job,
    );
    const findings: Finding[] = [];
    for (const name of wanted) {
      const id = functionName(name, prefix);
      // As firebase-tools names it.
      const jobId = `firebase-schedule-${id}-${region}`;
      const where = `${jobId} --location ${region} --project ${project}`;
      const found = jobs.find((one) => one.name === `${parent}/jobs/${jobId}`);
      if (found === undefined) {
        findings.push({
          id: "schedule-missing",
          what: `${id} has no job ${jobId}, so nothing starts it.`,
          known: "Cloud Scheduler's list of jobs.",
          todo: `npx firebase deploy --only functions --force --project ${project}`,
        });
        continue;
      }
      const { state, status, lastAttemptTime } = found;
      if (state !== undefined && state !== "ENABLED") {
        findings.push({
          id: "schedule-stopped",
          what: `The schedule of ${id} is ${state.toLowerCase().replaceAll("_", " ")}, so it does not start.`,
          known: "Cloud Scheduler says so.",
          todo: `gcloud scheduler jobs resume ${where}`,
        });
        continue;
      }
      const { code = 0, message = "" } = status ?? {};
      if (code > 0) {
        findings.push({
          id: "schedule-failing",
          what: `The last start of ${id} failed with status ${code}${message === "" ? "" : ` (${message})`}.`,
          known: "Cloud Scheduler says so.",
          todo: `npx firebase functions:log --only ${id} --project ${project}. 7 is a missing right: see the check "roles".`,
        });
      }
      const minutes =
        lastAttemptTime === undefined ? undefined : (now() - Date.parse(lastAttemptTime)) / 60_000;
      if (minutes !== undefined && minutes > silentMinutesMax[name]) {
        findings.push({
          id: "schedule-silent",
          what: `${id} was last started ${Math.round(minutes)} minutes ago.`,
          known: "Cloud Scheduler's last attempt.",
          todo: `gcloud scheduler jobs run ${where}; if it stays silent: gcloud scheduler jobs describe ${where}`,
        });
      }
    }
    return { seen: `${wanted.length} jobs in ${region}`, findings };
  },
};
