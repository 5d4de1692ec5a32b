/** `init`, `indexes`, `doctor`, `dashboard`, `grant` and `revoke`: commands on a Firebase project, not on one board. */
import { Argument, type Command, Option } from "@commander-js/extra-typings";
import { type Role, roles } from "../../functions/src/model/role.ts";
import type { RoleAnswer } from "../../functions/src/operations/set-role.ts";
import { usageError } from "../cli-error.ts";
import { fileHere } from "../command-name.ts";
import { projectFolder } from "../init/project-folder.ts";
import type { TargetOptions } from "./on-target.ts";
import { asJson, json, onDatabase, onTarget, yes } from "./options.ts";

const edition = new Option(
  "--edition <edition>",
  "the database's: standard or enterprise; by default as in firebase.json, or standard",
);
const prefix = new Option(
  "--prefix <prefix>",
  "what the names of the functions begin with, where there is more than one Firerank",
);
const region = new Option("--region <region>", "where the functions should be");
const account = new Argument("<account>", "an e-mail address, or a uid");
const isUid = new Option("--uid", "the account is a uid, although it has an @");
const remove = new Option(
  "--remove",
  "take out again what it has put in, whatever the database; says what changes and asks first",
).conflicts(["prefix", "namesChecked", "database", "edition", "directWrites"]);
const diff = new Option("--diff", "show every line that changes");
const yesToFiles = new Option("--yes", "write the files without asking");
const say = (line: string) => console.log(line);

export function addProject(program: Command): void {
  program
    .command("init")
    .description(
      "put Firerank into the Firebase project in this folder: codebase, rules, indexes and emulators; says what changes " +
        "and asks first, unless --yes is given",
    )
    .option("--prefix <prefix>", "a prefix for the names of its functions, if yours have the same names")
    .option(
      "--names-checked",
      "with --yes: you have compared the names of your functions that it can't ask for",
    )
    .option("--database <id>", "the database to use; by default the one that firebase.json names")
    .addOption(edition)
    .option(
      "--direct-writes <true|false>",
      "whether servers of yours write players' documents by themselves; asks otherwise, and with --yes leaves it at true. " +
        "If false, each score saves the call of a trigger",
    )
    .addOption(remove)
    .addOption(diff)
    .addOption(yesToFiles)
    .action(async ({ database: databaseId, yes: isConfirmed = false, remove, ...options }) => {
      const write =
        remove === true
          ? (await import("../init/remove.ts")).removeFromProject
          : (await import("../init/init.ts")).initProject;
      const { stdin: input } = process;
      await write({ ...options, databaseId, yes: isConfirmed, project: projectHere(), say, input });
    });

  onDatabase(program.command("indexes"))
    .description(
      "write the indexes that the boards use into the index file of the project in this folder; on the Enterprise edition, " +
        "repeat it when boards get another order or ties, or segments",
    )
    .addOption(edition)
    .addOption(diff)
    .addOption(yesToFiles)
    .action(({ edition, diff, ...options }) =>
      onTarget(options, async ({ target, where, connect }) => {
        const { writeIndexes } = await import("../init/indexes.ts");
        console.error(`Reading the boards of ${where}.`);
        const { db } = await connect();
        const { stdin: input } = process;
        const consent = { yes: options.yes ?? false, diff, say, input };
        await writeIndexes(db, {
          project: projectHere(),
          databaseId: target.database,
          edition,
          ...consent,
        });
      }),
    );

  onDatabase(program.command("doctor"))
    .description(
      "check the project, or running emulators, and say what to do about each finding; exits with code 1 if something must " +
        "be done. It writes nothing",
    )
    .addOption(prefix)
    .addOption(region)
    .addOption(asJson)
    .action(({ prefix, region, json: isJson, ...options }) =>
      onTarget(options, async ({ target, where }) => {
        const { examineTarget } = await import("../doctor/doctor.ts");
        const { reportText } = await import("../doctor/report.ts");
        console.error(`Looking at ${where}.`);
        const folder = projectFolder(fileHere("."));
        const report = await examineTarget(target, { prefix, region, folder }, process.env, process.stderr);
        console.log(isJson ? json(report) : `\n${reportText(report)}`);
        if (!report.isWell) process.exitCode = 1;
      }),
    );

  onDatabase(program.command("dashboard"))
    .description(
      "show boards, seasons and runs of running emulators or a project in the browser; prints the address, and Ctrl-C ends it",
    )
    .addOption(prefix)
    .addOption(region)
    .option("--port <port>", "the port of this computer; by default 5055, or one that is free", portOf)
    .action((options) =>
      onTarget(options, async ({ target, where }) => {
        const { showDashboard } = await import("../dashboard/dashboard.ts");
        console.error(`Looking at ${where}.`);
        await showDashboard(target, { ...options, say }, process.env);
      }),
    );

  onDatabase(program.command("grant"))
    .description(
      "give a person or a server's service account a role, in place of the one before; a person's address must be verified",
    )
    .addArgument(account)
    .addArgument(new Argument("<role>").choices(roles))
    .option("--boards <ids>", "only for these boards, as in chess,checkers; by default for all")
    .addOption(isUid)
    .addOption(yes)
    .action((account, role, { boards, ...options }) =>
      grant(
        account,
        role,
        boards?.split(",").map((one) => one.trim()),
        options,
      ),
    );

  onDatabase(program.command("revoke"))
    .description("take the role of a person or of a service account away")
    .addArgument(account)
    .addOption(isUid)
    .addOption(yes)
    .action((account, options) => grant(account, "none", undefined, options));
}

function grant(
  account: string,
  role: Role | "none",
  boards: string[] | undefined,
  options: TargetOptions & { uid?: true | undefined },
): Promise<void> {
  const named = account.includes("@") && options.uid !== true ? { email: account } : { uid: account };
  const what = role === "none" ? "Revoking a role" : "Granting a role";
  return onTarget(options, async (on) => {
    const { setRole } = await import("../roles.ts");
    const { authTargetOf, confirmWriting, requireConsent } = await import("../target.ts");
    const authTarget = authTargetOf(on.target, process.env);
    requireConsent(authTarget, what, options.yes);
    const granted = await setRole(on, named, { role, boards }, async (who) => {
      if (who !== undefined) console.error(`${who}\n`);
      await confirmWriting(authTarget, what, options.yes);
    });
    console.log(grantedText(granted));
  });
}

function grantedText({ uid, email, role, boards }: RoleAnswer): string {
  const who = email === undefined || uid === undefined ? (email ?? uid) : `${email} (${uid})`;
  const where = boards === undefined ? "all boards" : `the boards ${boards.join(", ")}`;
  const since =
    uid === undefined
      ? "within a minute"
      : "sign out and in again, or wait for the next ID token, an hour at most";
  return `${who ?? "nobody"} has ${role === "none" ? "no role" : `the role ${role} for ${where}`}: ${since}.`;
}

function portOf(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw usageError(`--port ${text}: it takes a number from 1 to 65535.`);
}

/** The project that a command is for: that of the folder, or of one above it, which it says. */
function projectHere(): string {
  const here = fileHere(".");
  const project = projectFolder(here);
  if (project !== here) say(`The project is ${project}: its firebase.json is the nearest.\n`);
  return project;
}
