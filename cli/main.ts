/** `npx firerank <command>`: work on boards from a terminal. `--help` lists the commands. */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { FirerankError } from "../functions/src/model/errors.ts";
import type { RepairKind } from "../functions/src/documents/repair-record.ts";
import { leaderboardId } from "../functions/src/model/ids.ts";
import { runRankingSpec } from "../functions/src/operations/run-ranking.ts";
import type { Services } from "../functions/src/operations/services.ts";
import { publishRanking } from "../functions/src/ranking/run.ts";
import { requestedBoard } from "../functions/src/seasons/current.ts";
import { version } from "../functions/src/model/version.ts";
import { grpcCode } from "../functions/src/world/retryable.ts";
import { call } from "./call.ts";
import { CliError } from "./cli-error.ts";
import { commandName } from "./command-name.ts";
import { connect } from "./connect.ts";
import { exportFile, exportSummary } from "./export-file.ts";
import { exportPlayer, isEmpty } from "./export-player.ts";
import { describeUser, grantAdmin } from "./grant-admin.ts";
import { runningEmulators } from "./hub.ts";
import { importFile } from "./import/import-file.ts";
import { createRamp, noRamp } from "./import/ramp.ts";
import { projectFolder } from "./init/project-folder.ts";
import { count } from "./progress.ts";
import { createSteps, repairSeason, repairSummary } from "./repairs.ts";
import { closeSeason, openSeason, seasonsOf, seasonsTable, waitUntilClosed } from "./seasons.ts";
import {
  authTargetOf,
  checkCredentials,
  confirmWriting,
  connectionAdvice,
  describeTarget,
  requireConsent,
  type Target,
  targetOf,
} from "./target.ts";

const usage = `Usage: ${commandName} <command>

  init                    put Firerank into the Firebase project in this folder: codebase, rules, indexes and
                          emulators; shows the difference and asks first, unless --yes is given
      --prefix <prefix>   a prefix for the names of its functions, if yours have the same names
      --names-checked     with --yes: you have compared the names of your functions that it can't ask for
      --database <id>     the database to use; by default the one that firebase.json names
      --edition <edition> the database's: standard or enterprise; by default as in firebase.json, or standard
      --direct-writes <true|false>  whether servers of yours write players' documents by themselves; asks otherwise, and
                          with --yes leaves it at true. If false, each score saves the call of a trigger
  indexes                 write the indexes that the boards use into the index file of the project in this folder;
                          on the Enterprise edition, repeat it when boards get another order or ties
  import <board> <file>   players of a .csv, .json or .ndjson file into a board
      --skip-bad          skip bad lines (without it, a file with bad lines is not imported)
      --dry-run           only check the file
      --restart           start again after an interrupted import
      --rank              publish the ranking afterwards, not at the next interval
  export <board> <file>   all players of a board into a .csv or .ndjson file; with --season of a closed
                          season its final table, with ranks and positions
      --players           all players even of a closed season, for another import
      --force             replace the file
  seasons <board>         its seasons, the newest first
      --span <span>       all_time, daily, weekly, monthly, or custom for tournaments
      --status <status>   open, closing or closed
      --json              as JSON
  open <board> <season>   open a tournament; by default now and without an end
      --opens-at <time>   such as 2026-12-01T18:00:00Z
      --closes-at <time>
  close <board> <season>  end a tournament, about a minute from now
      --wait              show progress until it is closed; Ctrl-C stops only the display
  export-player <player>  everything that is stored about a player, on all boards, as JSON
      --board <board>     only on one board
  rank <board>            publish the ranking now, with everything counted so far
  audit <board>           compare the ranking with the players, by totals; exits with code 1 if a repair is needed
      --full              compare score by score and player by player; reads every player
      --json              the record as JSON; also for repair
  repair <board>          bring the ranking in line with the players, while scores come in; reads every player twice
  doctor                  check the project, or running emulators, and say what to do about each finding; exits with
                          code 1 if something must be done. It writes nothing
      --prefix <prefix>   what the names of the functions begin with, where there is more than one Firerank
      --region <region>   where the functions should be
      --json              as JSON
  grant-admin <email>     give a user the custom claim leaderboard_admin; the address must be verified
  grant-admin --uid <id>  the same for a user by uid

  --project <id>          a project, with application default credentials. Emulators are used instead if
                          FIRESTORE_EMULATOR_HOST is set; also the emulators running on this machine, if
                          --project is missing or names a demo project
  --emulators             the running emulators of --project, even if it is not a demo project
  --database <id>         a named database, the DATABASE of the functions; by default (default)
  --season <id>           import, export, rank, audit, repair: a season other than the current one
  --yes                   write to a real project without asking
  --version               the version of this package`;

