/** Makes all checks, one after the other, and puts together what they found. */
import { CliError } from "../cli-error.ts";
import { catalog, type FindingId, gravities, type Gravity, gravityOf } from "./catalog.ts";
import { admins } from "./checks/admins.ts";
import { alerts } from "./checks/alerts.ts";
import { appCheck } from "./checks/app-check.ts";
import { bill } from "./checks/bill.ts";
import { boards } from "./checks/boards.ts";
import { callers } from "./checks/callers.ts";
import { codebase } from "./checks/codebase.ts";
import { collections } from "./checks/collections.ts";
import { collisions } from "./checks/collisions.ts";
import { database } from "./checks/database.ts";
import { functions } from "./checks/functions.ts";
import { indexes } from "./checks/indexes.ts";
import { queues } from "./checks/queues.ts";
import { regions } from "./checks/regions.ts";
import { roles } from "./checks/roles.ts";
import { rules } from "./checks/rules.ts";
import { runtime } from "./checks/runtime.ts";
import { schedules } from "./checks/schedules.ts";
import { tasks } from "./checks/tasks.ts";
import { trigger } from "./checks/trigger.ts";
import { version } from "./checks/version.ts";
import { type Finding, NotChecked, type Unchecked } from "./finding.ts";
import type { Check, Patient } from "./patient.ts";

export const checks: readonly Check[] = [
  database,
  functions,
  version,
  collisions,
  trigger,
  runtime,
  codebase,
  queues,
  tasks,
  schedules,
  roles,
  callers,
  appCheck,
  regions,
  indexes,
  rules,
  admins,
  boards,
  collections,
  alerts,
  bill,
];

export interface Report {
  project: string;
  database: string;
  /** The gravest first; among equals in the order of the checks. */
  findings: (Finding & { check: string; gravity: Gravity })[];
  unchecked: (Unchecked & { check: string })[];
  seen: { check: string; seen: string }[];
  /** Whether nothing has to be done: neither a fault, nor a danger, nor anything to be checked by hand. */
  isWell: boolean;
}

/** Only reads. @throws CliError if the patient is not named well enough */
export async function examine(
  patient: Patient,
  progress: (done: number, check: string) => void = () => undefined,
): Promise<Report> {
  const { project, database: name } = patient;
  const report: Report = { project, database: name, findings: [], unchecked: [], seen: [], isWell: true };
  for (const [done, one] of checks.entries()) {
    const check = one.name;
    progress(done, check);
    const { seen, findings, unchecked } = await make(one, patient);
    if (seen !== "") report.seen.push({ check, seen });
    report.findings.push(...findings.map((found) => ({ ...found, check, gravity: gravityOf(found.id) })));
    report.unchecked.push(...unchecked.map((some) => ({ ...some, check })));
  }
  progress(checks.length, "");
  const order = Object.keys(catalog) as FindingId[];
  const place = ({ gravity, id }: Report["findings"][number]) =>
    gravities.indexOf(gravity) * 1_000 + order.indexOf(id);
  report.findings.sort((a, b) => place(a) - place(b));
  report.isWell =
    report.findings.every(({ gravity }) => gravity === "note") &&
    report.unchecked.every(({ isAbsent }) => isAbsent);
  return report;
}

/** Makes one check: if it could not look, it never passes for one that found nothing. @throws CliError as above */
export async function make(
  check: Check,
  patient: Patient,
): Promise<{ seen: string; findings: Finding[]; unchecked: Unchecked[] }> {
  try {
    if (check.absent !== undefined && patient.emulators !== undefined)
      throw new NotChecked(check.absent, { isAbsent: true });
    const { seen, findings, unchecked = [] } = await check.look(patient);
    return { seen, findings, unchecked: unchecked.map((one) => ({ byHand: check.byHand, ...one })) };
  } catch (error) {
    // What a file here says wrong leaves the other checks as they are; a command that is wrong ends all of them.
    if (error instanceof CliError && error.exitCode === 2) throw error;
    return { seen: "", findings: [], unchecked: [uncheckedBy(error, check)] };
  }
}

function uncheckedBy(error: unknown, { byHand }: Check): Unchecked {
  if (error instanceof NotChecked)
    return { why: error.message, byHand: error.byHand ?? byHand, isAbsent: error.isAbsent };
  if (error instanceof CliError) return { why: error.message, byHand, isAbsent: false };
  const why = error instanceof Error ? error.message : String(error);
  return { why: `It failed: ${why.split("\n")[0] ?? ""}`, byHand, isAbsent: false };
}
