/** `init`, `indexes`, `doctor` and `grant-admin`: commands on a Firebase project, not on one board. */
import { CliError } from "../cli-error.ts";
import { connect } from "../connect.ts";
import { examineTarget } from "../doctor/doctor.ts";
import { reportText } from "../doctor/report.ts";
import { describeUser, grantAdmin, type NamedUser } from "../grant-admin.ts";
import { writeIndexes } from "../init/indexes.ts";
import { initProject } from "../init/init.ts";
import { removeFromProject } from "../init/remove.ts";
import { projectFolder } from "../init/project-folder.ts";
import { authTargetOf, checkCredentials, confirmWriting, describeTarget, requireConsent } from "../target.ts";
import { onTarget, type TargetOptions } from "./on-target.ts";
import { fileHere } from "./terminal.ts";

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
    const report = await examineTarget(target, { prefix, region }, process.env, process.stderr);
    console.log(json ? JSON.stringify(report, undefined, 2) : `\n${reportText(report)}`);
    if (!report.isWell) process.exitCode = 1;
  });
}

interface GrantOptions extends TargetOptions {
  uid?: string | undefined;
  yes?: boolean | undefined;
}

export function grant(
  email: string | undefined,
  { uid: asked, yes, ...options }: GrantOptions,
): Promise<void> {
  const named = namedUser(email, asked);
  const what = "Granting rights";
  return onTarget(options, async (target) => {
    const authTarget = authTargetOf(target, process.env);
    requireConsent(authTarget, what, yes);
    await checkCredentials(authTarget);
    const { uid } = await grantAdmin(target.project, named, async (user) => {
      console.error(`${describeUser(user)}\n`);
      await confirmWriting(authTarget, what, yes);
    });
    const who = "email" in named ? `${named.email} (${uid})` : uid;
    console.log(`${who} is an admin of leaderboards after the next sign-in or token refresh.`);
  });
}

/** @throws CliError if a user is named twice, or not at all */
function namedUser(email: string | undefined, uid: string | undefined): NamedUser {
  if (uid === undefined && email !== undefined) return { email };
  if (uid !== undefined && email === undefined) return { uid };
  throw new CliError("Name one user, either by e-mail address or with --uid.", { exitCode: 2 });
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