const optionTypes = {
  project: { type: "string" },
  database: { type: "string" },
  season: { type: "string" },
  emulators: { type: "boolean", default: false },
  prefix: { type: "string" },
  "names-checked": { type: "boolean", default: false },
  edition: { type: "string" },
  "direct-writes": { type: "string" },
  region: { type: "string" },
  yes: { type: "boolean", default: false },
  "skip-bad": { type: "boolean", default: false },
  "dry-run": { type: "boolean", default: false },
  restart: { type: "boolean", default: false },
  rank: { type: "boolean", default: false },
  force: { type: "boolean", default: false },
  uid: { type: "string" },
  board: { type: "string" },
  players: { type: "boolean", default: false },
  full: { type: "boolean", default: false },
  span: { type: "string" },
  status: { type: "string" },
  json: { type: "boolean", default: false },
  "opens-at": { type: "string" },
  "closes-at": { type: "string" },
  wait: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
  version: { type: "boolean", default: false },
} as const;

type Options = ReturnType<typeof parse>["values"];
type Command = (target: Target, options: Options, operands: [string, string]) => Promise<void>;

const commands = {
  import: importCommand,
  export: exportCommand,
  "export-player": exportPlayerCommand,
  seasons: seasonsCommand,
  open: openCommand,
  close: closeCommand,
  rank: rankCommand,
  audit: repairCommand("audit"),
  repair: repairCommand("repair"),
  "grant-admin": grantAdminCommand,
  indexes: indexesCommand,
  doctor: doctorCommand,
} satisfies Record<string, Command>;

process.exitCode = (await main()) || process.exitCode || 0;

async function main(): Promise<number> {
  let target: Target | undefined;
  try {
    const { options, command, operands } = readCommand();
    if (options.help || options.version) {
      console.log(options.help ? usage : version);
      return 0;
    }
    if (command === "init") {
      await initCommand(options);
      return 0;
    }
    await findEmulators(options);
    target = targetOf(options.project, process.env, options.database);
    await commands[command](target, options, operands);
    return 0;
  } catch (error) {
    const advice = target === undefined ? undefined : connectionAdvice(error, target);
    const isExpected =
      error instanceof CliError || error instanceof FirerankError || grpcCode(error) !== undefined;
    if (advice === undefined && !isExpected) throw error;
    console.error(advice ?? (error as Error).message);
    if (target !== undefined && isNoBoard(error)) console.error(`Looked in ${describeTarget(target)}.`);
    return error instanceof CliError ? error.exitCode : 1;
  }
}

/** Where no variable names emulators, those that run may be meant. It says so, as the command may write to them. */
async function findEmulators({ project, emulators }: Options): Promise<void> {
  const running = await runningEmulators({ project, wantsEmulators: emulators }, process.env);
  if (running === undefined) return;
  Object.assign(process.env, running.set);
  console.error(`Found the emulators of project ${running.found.project} by their hub.`);
}

/** Whether a board was not found: somebody may have meant another project. */
function isNoBoard(error: unknown): boolean {
  const own = error instanceof CliError ? error.cause : error;
  return own instanceof FirerankError && own.code === "leaderboard_not_found";
}

async function importCommand(
  target: Target,
  options: Options,
  [board, path]: [string, string],
): Promise<void> {
  const leaderboard = boardOf(board);
  const file = fileOf(path);
  if (!options["dry-run"]) await confirmWriting(target, "The import", options.yes, process.stdin);
  console.error(`Importing ${file} into "${leaderboard}", ${describeTarget(target)}.`);
  const services = await connect(target);
  const ramp = target.emulator === undefined ? createRamp(services) : noRamp;
  const interrupted = () => {
    console.error("\nInterrupted. The same command continues it.");
    process.exit(130);
  };
  process.once("SIGINT", interrupted);
  const report = await importFile(
    { services, project: target.project, database: target.database, ramp, stream: process.stderr },
    {
      leaderboard,
      file,
      season: options.season,
      skipBad: options["skip-bad"],
      dryRun: options["dry-run"],
      restart: options.restart,
    },
  );
  process.off("SIGINT", interrupted);
  const { imported, bad } = report;
  if (imported === undefined) {
    const found = `${count(report.records, "record")}, ${count(bad, "bad line")}; nothing was imported.`;
    if (bad > 0) throw new CliError(found);
    console.log(found);
  } else {
    const skipped = bad === 0 ? "" : `, ${count(bad, "bad line")} skipped`;
    console.log(`${count(imported.written, "player")} written, ${imported.unchanged} unchanged${skipped}.`);
  }
  if (imported !== undefined && options.rank) await rank(services, leaderboard, options.season);
  else if (imported !== undefined)
    console.log("The next ranking includes them; --rank publishes it at once.");
}

