/** `init`, `indexes`, `doctor`, `grant` and `revoke`: commands on a Firebase project, not on one board. */
import type { Role } from "../../functions/src/model/role.ts";
import type { RoleAnswer } from "../../functions/src/operations/set-role.ts";
import { connect } from "../connect.ts";
import { examineTarget } from "../doctor/doctor.ts";
import { reportText } from "../doctor/report.ts";
import { writeIndexes } from "../init/indexes.ts";
import { initProject } from "../init/init.ts";
import { removeFromProject } from "../init/remove.ts";
import { projectFolder } from "../init/project-folder.ts";
import { setRole } from "../roles.ts";
import { authTargetOf, confirmWriting, describeTarget, requireConsent } from "../target.ts";
import { onTarget, type TargetOptions } from "./on-target.ts";
import { fileHere } from "../command-name.ts";

interface InitOptions {
  prefix?: string | undefined;
  namesChecked?: boolean | undefined;
  database?: string | undefined;
  edition?: string | undefined;
  directWrites?: string | undefined;
  remove?: boolean | undefined;
  yes?: boolean | undefined;
}

export async function init({
  database: databaseId,
  yes = false,
  remove = false,
  ...options
}: InitOptions): Promise<void> {
  const write = remove ? removeFromProject : initProject;
  await write({ ...options, databaseId, yes, project: projectHere(), say, input: process.stdin });
}

interface IndexesOptions extends TargetOptions {
  edition?: string | undefined;
  yes?: boolean | undefined;
}

export function indexes({ edition, yes = false, ...options }: IndexesOptions): Promise<void> {
  return onTarget(options, async (target) => {
    console.error(`Reading the boards of ${describeTarget(target)}.`);
    const { db } = await connect(target);
    const { stdin: input } = process;
    await writeIndexes(db, { project: projectHere(), yes, databaseId: target.database, edition, say, input });
  });
}

interface DoctorOptions extends TargetOptions {
  prefix?: string | undefined;
  region?: string | undefined;
  json?: boolean | undefined;
}

export function doctor({ prefix, region, json, ...options }: DoctorOptions): Promise<void> {
  return onTarget(options, async (target) => {
    console.error(`Looking at ${describeTarget(target)}.`);
    const folder = projectFolder(fileHere("."));
    const report = await examineTarget(target, { prefix, region, folder }, process.env, process.stderr);
    console.log(json ? JSON.stringify(report, undefined, 2) : `\n${reportText(report)}`);
    if (!report.isWell) process.exitCode = 1;
  });
}

interface RoleOptions extends TargetOptions {
  boards?: string | undefined;
  uid?: boolean | undefined;
  yes?: boolean | undefined;
}

export function grant(
  account: string,
  role: Role | "none",
  { boards: list, uid: isUid = false, yes, ...options }: RoleOptions,
): Promise<void> {
  const named = account.includes("@") && !isUid ? { email: account } : { uid: account };
  const boards = list?.split(",").map((board) => board.trim());
  const what = role === "none" ? "Revoking a role" : "Granting a role";
  return onTarget(options, async (target) => {
    const authTarget = authTargetOf(target, process.env);
    requireConsent(authTarget, what, yes);
    const granted = await setRole(target, named, { role, boards }, async (who) => {
      if (who !== undefined) console.error(`${who}\n`);
      await confirmWriting(authTarget, what, yes);
    });
    console.log(grantedText(granted));
  });
}

function grantedText({ uid, email, role, boards }: RoleAnswer): string {
  const who = email === undefined || uid === undefined ? (email ?? uid) : `${email} (${uid})`;
  const where = boards === undefined ? "all boards" : `the boards ${boards.join(", ")}`;
  const since = uid === undefined ? "within a minute" : "after the next sign-in, or within an hour";
  return `${who ?? "nobody"} has ${role === "none" ? "no role" : `the role ${role} for ${where}`}: ${since}.`;
}

function say(line: string): void {
  console.log(line);
}

/** The project that a command is for: that of the folder, or of one above it, which it says. */
function projectHere(): string {
  const here = fileHere(".");
  const project = projectFolder(here);
  if (project !== here) say(`The project is ${project}: its firebase.json is the nearest.\n`);
  return project;
}
