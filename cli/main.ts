/** `npx --no-install firerank <command>`: work on boards from a terminal. `--help` lists the commands. */
import { CommanderError } from "@commander-js/extra-typings";
import { FirerankError } from "../functions/src/model/errors.ts";
import { grpcCode } from "../functions/src/world/retryable.ts";
import { CliError } from "./cli-error.ts";
import { commandFirst, createProgram } from "./program.ts";

process.exitCode = (await main(process.argv.slice(2))) || process.exitCode || 0;

async function main(args: string[]): Promise<number> {
  try {
    const program = createProgram();
    await program.parseAsync(commandFirst(program, args), { from: "user" });
    return 0;
  } catch (error) {
    // It has said what is wrong, or shown the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const isExpected =
      error instanceof CliError || error instanceof FirerankError || grpcCode(error) !== undefined;
    if (!isExpected) throw error;
    console.error((error as Error).message);
    return error instanceof CliError ? error.exitCode : 1;
  }
}
