/**
 * The commands, each with the options that it knows: what is refused, help and types come from this table.
 * A command's own code is loaded when it runs, so help and refusals are quick.
 */
import {
  Argument,
  Command,
  type CommandUnknownOpts,
  Option,
  type OptionValues,
} from "@commander-js/extra-typings";
import { leaderboardId } from "../functions/src/model/ids.ts";
import { roles } from "../functions/src/model/role.ts";
import { version } from "../functions/src/model/version.ts";
import { CliError } from "./cli-error.ts";
import { commandName } from "./command-name.ts";

const project = new Option(
  "--project <id>",
  "a project, with application default credentials. Emulators are used instead if FIRESTORE_EMULATOR_HOST is set; also " +
    "the emulators running on this machine, if --project is missing or names a demo project",
);
const emulators = new Option(
  "--emulators",
  "the running emulators of --project, even if it is not a demo project",
);
const database = new Option(
  "--database <id>",
  "a named database, the DATABASE of the functions; by default (default)",
);
const season = new Option("--season <id>", "a season other than the current one");
const yes = new Option("--yes", "write to a real project without asking");
const asJson = new Option("--json", "as JSON");
const edition = new Option(
  "--edition <edition>",
  "the database's: standard or enterprise; by default as in firebase.json, or standard",
);

const account = new Argument("<account>", "an e-mail address, or a uid");
const isUid = new Option("--uid", "the account is a uid, although it has an @");

const board = new Argument("<board>").argParser(boardOf);

