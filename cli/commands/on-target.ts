/** What commands on a database have in common. */
import { FirerankError } from "../../functions/src/model/errors.ts";
import { CliError } from "../cli-error.ts";
import { connect } from "../connect.ts";
import { defaultProject, projectOfAlias } from "../firebaserc.ts";
import { runningEmulators } from "../hub.ts";
import { confirmWriting, connectionAdvice, describeTarget, type Target, targetOf } from "../target.ts";
import { fileHere } from "../command-name.ts";

export interface TargetOptions {
  project?: string | undefined;
  emulators?: boolean | undefined;
  database?: string | undefined;
  yes?: true | undefined;
}

/** What a command runs on. */
export interface OnTarget {
  target: Target;
  /** The target in words. */
  where: string;
  /** @throws CliError without credentials */
  connect: (
    ...more: Parameters<typeof connect> extends [Target, ...infer More] ? More : never
  ) => ReturnType<typeof connect>;
  /** Makes sure that the user wants to write. @throws CliError */
  confirm: (what: string) => Promise<void>;
}

/**
 * Runs a command on the database that its options name. Which of the emulators that run it found, it says, as it may
 * write to them. @throws CliError with advice, where the connection fails or somebody may have meant another project
 */
export async function onTarget(
  { project: named, emulators = false, database, yes }: TargetOptions,
  run: (on: OnTarget) => Promise<void>,
): Promise<void> {
  const here = fileHere(".");
  const project = named === undefined ? undefined : projectOfAlias(named, here);
  const running = await runningEmulators({ project, wantsEmulators: emulators }, process.env);
  if (running !== undefined) {
    Object.assign(process.env, running.set);
    console.error(`Found the emulators of project ${running.found.project} by their hub.`);
  }
  const byDefault = project === undefined ? defaultHere(here) : undefined;
  const isDefault = byDefault !== undefined;
  const target = { ...targetOf(project ?? byDefault, process.env, database), isDefault };
  try {
    await run({
      target,
      where: describeTarget(target),
      connect: (...more) => connect(target, ...more),
      confirm: (what) => confirmWriting(target, what, yes),
    });
  } catch (cause) {
    const advice = connectionAdvice(cause, target);
    if (advice !== undefined) throw new CliError(advice, { cause });
    if (!isNoBoard(cause)) throw cause;
    throw new CliError(`${cause.message}\nLooked in ${describeTarget(target)}.`, {
      cause,
      exitCode: cause instanceof CliError ? cause.exitCode : 1,
    });
  }
}

/** What `firebase` would use. Emulators come before it, and a demo project is nowhere else. */
function defaultHere(here: string): string | undefined {
  if (process.env["FIRESTORE_EMULATOR_HOST"]) return undefined;
  const project = defaultProject(here);
  return project?.startsWith("demo-") === true ? undefined : project;
}

function isNoBoard(error: unknown): error is Error {
  const own = error instanceof CliError ? error.cause : error;
  return own instanceof FirerankError && own.code === "leaderboard_not_found";
}
