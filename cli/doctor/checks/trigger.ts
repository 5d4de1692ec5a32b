/** Whether the trigger on players' documents listens to the database, is retried, and is there if it should be. */
import { commandName } from "../../command-name.ts";
import { type DeployedFunction, type Deployment, leavesTriggerOut, variablesOf } from "../deployment.ts";
import { type Finding, listed, NotChecked, type Seen } from "../finding.ts";
import type { Check, Patient } from "../patient.ts";

/** A deployment takes minutes; a function that came so much later was added to those that were there. */
const laterMs = 3_600_000;

export const trigger: Check = {
  name: "trigger",
  byHand: "Google Cloud console, Eventarc: the trigger of indexPlayer, its database and its retry policy",
  async look(patient) {
    const deployment = await patient.deployment();
    const [indexPlayer] = deployment.own.get("indexPlayer") ?? [];
    if (indexPlayer !== undefined) return withTrigger(patient, deployment, indexPlayer);
    if (leavesTriggerOut(deployment, patient.emulators !== undefined)) return leftOut(patient, deployment);
    throw new NotChecked("indexPlayer is not deployed.");
  },
};

function withTrigger(patient: Patient, { own }: Deployment, indexPlayer: DeployedFunction): Seen {
  const { database, emulators, project } = patient;
  const { name, database: listens = "(default)", retry } = indexPlayer;
  const findings: Finding[] = [];
  if (listens !== database) findings.push(elsewhere(patient, `${name} listens to`, listens));
  const others = variablesOf(own, "DATABASE").filter(({ value }) => value !== listens);
  if (others.length > 0) {
    findings.push({
      id: "functions-database",
      what: `${name} listens to the database ${listens}, and ${listed(others.map((one) => one.name))} use ${others[0]?.value ?? ""}, so scores are not ranked where they are.`,
      known: "The filter of its event trigger, and the variable DATABASE of the others.",
      todo: `Set DATABASE in the codebase's .env, and deploy all functions: npx firebase deploy --only functions --project ${project}`,
    });
  }
  if (retry === false) {
    findings.push({
      id: "trigger-no-retry",
      what: `${name} is not retried when it fails, so a write of your own servers whose event fails once is not counted until a repair.`,
      known: "The retry policy of its event trigger.",
      todo: `npx firebase deploy --only functions --force --project ${project}; the package asks for retries`,
    });
  }
  findings.push(...unneeded(patient, own, indexPlayer), ...later(own, indexPlayer));
  const why = "The emulator does not show retries.";
  const unchecked = emulators === undefined ? [] : [{ why, isAbsent: true }];
  return { seen: `${name} on ${listens}${retry === true ? ", retried" : ""}`, findings, unchecked };
}

function leftOut(patient: Patient, { own }: Deployment): Seen {
  const uses = variablesOf(own, "DATABASE").find(({ value }) => value !== patient.database);
  const note: Finding = {
    id: "trigger-left-out",
    what: "Nobody follows what servers of yours write to players' documents by themselves; it waits for a repair.",
    known: "indexPlayer is not there, and the variable DIRECT_WRITES of the others.",
    todo: `If you have just changed DIRECT_WRITES, ${repairEach}. If servers of yours write players' documents, set DIRECT_WRITES=true in the codebase's .env, deploy, and do the same.`,
  };
  const findings = [
    note,
    ...(uses === undefined ? [] : [elsewhere(patient, "The functions use", uses.value)]),
  ];
  return { seen: "left out, as DIRECT_WRITES is false", findings };
}

const repairEach = `repair each season that takes scores: ${commandName} repair <board> --season <season>`;

function elsewhere({ database }: Patient, who: string, other: string): Finding {
  return {
    id: "trigger-database",
    what: `${who} the database ${other}, and you asked about ${database}: scores in ${database} are never ranked.`,
    known: "The filter of the event trigger, or the variable DATABASE.",
    todo: `Run this with --database "${other}"; or set DATABASE=${database} in the codebase's .env, and deploy.`,
  };
}

function unneeded(
  { project }: Patient,
  own: Deployment["own"],
  { name, region }: DeployedFunction,
): Finding[] {
  const without = variablesOf(own, "DIRECT_WRITES").filter(({ value }) => value === "false");
  if (without.length === 0) return [];
  return [
    {
      id: "trigger-unneeded",
      what: `${name} is deployed, and DIRECT_WRITES is false for ${listed(without.map((one) => one.name))}, as after a deployment that did not delete it. Each score costs a call of it.`,
      known: "The variable DIRECT_WRITES.",
      todo: `npx firebase functions:delete ${name} --region ${region} --project ${project}; then ${repairEach}. Or set DIRECT_WRITES=true in the codebase's .env, and deploy.`,
    },
  ];
}

/** Whether the trigger was added to a deployment without it: nobody counted direct writes before. */
function later(own: Deployment["own"], { name, createdAt = "" }: DeployedFunction): Finding[] {
  const [first] = own.get("rankSeasons") ?? [];
  const afterMs = Date.parse(createdAt) - Date.parse(first?.createdAt ?? "");
  if (!(afterMs > laterMs)) return [];
  return [
    {
      id: "trigger-later",
      what: `${name} is there since ${createdAt}, and ${first?.name ?? ""} since ${first?.createdAt ?? ""}. What servers of yours wrote in between by themselves is not counted.`,
      known: "When the functions were created.",
      todo: `Unless you have done so since, ${repairEach}.`,
    },
  ];
}
