/** `import`, `export` and `export-player`. */
import { type Command, Option } from "@commander-js/extra-typings";
import { CliError } from "../cli-error.ts";
import { fileHere } from "../command-name.ts";
import { count } from "../progress.ts";
import { board, boardOf, json, onDatabase, onTarget, season, span, yes } from "./options.ts";

export function addPlayers(program: Command): void {
  onDatabase(program.command("import"))
    .description(
      "players of a .csv, .json or .ndjson file into a board; or into the boards of a template, of which each line names one " +
        "as its leaderboard; by default into the running season of the first span",
    )
    .addArgument(board)
    .argument("<file>")
    .option("--skip-bad", "skip bad lines (without it, a file with bad lines is not imported)")
    .option("--dry-run", "only check the file")
    .option("--restart", "start again after an interrupted import")
    .option("--rank", "publish the ranking afterwards, not at the next interval")
    .addOption(season)
    .addOption(span)
    .addOption(yes)
    .action((leaderboard, path, { skipBad = false, dryRun = false, restart = false, ...options }) =>
      onTarget(options, async ({ target, where, connect, confirm }) => {
        const { importFile } = await import("../import/import-file.ts");
        const { remarks } = await import("../import/oddities.ts");
        const { createRamp, noRamp } = await import("../import/ramp.ts");
        const file = fileHere(path);
        if (!dryRun) await confirm("The import");
        console.error(`Importing ${file} into "${leaderboard}", ${where}.`);
        const services = await connect();
        const ramp = target.emulator === undefined ? createRamp(services) : noRamp;
        const interrupted = () => {
          console.error("\nInterrupted. The same command continues it.");
          process.exit(130);
        };
        process.once("SIGINT", interrupted);
        const { season, span } = options;
        const found = await importFile(
          { services, project: target.project, database: target.database, ramp, stream: process.stderr },
          { leaderboard, file, season, span, skipBad, dryRun, restart, rank: options.rank === true },
        );
        process.off("SIGINT", interrupted);
        const { imported, bad, records, boards } = found;
        if (imported === undefined) {
          const said = `${count(records, "record")}, ${count(bad, "bad line")}; nothing was imported.${remarks(found)}`;
          if (bad > 0) throw new CliError(said);
          console.log(said);
          return;
        }
        const on = boards === 0 ? "" : ` on ${count(boards, "board")}`;
        const skipped = bad === 0 ? "" : `, ${count(bad, "bad line")} skipped`;
        console.log(
          `${count(imported.written, "player")} written, ${imported.unchanged} unchanged${on}${skipped}.${remarks(found)}`,
        );
        if (boards > 0) console.log("The next ranking of each board includes them.");
        else if (options.rank) {
          console.error("Ranking …");
          const { rank } = await import("../repairs.ts");
          console.log(await rank(services, { leaderboard, season: found.season }));
        } else console.log("The next ranking includes them; --rank publishes it at once.");
      }),
    );

  onDatabase(program.command("export"))
    .description(
      "all players of one season into a .csv or .ndjson file, by default of the running one of the board's first span; " +
        "with --season of a closed season its final table, with ranks and positions",
    )
    .addArgument(board)
    .argument("<file>")
    .option("--players", "all players even of a closed season, for another import")
    .option("--force", "replace the file")
    .addOption(season)
    .addOption(span)
    .action((leaderboard, path, { season, span, force = false, players = false, ...options }) =>
      onTarget(options, async ({ where, connect }) => {
        const { exportFile, exportSummary } = await import("../export-file.ts");
        const file = fileHere(path);
        console.error(`Exporting "${leaderboard}", ${where}, to ${file}.`);
        const wanted = { leaderboard, file, season, span, force, players };
        console.log(exportSummary(await exportFile(await connect(), process.stderr, wanted), wanted));
      }),
    );

  onDatabase(program.command("export-player"))
    .description("everything that is stored about a player, on all boards, as JSON")
    .argument("<player>")
    .addOption(
      new Option("--board <board>", "only on one board, or on those of a template").argParser(boardOf),
    )
    .action((player, { board: only, ...options }) =>
      onTarget(options, async ({ where, connect }) => {
        const { exportPlayer } = await import("../export-player.ts");
        console.error(
          `Exporting "${player}" from ${only === undefined ? "all boards" : `"${only}"`}, ${where}.`,
        );
        const exported = await exportPlayer(await connect(), player, only);
        if (exported.boards.length === 0)
          console.error("Nothing is stored about this player. Is the id right?");
        console.log(json(exported));
      }),
    );
}
