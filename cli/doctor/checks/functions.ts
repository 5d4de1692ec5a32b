/** Whether all functions are there and active, under the names and in the region that are expected. */
import { functionName } from "../../../functions/src/model/function-name.ts";
import { type DeployedFunction, type Deployment, leavesTriggerOut } from "../deployment.ts";
import { expectedKinds } from "../expected.ts";
import { type Finding, listed } from "../finding.ts";
import type { Check, Patient } from "../patient.ts";

export const functions: Check = {
  name: "functions",
  byHand: "Firebase console, Functions",
  async look(patient) {
    const deployment = await patient.deployment();
    const { own, prefix, prefixes } = deployment;
    const known =
      patient.emulators === undefined ? "Cloud Functions' list." : "The Functions emulator's list.";
    if (own.size === 0) return { seen: "", findings: [noneOf(patient, prefix, prefixes, known)] };
    const all = Array.from(own.values()).flat();
    const regions = [...new Set(all.map(({ region }) => region))];
    const findings = [
      ...missing(patient, deployment, known),
      ...inactive(patient, all),
      ...wrongRegions(patient, regions, known),
    ];
    const named = prefix === "" ? "" : ` named ${prefix}-…`;
    return { seen: `${own.size} of ${expectedKinds.size}${named} in ${regions.join(", ")}`, findings };
  },
};

function noneOf(patient: Patient, prefix: string, prefixes: readonly string[], known: string): Finding {
  if (prefixes.length > 0) {
    const there = prefixes.map((one) => (one === "" ? "no prefix" : `the prefix ${one}`)).join(", ");
    return {
      id: "prefix-differs",
      what: `No function of Firerank is called ${functionName("stepSeason", prefix)} or the like. Those that are there have ${there}.`,
      known,
      todo: `Run this with --prefix ${prefixes[0] || '""'}. Apps must name the same one: leaderboard(app, id, { prefix }).`,
    };
  }
  const { project, emulators } = patient;
  if (emulators !== undefined && emulators["functions"] === undefined) {
    return {
      id: "functions-none",
      what: "No Functions emulator runs, so nothing is ranked or answered.",
      known: "The emulators' hub.",
      todo: "npx --no-install firerank init adds the emulators that are missing to firebase.json; then npx firebase emulators:start",
    };
  }
  const todo =
    emulators === undefined
      ? `npx firebase deploy --only functions:firerank,firestore --project ${project}`
      : "npx --no-install firerank init adds Firerank to firebase.json; then npx firebase emulators:start. Its output says why a function did not load.";
  return { id: "functions-none", what: "None of Firerank's functions is deployed.", known, todo };
}

function missing({ project, emulators }: Patient, deployment: Deployment, known: string): Finding[] {
  const { own, prefix, codebase = "firerank" } = deployment;
  const isLeftOut = leavesTriggerOut(deployment, emulators !== undefined);
  const names = [...expectedKinds.keys()].filter(
    (name) => !own.has(name) && !(name === "indexPlayer" && isLeftOut),
  );
  if (names.length === 0) return [];
  const deployed = names.map((name) => functionName(name, prefix));
  const todo =
    emulators === undefined
      ? `npx firebase deploy --only functions:${codebase} --project ${project}`
      : "Stop the emulators and start them again: npx firebase emulators:start. Its output says why a function did not load.";
  return [{ id: "functions-missing", what: `Not deployed: ${listed(deployed, 8)}.`, known, todo }];
}

function inactive({ project }: Patient, all: readonly DeployedFunction[]): Finding[] {
  const bad = all.filter(({ state }) => state !== undefined && state !== "ACTIVE");
  if (bad.length === 0) return [];
  const names = bad.map(({ name, state }) => `${name} (${state ?? ""})`);
  const what = `Not active: ${listed(names)}.`;
  const todo = `npx firebase deploy --only functions --project ${project}; the logs are in the Firebase console, Functions`;
  return [{ id: "functions-failed", what, known: "Cloud Functions says so.", todo }];
}

function wrongRegions({ region, project }: Patient, regions: readonly string[], known: string): Finding[] {
  const names = regions.join(", ");
  if (region !== undefined && !regions.includes(region)) {
    const what = `The functions are in ${names}, not in ${region}.`;
    const todo = `Name ${names} in your apps, or set REGION=${region} in the codebase's .env and deploy; firebase deploy offers to delete the old ones.`;
    return [{ id: "region-differs", what, known, todo }];
  }
  if (regions.length <= 1) return [];
  const what = `Firerank's functions are in several regions: ${names}.`;
  const todo = `Delete those that are left over: npx firebase functions:delete <name> --region <region> --project ${project}`;
  return [{ id: "regions-several", what, known, todo }];
}
