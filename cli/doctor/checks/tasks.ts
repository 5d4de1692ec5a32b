/** Whether tasks wait too long or fail. Cloud Tasks drops a task after its last attempt, so only those still there are seen. */
import { z } from "zod";
import { functionName } from "../../../functions/src/model/function-name.ts";
import { taskNames } from "../expected.ts";
import { type Finding, NotChecked } from "../finding.ts";
import type { Check } from "../patient.ts";

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

export const tasks: Check = {
  name: "tasks",
  byHand: "Google Cloud console, Cloud Tasks: the tasks in each queue, and their last attempts",
  absent: "The Tasks emulator shows no tasks.",
  async look({ deployment, api, project, now, functionsRegion }) {
    const { own, prefix } = await deployment();
    const ids = taskNames.filter((name) => own.has(name)).map((name) => functionName(name, prefix));
    if (ids.length === 0) throw new NotChecked("None of Firerank's task functions is deployed.");
    const region = await functionsRegion();
    const findings: Finding[] = [];
    let count = 0;
    for (const id of ids) {
      const path = `v2/projects/${project}/locations/${region}/queues/${id}/tasks?pageSize=1000`;
      const found = await api.list("cloudtasks.googleapis.com", path, "tasks", task, { most: tasksMost });
      count += found.length;
      const overdue = found.filter(
        ({ scheduleTime }) =>
          scheduleTime !== undefined && now() - Date.parse(scheduleTime) > waitMinutesMax * 60_000,
      );
      const failed = found.flatMap(({ lastAttempt }) => {
        const { code = 0, message = "" } = lastAttempt?.responseStatus ?? {};
        return code > 0 ? [`${code} ${message}`.trim()] : [];
      });
      const [first] = failed;
      if (overdue.length > 0) {
        findings.push({
          id: "tasks-waiting",
          what: `${overdue.length} tasks of ${id} have been due for more than ${waitMinutesMax} minutes.`,
          known: "Their times in Cloud Tasks.",
          todo: `Look whether ${id} is slow or fails: npx firebase functions:log --only ${id} --project ${project}`,
        });
      }
      if (first !== undefined) {
        findings.push({
          id: "tasks-failing",
          what: `${failed.length} tasks of ${id} failed at their last attempt, the first with status ${first}.`,
          known: "Their last attempts in Cloud Tasks.",
          todo: `npx firebase functions:log --only ${id} --project ${project}. 7 is a missing right (the role to call the function, see the check "roles"), 13 an error of the function's.`,
        });
      }
    }
    return { seen: `${count} in ${ids.length} queues`, findings };
  },
};
