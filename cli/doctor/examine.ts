/** Makes all checks, one after the other, and puts together what they found. */
import { CliError } from "../cli-error.ts";
import { appCheck } from "./checks/app-check.ts";
import { alerts, bill, boards, collections } from "./checks/boards.ts";
import { codebase, collisions, functions, regions, runtime, trigger, version } from "./checks/functions.ts";
import { database, indexes } from "./checks/indexes.ts";
import { admins, callers, roles } from "./checks/rights.ts";
import { parameters } from "./checks/parameters.ts";
import { rules } from "./checks/rules.ts";
import { queues, schedules, tasks } from "./checks/tasks.ts";
import { type Finding, gravities, NotChecked, type Unchecked } from "./finding.ts";
import type { Check, Patient } from "./patient.ts";

export const checks: readonly Check[] = [
  ...[database, functions, version, collisions, trigger, runtime, codebase],
  ...[parameters, queues, tasks, schedules, roles, callers, appCheck, regions, indexes, rules],
  ...[admins, boards, collections, alerts, bill],
];

/** What checks say. */
interface Made {
  findings: (Finding & { check: string; known: string })[];
  unchecked: (Unchecked & { check: string; byHand: string })[];
  seen: { check: string; seen: string }[];
}

export interface Report extends Made {
  project: string;
  database: string;
  /** Whether nothing has to be done: neither a fault, nor a danger, nor anything to be checked by hand. */
  isWell: boolean;
}

/** Only reads. The gravest findings come first. @throws CliError if the patient is not named well enough */
export async function examine(
  patient: Patient,
  { which = checks, progress }: { which?: readonly Check[]; progress?: (done: number) => void } = {},
): Promise<Report> {
  const all: Made = { findings: [], unchecked: [], seen: [] };
  for (const [done, check] of which.entries()) {
    progress?.(done);
    await make(check, patient, all);
  }
  progress?.(which.length);
  const findings = gravities.flatMap((gravity) => all.findings.filter((one) => one.gravity === gravity));
  const isWell =
    findings.every(({ gravity }) => gravity === "note") && all.unchecked.every(({ isAbsent }) => isAbsent);
  return { project: patient.project, database: patient.database, ...all, findings, isWell };
}

/** Makes one check: if it could not look, it never passes for one that found nothing. @throws CliError as above */
async function make(check: Check, patient: Patient, made: Made): Promise<void> {
  const { name, byHand, known, absent } = check;
  const addUnchecked = (one: Unchecked) =>
    void made.unchecked.push({ ...one, check: name, byHand: one.byHand ?? byHand });
  try {
    if (absent !== undefined && patient.emulators !== undefined)
      throw new NotChecked(absent, { isAbsent: true });
    const saying = check.look(patient);
    let said = await saying.next();
    for (; said.done !== true; said = await saying.next()) {
      const { value } = said;
      if ("why" in value) addUnchecked(value);
      else made.findings.push({ ...value, check: name, known: value.known ?? known });
    }
    if (said.value !== "") made.seen.push({ check: name, seen: said.value });
  } catch (error) {
    // What a file here says wrong leaves the other checks as they are; a command that is wrong ends all of them.
    if (error instanceof CliError && error.exitCode === 2) throw error;
    addUnchecked(error instanceof NotChecked ? error.unchecked : { why: whyOf(error), isAbsent: false });
  }
}

function whyOf(error: unknown): string {
  const why = error instanceof Error ? error.message : String(error);
  return error instanceof CliError ? why : `It failed: ${why.split("\n")[0] ?? ""}`;
}
