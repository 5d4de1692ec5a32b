/** What commands on a database have in common. */
import { FirerankError } from "../../functions/src/model/errors.ts";
import { CliError } from "../cli-error.ts";
import { runningEmulators } from "../hub.ts";
import { connectionAdvice, describeTarget, type Target, targetOf } from "../target.ts";

export interface TargetOptions {
  project?: string | undefined;
  emulators?: boolean | undefined;
  database?: string | undefined;
}

/**
 * Runs a command on the database that its options name. Where no variable names emulators, those that run may be meant; it
 * says so, as the command may write to them.
 * @throws CliError with advice, where the connection fails or somebody may have meant another project
 */
export async function onTarget(
  { project, emulators = false, database }: TargetOptions,
  run: (target: Target) => Promise<void>,
): Promise<void> {
  const running = await runningEmulators({ project, wantsEmulators: emulators }, process.env);
  if (running !== undefined) {
    Object.assign(process.env, running.set);
    console.error(`Found the emulators of project ${running.found.project} by their hub.`);
  }
  const target = targetOf(project, process.env, database);
  try {
    await run(target);
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

function isNoBoard(error: unknown): error is Error {
  const own = error instanceof CliError ? error.cause : error;
  return own instanceof FirerankError && own.code === "leaderboard_not_found";
}
