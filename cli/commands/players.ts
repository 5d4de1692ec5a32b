/** `import`, `export` and `export-player`. */
import { CliError } from "../cli-error.ts";
import { connect } from "../connect.ts";
import { exportFile, exportSummary } from "../export-file.ts";
import { exportPlayer, isEmpty } from "../export-player.ts";
import { importFile } from "../import/import-file.ts";
import { createRamp, noRamp } from "../import/ramp.ts";
import { count } from "../progress.ts";
import { confirmWriting, describeTarget } from "../target.ts";
import { onTarget, type TargetOptions } from "./on-target.ts";
import { publish } from "./ranking.ts";
import { fileHere } from "../command-name.ts";

interface ImportOptions extends TargetOptions {
  skipBad?: boolean | undefined;
  dryRun?: boolean | undefined;
  restart?: boolean | undefined;
  rank?: boolean | undefined;
  season?: string | undefined;
  yes?: boolean | undefined;
}

export function importPlayers(leaderboard: string, path: string, options: ImportOptions): Promise<void> {
  const { skipBad = false, dryRun = false, restart = false, season } = options;
  return onTarget(options, async (target) => {
    const file = fileHere(path);
    if (!dryRun) await confirmWriting(target, "The import", options.yes);
    console.error(`Importing ${file} into "${leaderboard}", ${describeTarget(target)}.`);
    const services = await connect(target);
    const ramp = target.emulator === undefined ? createRamp(services) : noRamp;
    const interrupted = () => {
      console.error("\nInterrupted. The same command continues it.");
      process.exit(130);
    };
    process.once("SIGINT", interrupted);
    const { project, database } = target;
    const { imported, bad, records } = await importFile(
      { services, project, database, ramp, stream: process.stderr },
      { leaderboard, file, season, skipBad, dryRun, restart },
    );
    process.off("SIGINT", interrupted);
    if (imported === undefined) {
      const found = `${count(records, "record")}, ${count(bad, "bad line")}; nothing was imported.`;
      if (bad > 0) throw new CliError(found);
      console.log(found);
      return;
    }
    const skipped = bad === 0 ? "" : `, ${count(bad, "bad line")} skipped`;
    console.log(`${count(imported.written, "player")} written, ${imported.unchanged} unchanged${skipped}.`);
    if (options.rank) await publish(services, leaderboard, season);
    else console.log("The next ranking includes them; --rank publishes it at once.");
  });
}

interface ExportOptions extends TargetOptions {
  players?: boolean | undefined;
  force?: boolean | undefined;
  season?: string | undefined;
}

export function exportPlayers(leaderboard: string, path: string, options: ExportOptions): Promise<void> {
  const { season, force = false, players = false } = options;
  return onTarget(options, async (target) => {
    const file = fileHere(path);
    console.error(`Exporting "${leaderboard}", ${describeTarget(target)}, to ${file}.`);
    const wanted = { leaderboard, file, season, force, players };
    console.log(exportSummary(await exportFile(await connect(target), process.stderr, wanted), wanted));
  });
}

export function exportOne(
  player: string,
  options: TargetOptions & { board?: string | undefined },
): Promise<void> {
  const { board } = options;
  return onTarget(options, async (target) => {
    const where = board === undefined ? "all boards" : `"${board}"`;
    console.error(`Exporting "${player}" from ${where}, ${describeTarget(target)}.`);
    const exported = await exportPlayer(await connect(target), player, board);
    if (isEmpty(exported)) console.error("Nothing is stored about this player. Is the id right?");
    console.log(JSON.stringify(exported, undefined, 2));
  });
}
