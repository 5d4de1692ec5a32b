/** The database of a command: the emulators', or a real project's, which needs confirmation. */
import { applicationDefault } from "firebase-admin/app";
import { ask } from "./ask.ts";
import { CliError, usageError } from "./cli-error.ts";

export interface Target {
  project: string;
  /** `(default)`, or the id of a named one. */
  database: string;
  /** Host and port of the Firestore emulator; undefined for the real service. */
  emulator: string | undefined;
  /** Whether nobody named the project, so that it is the default one of .firebaserc. */
  isDefault?: boolean;
}

type Environment = Record<string, string | undefined>;

/** The database that projects have without a name for it. */
const defaultDatabase = "(default)";

/**
 * The target of a command. If the environment names emulators, they are the target, whatever the project.
 * @param database the `DATABASE` of the functions
 * @throws CliError if no project is named, or only one of the emulators is: then nobody knows whether
 * the real project is meant.
 */
export function targetOf(
  project: string | undefined,
  environment: Environment,
  database: string = defaultDatabase,
): Target {
  const emulator = environment["FIRESTORE_EMULATOR_HOST"];
  if (emulator) {
    const named = project ?? (environment["GCLOUD_PROJECT"] || undefined);
    if (named !== undefined) return { project: named, database, emulator };
    throw usageError(
      `FIRESTORE_EMULATOR_HOST is set, but no project is named: no hub knows the emulator at ${emulator}, and ` +
        ".firebaserc has no default project. Give it with --project.",
    );
  }
  if (environment["FIREBASE_AUTH_EMULATOR_HOST"]) throw onlyOne("FIREBASE_AUTH_EMULATOR_HOST");
  if (project === undefined) {
    throw usageError(
      "No database is named. Give a project with --project, or start the emulators; they are found automatically.",
    );
  }
  if (project.startsWith("demo-")) {
    throw new CliError(
      `"${project}" exists only on emulators, and none of them is running: no hub answers, and FIRESTORE_EMULATOR_HOST is not set.`,
    );
  }
  return { project, database, emulator: undefined };
}

/** The target of a command on users, in the project of `target`. @throws CliError if only Firestore's emulator is named. */
export function authTargetOf(target: Target, environment: Environment): Target {
  const emulator = environment["FIREBASE_AUTH_EMULATOR_HOST"];
  if (target.emulator !== undefined && !emulator) throw onlyOne("FIRESTORE_EMULATOR_HOST");
  return { ...target, database: defaultDatabase, emulator };
}

const emulatorHosts = {
  FIRESTORE_EMULATOR_HOST: "127.0.0.1:8080",
  FIREBASE_AUTH_EMULATOR_HOST: "127.0.0.1:9099",
} as const;

function onlyOne(isSet: keyof typeof emulatorHosts): CliError {
  const other =
    isSet === "FIRESTORE_EMULATOR_HOST" ? "FIREBASE_AUTH_EMULATOR_HOST" : "FIRESTORE_EMULATOR_HOST";
  return usageError(
    `${isSet} is set, but ${other} is not. On the emulators set both, as in ${other}=${emulatorHosts[other]}; ` +
      "for a real project set neither. Nothing was done.",
  );
}

export function describeTarget({ project, database, emulator }: Target): string {
  const named = database === defaultDatabase ? "" : `database ${database} of `;
  return `${named}project ${project}${emulator === undefined ? "" : ` on the emulator at ${emulator}`}`;
}

/**
 * What to say where only the environment says that this is an emulator: whoever named the project may have meant the real
 * one, and would take what is written for done there. Undefined for a real target, and for a demo's.
 */
export function emulatorNote({ project, emulator }: Target): string | undefined {
  if (emulator === undefined || project.startsWith("demo-")) return undefined;
  return (
    `This is the emulator at ${emulator}, not the real project ${project}: FIRESTORE_EMULATOR_HOST is set. ` +
    "Unset it for the real one; --emulators says that the emulator is meant."
  );
}

/**
 * Makes sure that the user wants to write to a real project.
 * @param input asked if it is a terminal.
 * @throws CliError if the user does not.
 */
export async function confirmWriting(
  target: Target,
  what: string,
  isConfirmed: boolean | undefined,
  input: NodeJS.ReadableStream & { isTTY?: boolean } = process.stdin,
): Promise<void> {
  requireConsent(target, what, isConfirmed, input);
  if (target.emulator !== undefined || isConfirmed) return;
  const question = `${what} writes to ${describeTarget(target)}. Type the name of the project to go on: `;
  if ((await ask(input, question)) !== target.project) throw new CliError("Nothing was written.");
}

/**
 * Makes sure that the user has confirmed already or can be asked, before anything is looked up.
 * @throws CliError if neither is true.
 */
export function requireConsent(
  target: Target,
  what: string,
  isConfirmed: boolean | undefined,
  input: { isTTY?: boolean } = process.stdin,
): void {
  if (target.emulator !== undefined) return;
  if (isConfirmed && target.isDefault === true) {
    throw usageError(
      `${what} would write to ${describeTarget(target)} without a question, as .firebaserc names it. With --yes, name it: ` +
        `--project ${target.project}.`,
    );
  }
  if (isConfirmed || input.isTTY === true) return;
  throw usageError(`${what} writes to ${describeTarget(target)}; confirm with --yes.`);
}

/**
 * Makes sure that there are credentials for a real project: later, the client library would end the process.
 * @throws CliError if there are none.
 */
export async function checkCredentials(target: Target): Promise<void> {
  if (target.emulator !== undefined) return;
  // scripts/run.mjs sets this for the emulators, but a real project's credentials may come from the metadata server.
  delete process.env["METADATA_SERVER_DETECTION"];
  try {
    await applicationDefault().getAccessToken();
  } catch (cause) {
    throw new CliError(
      `There are no credentials for ${describeTarget(target)}. Log in with \`gcloud auth application-default login\`, ` +
        `or set GOOGLE_APPLICATION_CREDENTIALS to the path of a service account's key. (${(cause as Error).message})`,
      { cause },
    );
  }
}

/** Nothing listens where an emulator should be. */
export const noEmulator = (name: "Firestore" | "Auth", host: string) =>
  `No ${name} emulator answers at ${host}.`;

/** As long as an emulator that is there may take to say so, on a busy machine. */
const answerMsMax = 30_000;

/** Makes sure that something listens where a target's emulator should be. No read. @throws CliError */
export async function checkEmulator({ emulator }: Target): Promise<void> {
  if (emulator === undefined) return;
  try {
    await fetch(`http://${emulator}/`, { signal: AbortSignal.timeout(answerMsMax) });
  } catch (cause) {
    throw new CliError(noEmulator("Firestore", emulator), { cause });
  }
}

/** Advice for a connection error of Firestore's client library; undefined for other errors. */
export function connectionAdvice(error: unknown, target: Target): string | undefined {
  const message = error instanceof Error ? error.message : String(error);
  if (target.emulator !== undefined && /ECONNREFUSED|UNAVAILABLE/.test(message)) {
    return noEmulator("Firestore", target.emulator);
  }
  if (target.database === "default" && message.includes("NOT_FOUND"))
    return `${message}\nDid you mean ${defaultDatabase}, with the parentheses?`;
  return /PERMISSION_DENIED|UNAUTHENTICATED/.test(message)
    ? `Your credentials may not use ${describeTarget(target)}: ${message}`
    : undefined;
}