async function rankCommand(target: Target, options: Options, [board]: [string, string]): Promise<void> {
  const leaderboard = boardOf(board);
  await confirmWriting(target, "Ranking", options.yes, process.stdin);
  const asked = { leaderboard, season: options.season, include_open_slot: true };
  const { outcome, generation, players, rows } = await call(runRankingSpec, await connect(target), asked);
  if (outcome === "nothing_to_do")
    console.log(`Nothing has changed since generation ${generation ?? "none"}.`);
  else console.log(generationLine({ generation, players, rows }));
}

/** An audit only writes its record, which nobody is asked about. */
function repairCommand(kind: RepairKind): Command {
  return async (target, options, [board]) => {
    const leaderboard = boardOf(board);
    if (kind !== "audit") await confirmWriting(target, `The ${kind}`, options.yes, process.stdin);
    const steps = createSteps();
    const services = await connect(target, steps);
    const { season, full } = options;
    const record = await repairSeason(services, steps, { kind, leaderboard, season, full }, (line) => {
      console.error(line);
    });
    console.log(options.json ? JSON.stringify(record, undefined, 2) : repairSummary(record));
    if (record.kind === "audit" && record.repair !== "none") process.exitCode = 1;
  };
}

function generationLine(run: { generation: number | null; players: number; rows: number }): string {
  return `Generation ${run.generation ?? "none"}: ${count(run.players, "player")} in ${count(run.rows, "row")}.`;
}

async function rank(services: Services, leaderboard: string, season?: string): Promise<void> {
  console.error("Ranking …");
  const { key } = await requestedBoard(services, { leaderboard, season });
  console.log(generationLine(await publishRanking(services, key, { includeOpenSlot: true })));
}

async function exportCommand(
  target: Target,
  options: Options,
  [board, path]: [string, string],
): Promise<void> {
  const leaderboard = boardOf(board);
  const file = fileOf(path);
  console.error(`Exporting "${leaderboard}", ${describeTarget(target)}, to ${file}.`);
  const { season, force, players } = options;
  const report = await exportFile(await connect(target), process.stderr, {
    leaderboard,
    file,
    season,
    force,
    players,
  });
  console.log(exportSummary(report, { season, players }));
}

async function exportPlayerCommand(
  target: Target,
  { board }: Options,
  [player]: [string, string],
): Promise<void> {
  const leaderboard = board === undefined ? undefined : boardOf(board);
  const where = leaderboard === undefined ? "all boards" : `"${leaderboard}"`;
  console.error(`Exporting "${player}" from ${where}, ${describeTarget(target)}.`);
  const exported = await exportPlayer(await connect(target), player, leaderboard);
  if (isEmpty(exported)) console.error("Nothing is stored about this player. Is the id right?");
  console.log(JSON.stringify(exported, undefined, 2));
}

async function seasonsCommand(
  target: Target,
  { span, status, json }: Options,
  [board]: [string, string],
): Promise<void> {
  const leaderboard = boardOf(board);
  const services = await connect(target);
  const seasons = await seasonsOf(services, leaderboard, { span, status });
  if (json) console.log(JSON.stringify(seasons, undefined, 2));
  else if (seasons.length > 0) console.log(seasonsTable(seasons, services.now()));
  else console.log("No seasons yet. The first score opens those of spans; `open` opens a tournament.");
}

async function openCommand(
  target: Target,
  options: Options,
  [board, season]: [string, string],
): Promise<void> {
  const leaderboard = boardOf(board);
  await confirmWriting(target, "Opening a season", options.yes, process.stdin);
  const times = { opens_at: options["opens-at"], closes_at: options["closes-at"] };
  const opened = await openSeason(await connect(target), { leaderboard, season }, times);
  const until = opened.closes_at === null ? "; `close` ends it" : ` until ${opened.closes_at}`;
  console.log(`"${season}" takes scores from ${opened.opens_at}${until}.`);
}

