/** `board` and `save`. */
import type { Command } from "@commander-js/extra-typings";
import { fileHere } from "../command-name.ts";
import { defined, json, onDatabase, onTarget, yes } from "./options.ts";

export function addBoards(program: Command): void {
  onDatabase(program.command("board"))
    .description("the definition of a board or a template, as JSON that `save` takes")
    .addArgument(defined)
    .action((leaderboard, options) =>
      onTarget(options, async ({ connect }) => {
        const { definitionOf } = await import("../board.ts");
        console.log(json(await definitionOf(await connect(), leaderboard)));
      }),
    );

  onDatabase(program.command("save"))
    .description(
      "create or change a board or a template by a .json file; what the file does not name stays, and null takes a field out",
    )
    .addArgument(defined)
    .argument("<file>")
    .option("--dry-run", "only check the file, and say what would change")
    .addOption(yes)
    .action((leaderboard, path, { dryRun = false, ...options }) =>
      onTarget(options, async ({ connect, confirm }) => {
        if (!dryRun) await confirm(`Saving "${leaderboard}"`);
        const { saveBoard } = await import("../board.ts");
        console.log(await saveBoard(await connect(), { leaderboard, file: fileHere(path), dryRun }));
      }),
    );
}