export function createProgram(): CommandUnknownOpts {
  const program = new Command(commandName)
    .version(version, "--version", "the version of this package")
    .exitOverride()
    .showHelpAfterError()
    .addHelpText("after", `\n${commandName} help <command> lists its options.`)
    .hook("preAction", (_program, command) => refuseSwallowed(command));

  program
    .command("init")
    .description(
      "put Firerank into the Firebase project in this folder: codebase, rules, indexes and emulators; shows the difference " +
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
    .option("--remove", "take out again what it has put in; shows the difference and asks first")
    .addOption(yes)
    .action(async (options) => (await import("./commands/project.ts")).init(options));

  onDatabase(program.command("indexes"))
    .description(
      "write the indexes that the boards use into the index file of the project in this folder; on the Enterprise edition, " +
        "repeat it when boards get another order or ties",
    )
    .addOption(edition)
    .addOption(yes)
    .action(async (options) => (await import("./commands/project.ts")).indexes(options));

  onDatabase(program.command("import"))
    .description("players of a .csv, .json or .ndjson file into a board")
    .addArgument(board)
    .argument("<file>")
    .option("--skip-bad", "skip bad lines (without it, a file with bad lines is not imported)")
    .option("--dry-run", "only check the file")
    .option("--restart", "start again after an interrupted import")
    .option("--rank", "publish the ranking afterwards, not at the next interval")
    .addOption(season)
    .addOption(yes)
    .action(async (board, file, options) =>
      (await import("./commands/players.ts")).importPlayers(board, file, options),
    );

  onDatabase(program.command("export"))
    .description(
      "all players of a board into a .csv or .ndjson file; with --season of a closed season its final table, with ranks " +
        "and positions",
    )
    .addArgument(board)
    .argument("<file>")
    .option("--players", "all players even of a closed season, for another import")
    .option("--force", "replace the file")
    .addOption(season)
    .action(async (board, file, options) =>
      (await import("./commands/players.ts")).exportPlayers(board, file, options),
    );

  onDatabase(program.command("seasons"))
    .description("the seasons of a board, the newest first")
    .addArgument(board)
    .option("--span <span>", "all_time, daily, weekly, monthly, or custom for tournaments")
    .option("--status <status>", "open, closing or closed")
    .addOption(asJson)
    .action(async (board, options) => (await import("./commands/seasons.ts")).seasons(board, options));

  onDatabase(program.command("open"))
    .description("open a tournament; by default now and without an end")
    .addArgument(board)
    .argument("<season>")
    .option("--opens-at <time>", "such as 2026-12-01T18:00:00Z")
    .option("--closes-at <time>")
    .addOption(yes)
    .action(async (board, tournament, options) =>
      (await import("./commands/seasons.ts")).open(board, tournament, options),
    );

  onDatabase(program.command("close"))
    .description("end a tournament, about a minute from now")
    .addArgument(board)
    .argument("<season>")
    .option("--wait", "show progress until it is closed; Ctrl-C stops only the display")
    .addOption(yes)
    .action(async (board, tournament, options) =>
      (await import("./commands/seasons.ts")).close(board, tournament, options),
    );

  onDatabase(program.command("delete"))
    .description("delete a board with its seasons, players and scores; nothing brings them back")
    .addArgument(board)
    .addOption(yes)
    .action(async (board, options) => (await import("./commands/seasons.ts")).deleteBoard(board, options));

  onDatabase(program.command("export-player"))
    .description("everything that is stored about a player, on all boards, as JSON")
    .argument("<player>")
    .addOption(new Option("--board <board>", "only on one board").argParser(boardOf))
    .action(async (player, options) => (await import("./commands/players.ts")).exportOne(player, options));

  onDatabase(program.command("rank"))
    .description("publish the ranking now, with everything counted so far")
    .addArgument(board)
    .addOption(season)
    .addOption(yes)
    .action(async (board, options) => (await import("./commands/ranking.ts")).rank(board, options));

  onDatabase(program.command("audit"))
    .description("compare the ranking with the players, by totals; exits with code 1 if a repair is needed")
    .addArgument(board)
    .option("--full", "compare score by score and player by player; reads every player")
    .addOption(asJson)
    .addOption(season)
    .action(async (board, options) => (await import("./commands/ranking.ts")).audit(board, options));

  onDatabase(program.command("repair"))
    .description("bring the ranking in line with the players, while scores come in; reads every player twice")
    .addArgument(board)
    .addOption(asJson)
    .addOption(season)
    .addOption(yes)
    .action(async (board, options) => (await import("./commands/ranking.ts")).repair(board, options));

  onDatabase(program.command("doctor"))
    .description(
      "check the project, or running emulators, and say what to do about each finding; exits with code 1 if something must " +
        "be done. It writes nothing",
    )
    .option(
      "--prefix <prefix>",
      "what the names of the functions begin with, where there is more than one Firerank",
    )
    .option("--region <region>", "where the functions should be")
    .addOption(asJson)
    .action(async (options) => (await import("./commands/project.ts")).doctor(options));

  onDatabase(program.command("grant"))
    .description(
      "give a person or a server's service account a role, in place of the one before; a person's address must be verified",
    )
    .addArgument(account)
    .addArgument(new Argument("<role>").choices(roles))
    .option("--boards <ids>", "only for these boards, as in chess,checkers; by default for all")
    .addOption(isUid)
    .addOption(yes)
    .action(async (account, role, options) =>
      (await import("./commands/project.ts")).grant(account, role, options),
    );

  onDatabase(program.command("revoke"))
    .description("take the role of a person or of a service account away")
    .addArgument(account)
    .addOption(isUid)
    .addOption(yes)
    .action(async (account, options) =>
      (await import("./commands/project.ts")).grant(account, "none", options),
    );

  return program;
}

/** The words of a call with the command before its options, which may also stand before it. */
export function commandFirst(program: CommandUnknownOpts, args: readonly string[]): string[] {
  const names = program.commands.map((command) => command.name());
  const at = args[0]?.startsWith("--") === true ? args.findIndex((word) => names.includes(word)) : 0;
  return [...args.slice(at, at + 1), ...args.slice(0, Math.max(at, 0)), ...args.slice(at + 1)];
}

function onDatabase<Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) {
  return command.addOption(project).addOption(emulators).addOption(database);
}

function boardOf(text: string): string {
  const { data, error } = leaderboardId.safeParse(text);
  if (data !== undefined) return data;
  throw new CliError(`The board "${text}" ${error.issues[0]?.message ?? "is not an id"}.`, { exitCode: 2 });
}

/** An option that got the next option as its value: its own was left out. */
function refuseSwallowed(command: CommandUnknownOpts): void {
  for (const option of command.options) {
    const value: unknown = command.getOptionValue(option.attributeName());
    if (typeof value === "string" && value.startsWith("--"))
      command.error(`error: option '${option.flags}' has no value; ${value} is another option`);
  }
}
