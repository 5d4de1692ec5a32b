/** Whether the functions run on a Node that the package loads on. */
import { nodeMajorMin } from "../../../functions/src/model/node-version.ts";
import { type Finding, listed } from "../finding.ts";
import type { Check } from "../patient.ts";

export const runtime: Check = {
  name: "runtime",
  byHand: "Firebase console, Functions: the column Runtime",
  absent: "On the emulators it is the Node that started them.",
  async look({ ownFunctions, project }) {
    const all = await ownFunctions();
    const old = all.filter(({ runtime: name = "" }) => majorOf(name) < nodeMajorMin);
    const names = [...new Set(all.map(({ runtime: name = "unknown" }) => name))];
    if (old.length === 0) return { seen: names.join(", "), findings: [] };
    const finding: Finding = {
      id: "runtime-old",
      what: `On a Node older than ${nodeMajorMin}: ${listed(old.map(({ name, runtime: on = "unknown" }) => `${name} (${on})`))}.`,
      known: "Cloud Functions' list.",
      todo: `Set "runtime": "nodejs24" for the codebase in firebase.json, then npx firebase deploy --only functions --project ${project}`,
    };
    return { seen: "", findings: [finding] };
  },
};

/** 24 of `nodejs24`; 0 of what is no Node. */
const majorOf = (name: string) => Number(/^nodejs(\d+)$/.exec(name)?.[1] ?? 0);
