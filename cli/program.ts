/** The commands, each with the options that it knows: what is refused, help and types come from these. */
import { Command, CommanderError, type CommandUnknownOpts } from "@commander-js/extra-typings";
import { FirerankError } from "../functions/src/model/errors.ts";
import { version } from "../functions/src/model/version.ts";
import { grpcCode } from "../functions/src/world/retryable.ts";
import { CliError } from "./cli-error.ts";
import { commandName } from "./command-name.ts";
import { addBoards } from "./commands/boards.ts";
import { addLeague } from "./commands/league.ts";
import { addModeration } from "./commands/moderation.ts";
import { addPlayers } from "./commands/players.ts";
import { addProject } from "./commands/project.ts";
import { addRanking } from "./commands/ranking.ts";
import { addSeasons } from "./commands/seasons.ts";
import { asCliError } from "./system-error.ts";

/** Runs a call of the command line. @returns the code with which the process ends, unless the command has set one */
export async function run(args: readonly string[]): Promise<number> {
  try {
    const program = createProgram();
    await program.parseAsync(commandFirst(program, args), { from: "user" });
    return 0;
  } catch (thrown) {
    // It has said what is wrong, or shown the help that was asked for.
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? 0 : 2;
    const error = asCliError(thrown);
    const isExpected =
      error instanceof CliError || error instanceof FirerankError || grpcCode(error) !== undefined;
    if (!isExpected) throw error;
    console.error((error as Error).message);
    return error instanceof CliError ? error.exitCode : 1;
  }
}

export function createProgram(): CommandUnknownOpts {
  const program = new Command(commandName)
    .version(version, "--version", "the version of this package")
    .exitOverride()
    .showHelpAfterError()
    .addHelpText("after", `\n${commandName} help <command> lists its options.`)
    .hook("preAction", (_program, command) => refuseSwallowed(command));
  for (const add of [addProject, addBoards, addPlayers, addModeration, addSeasons, addRanking, addLeague])
    add(program);
  return program;
}

/** The words of a call with the command before its options, which may also stand before it. */
export function commandFirst(program: CommandUnknownOpts, args: readonly string[]): string[] {
  const names = program.commands.map((command) => command.name());
  const at = args[0]?.startsWith("--") === true ? args.findIndex((word) => names.includes(word)) : 0;
  return [...args.slice(at, at + 1), ...args.slice(0, Math.max(at, 0)), ...args.slice(at + 1)];
}

/** An option that got the next option as its value: its own was left out. */
function refuseSwallowed(command: CommandUnknownOpts): void {
  for (const option of command.options) {
    const value: unknown = command.getOptionValue(option.attributeName());
    if (typeof value === "string" && value.startsWith("--"))
      command.error(`error: option '${option.flags}' has no value; ${value} is another option`);
  }
}
