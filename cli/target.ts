/** Which database a command is about: the emulators', or a project's own, which it then takes care with. */
import { createInterface } from "node:readline/promises";
import { applicationDefault } from "firebase-admin/app";
import { CliError } from "./cli-error.ts";

export interface Target {
  project: string;
  /** Host and port of the Firestore emulator; nothing for the real thing. */
  emulator: string | undefined;
}

type Environment = Record<string, string | undefined>;

/** Where there is no `--project` and the emulators do not say theirs. */
const emulatorProject = "demo-firerank";

/**
 * The target of a command. Where the emulators are in the environment, they are meant, whatever the project.
 * @throws CliError when neither they nor a project are named.
 */
export function targetOf(project: string | undefined, environment: Environment): Target {
  const emulator = environment["FIRESTORE_EMULATOR_HOST"];
  if (emulator !== undefined && emulator !== "") {
    return { project: project ?? (environment["GCLOUD_PROJECT"] || emulatorProject), emulator };
  }
  if (project === undefined) {
    throw new CliError(
      "Which database? Name a project with --project, or run the command on the emulators: " +
        "FIRESTORE_EMULATOR_HOST=127.0.0.1:8080 beside `npm run emulators`.",
      { exitCode: 2 },
    );
  }
  if (isDemo(project)) {
    throw new CliError(
      `"${project}" exists on emulators only, and none is running: FIRESTORE_EMULATOR_HOST is not set.`,
    );
  }
  return { project, emulator: undefined };
}

/** A target in words. */
export function describeTarget({ project, emulator }: Target): string {
  return emulator === undefined ? `project ${project}` : `project ${project} on the emulator at ${emulator}`;
}

/**
 * Makes sure that the user means to write to a real project.
 * @param input asked where it is a terminal.
 * @throws CliError when the user does not.
 */
export async function confirmWriting(
  target: Target,
  what: string,
  isConfirmed: boolean,
  input: NodeJS.ReadableStream & { isTTY?: boolean },
): Promise<void> {
  if (target.emulator !== undefined || isConfirmed) return;
  requireConsent(target, what, isConfirmed, input);
  const prompt = createInterface({ input, output: process.stderr });
  const answer = await prompt.question(
    `${what} writes to ${describeTarget(target)}. Type its name to go on: `,
  );
  prompt.close();
  if (answer.trim() !== target.project) throw new CliError("Nothing was written.");
}

/**
 * Makes sure that the user has said so already or can be asked, before anything is looked up.
 * @throws CliError when neither is so.
 */
export function requireConsent(
  target: Target,
  what: string,
  isConfirmed: boolean,
  input: { isTTY?: boolean },
): void {
  if (target.emulator !== undefined || isConfirmed || input.isTTY === true) return;
  throw new CliError(`${what} writes to ${describeTarget(target)}; say so with --yes.`, { exitCode: 2 });
}

/**
 * Makes sure that there are credentials for a real project; asked later, the client library would end the process.
 * @throws CliError when there are none.
 */
export async function checkCredentials(target: Target): Promise<void> {
  if (target.emulator !== undefined) return;
  // Set for the emulators' sake by scripts/run.mjs; a real project's credentials may come from there.
  delete process.env["METADATA_SERVER_DETECTION"];
  try {
    await applicationDefault().getAccessToken();
  } catch (cause) {
    throw new CliError(
      `There are no credentials for ${describeTarget(target)}. Log in with \`gcloud auth application-default login\`, ` +
        `or point GOOGLE_APPLICATION_CREDENTIALS to a service account's key. (${(cause as Error).message})`,
      { cause },
    );
  }
}

/** What to do about an error of the client library that is about the connection, or nothing. */
export function connectionAdvice(error: unknown, target: Target): string | undefined {
  const message = error instanceof Error ? error.message : String(error);
  if (target.emulator !== undefined && /ECONNREFUSED|UNAVAILABLE/.test(message)) {
    return `No Firestore emulator answers at ${target.emulator}.`;
  }
  return /PERMISSION_DENIED|UNAUTHENTICATED/.test(message)
    ? `Your credentials may not use ${describeTarget(target)}: ${message}`
    : undefined;
}

function isDemo(project: string): boolean {
  return project.startsWith("demo-");
}