async function closeCommand(
  target: Target,
  options: Options,
  [board, season]: [string, string],
): Promise<void> {
  const leaderboard = boardOf(board);
  await confirmWriting(target, "Closing a season", options.yes, process.stdin);
  const services = await connect(target);
  const { status, closes_at: closes } = await closeSeason(services, { leaderboard, season });
  if (status === "open")
    console.log(`"${season}" takes scores until ${closes ?? "it is closed"}; then it closes in steps.`);
  else console.log(`"${season}" took scores until ${closes ?? "it was closed"}; it is ${status}.`);
  if (!options.wait) return;
  const say = (line: string) => {
    console.error(`${new Date().toISOString().slice(11, 19)}  ${line}`);
  };
  await waitUntilClosed(services, { leaderboard, season }, { say });
  console.log(`"${season}" is closed. Its final table: export ${leaderboard} <file> --season ${season}`);
}

async function grantAdminCommand(target: Target, options: Options, [email]: [string, string]): Promise<void> {
  const what = "Granting rights";
  const authTarget = authTargetOf(target, process.env);
  requireConsent(authTarget, what, options.yes, process.stdin);
  await checkCredentials(authTarget);
  const named = options.uid === undefined ? { email } : { uid: options.uid };
  const { uid } = await grantAdmin(target.project, named, async (user) => {
    console.error(`${describeUser(user)}\n`);
    await confirmWriting(authTarget, what, options.yes, process.stdin);
  });
  console.log(
    `${options.uid === undefined ? `${email} (${uid})` : uid} is an admin of leaderboards after the next sign-in or token refresh.`,
  );
}

async function doctorCommand(target: Target, { prefix, region, json }: Options): Promise<void> {
  const { examineTarget } = await import("./doctor/doctor.ts");
  console.error(`Looking at ${describeTarget(target)}.`);
  const report = await examineTarget(target, { prefix, region }, process.env, process.stderr);
  const { reportText } = await import("./doctor/report.ts");
  console.log(json ? JSON.stringify(report, undefined, 2) : `\n${reportText(report)}`);
  if (!report.isWell) process.exitCode = 1;
}

function parse() {
  return parseArgs({ options: optionTypes, allowPositionals: true });
}

async function initCommand(options: Options): Promise<void> {
  const { yes, prefix, database: databaseId, edition } = options;
  const say = (line: string) => {
    console.log(line);
  };
  const { initProject } = await import("./init/init.ts");
  const { stdin: input } = process;
  await initProject({
    project: projectHere(say),
    yes,
    prefix,
    namesChecked: options["names-checked"],
    directWrites: options["direct-writes"],
    databaseId,
    edition,
    say,
    input,
  });
}

async function indexesCommand(target: Target, { yes, edition }: Options): Promise<void> {
  const say = (line: string) => {
    console.log(line);
  };
  console.error(`Reading the boards of ${describeTarget(target)}.`);
  const { db } = await connect(target);
  const { writeIndexes } = await import("./init/indexes.ts");
  const { stdin: input } = process;
  await writeIndexes(db, {
    project: projectHere(say),
    yes,
    databaseId: target.database,
    edition,
    say,
    input,
  });
}

/** The project that a command is for: that of the folder, or of one above it, which it says. */
function projectHere(say: (line: string) => void): string {
  const here = fileOf(".");
  const project = projectFolder(here);
  if (project !== here) say(`The project is ${project}: its firebase.json is the nearest.\n`);
  return project;
}

type Name = keyof typeof commands | "init";

function readCommand(): { options: Options; command: Name; operands: [string, string] } {
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse();
  } catch (cause) {
    throw new CliError(`${(cause as Error).message}\n\n${usage}`, { exitCode: 2, cause });
  }
  const { values: options, positionals } = parsed;
  const [command = "", first = "", second = ""] = positionals;
  if (options.help || options.version) return { options, command: "import", operands: ["", ""] };
  if (!isCommand(command) || positionals.length !== 1 + operandsOf(command, options))
    throw new CliError(usage, { exitCode: 2 });
  return { options, command, operands: [first, second] };
}

function isCommand(name: string): name is Name {
  return name === "init" || Object.hasOwn(commands, name);
}

/** How many operands a command takes after its name. */
function operandsOf(command: Name, { uid }: Options): number {
  if (["init", "indexes", "doctor"].includes(command)) return 0;
  if (command === "grant-admin") return uid === undefined ? 1 : 0;
  return ["import", "export", "open", "close"].includes(command) ? 2 : 1;
}

function boardOf(text: string): string {
  const { data, error } = leaderboardId.safeParse(text);
  if (data !== undefined) return data;
  throw new CliError(`The board "${text}" ${error.issues[0]?.message ?? "is not an id"}.`, { exitCode: 2 });
}

/** npm starts scripts in the repository's folder; the user may be in another. */
function fileOf(path: string): string {
  return resolve((commandName.startsWith("npm") && process.env["INIT_CWD"]) || process.cwd(), path);
}
