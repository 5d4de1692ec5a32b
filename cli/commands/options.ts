/** Options and arguments that several commands have. What a command runs is loaded when it runs, so help is quick. */
import { Argument, type Command, Option, type OptionValues } from "@commander-js/extra-typings";
import { definedId, leaderboardId } from "../../functions/src/model/ids.ts";
import { parameters, wrongIn } from "../../functions/src/model/parameters.ts";
import { usageError } from "../cli-error.ts";
import type { OnTarget, TargetOptions } from "./on-target.ts";

const project = new Option(
  "--project <id>",
  "a project, with application default credentials. Emulators are used instead if FIRESTORE_EMULATOR_HOST is set; also " +
    "the emulators running on this machine, if --project is missing or names a demo project",
).argParser(projectOf);
const emulators = new Option(
  "--emulators",
  "the running emulators of --project, even if it is not a demo project",
);
const database = new Option(
  "--database <id>",
  "a named database, the DATABASE of the functions; by default (default)",
).argParser(databaseOf);
export const season = new Option("--season <id>", "a season by its id, such as a tournament");
export const span = new Option("--span <span>", "the running season of a span, such as daily").conflicts(
  "season",
);
export const yes = new Option("--yes", "write to a real project without asking");
export const asJson = new Option("--json", "as JSON");

export const board = new Argument("<board>").argParser(boardOf);

/** A board that has a definition of its own, or a template. */
export const defined = new Argument("<board>", "a board or a template").argParser((text) =>
  idOf(text, definedId),
);

export function boardOf(text: string): string {
  return idOf(text, leaderboardId);
}

function idOf(text: string, id: typeof leaderboardId): string {
  const { data, error } = id.safeParse(text);
  if (data !== undefined) return data;
  throw usageError(`The board "${text}" ${error.issues[0]?.message ?? "is not an id"}.`);
}

/** A script's variable may be empty; that must not become the default project. */
function projectOf(text: string): string {
  if (text !== "") return text;
  throw usageError("--project has no value.");
}

function databaseOf(text: string): string {
  if (wrongIn("DATABASE", text) === undefined) return text;
  throw usageError(`--database ${text}: it takes ${parameters.DATABASE.words}.`);
}

export function onDatabase<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  return command.addOption(project).addOption(emulators).addOption(database);
}

/** Runs a command on the database that its options name. @throws CliError with advice */
export async function onTarget(options: TargetOptions, run: (on: OnTarget) => Promise<void>): Promise<void> {
  await (await import("./on-target.ts")).onTarget(options, run);
}

export const json = (value: unknown) => JSON.stringify(value, undefined, 2);
