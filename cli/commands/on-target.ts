/** What commands on a database have in common. */
import { Firestore } from "../../functions/src/documents/firestore.ts";
import { FirerankError, isBoardNotFound } from "../../functions/src/model/errors.ts";
import { createServices } from "../../functions/src/operations/shared/services.ts";
import type { Accounts } from "../../functions/src/world/accounts.ts";
import { ownProcess } from "../../functions/src/world/own-process.ts";
import type { EnqueueJob } from "../../functions/src/world/tasks.ts";
import { refusalOf } from "../call.ts";
import { CliError } from "../cli-error.ts";
import { projectsIn } from "../firebaserc.ts";
import { checkHosts, runningEmulators } from "../hub.ts";
import {
  checkCredentials,
  confirmWriting,
  connectionAdvice,
  describeTarget,
  emulatorNote,
  type Target,
  targetOf,
} from "../target.ts";
import { fileHere } from "../command-name.ts";
import { terminalLog } from "../terminal-log.ts";

export interface TargetOptions {
  project?: string | undefined;
  emulators?: boolean | undefined;
  database?: string | undefined;
  yes?: true | undefined;
}

/** What a command runs on. */
export type OnTarget = ReturnType<typeof withTarget>;

function withTarget(target: Target, yes: boolean | undefined) {
  return {
    target,
    /** The target in words. */
    where: describeTarget(target),
    /**
     * The functions' services: the same code, from outside. `enqueueJob` runs the steps of a long repair.
     * @throws CliError without credentials
     */
    connect: async (more: { enqueueJob?: EnqueueJob; accounts?: Accounts } = {}) => {
      await checkCredentials(target);
      const db = new Firestore({ projectId: target.project, databaseId: target.database });
      return createServices({
        ...ownProcess(db, target.emulator !== undefined),
        log: terminalLog,
        opener: "owner",
        ...more,
      });
    },
    /** Makes sure that the user wants to write. @throws CliError */
    confirm: (what: string) => confirmWriting(target, what, yes),
  };
}

/**
 * Runs a command on the database that its options name. Which of the emulators that run it found, it says, as it may
 * write to them; and that it is on one where only the environment says so, and the project may be a real one.
 * @throws CliError with advice, where the connection fails or somebody may have meant another project
 */
export async function onTarget(
  { project: named, emulators = false, database, yes }: TargetOptions,
  run: (on: OnTarget) => Promise<void>,
): Promise<void> {
  checkHosts(process.env);
  const here = fileHere(".");
  const projects = projectsIn(here);
  const project = named && (projects[named] ?? named);
  const wanted = { project, usual: projects["default"], wantsEmulators: emulators };
  const running = await runningEmulators(wanted, process.env);
  if (running !== undefined) {
    Object.assign(process.env, running.set);
    console.error(`Found the emulators of project ${running.project} ${running.how}.`);
  }
  // Emulators come before what `firebase` would use, and have said their project.
  const isDefault =
    project === undefined && !process.env["FIRESTORE_EMULATOR_HOST"] && projects["default"] !== undefined;
  const target = {
    ...targetOf(isDefault ? projects["default"] : project, process.env, database),
    isDefault,
  };
  const note = running === undefined && !emulators ? emulatorNote(target) : undefined;
  if (note !== undefined) console.error(note);
  try {
    await run(withTarget(target, yes));
  } catch (cause) {
    const advice = connectionAdvice(cause, target);
    if (advice !== undefined) throw new CliError(advice, { cause });
    const error = cause instanceof FirerankError ? refusalOf(cause) : cause;
    if (!(error instanceof CliError) || !isBoardNotFound(error.cause)) throw error;
    const { message, exitCode } = error;
    throw new CliError(`${message}\nLooked in ${describeTarget(target)}.`, { cause, exitCode });
  }
}
