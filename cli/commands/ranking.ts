/** `rank`, `audit` and `repair`. */
import type { Command } from "@commander-js/extra-typings";
import type { RepairKind } from "../../functions/src/documents/repair-record.ts";
import { usageError } from "../cli-error.ts";
import type { SeasonAsked } from "../../functions/src/seasons/current.ts";
import type { Says } from "../repairs.ts";
import type { TargetOptions } from "./on-target.ts";
import { asJson, board, onDatabase, onTarget, season, span, yes } from "./options.ts";

const says: Says = {
  done(line) {
    console.log(line);
  },
  progress(line) {
    console.error(line);
  },
};

export function addRanking(program: Command): void {
  onDatabase(program.command("rank"))
    .description(
      "publish the rankings of the board's running seasons now, or of one, with everything counted so far",
    )
    .addArgument(board)
    .option(
      "--midnight",
      "on the emulators: first give the board movement, and a time zone whose next midnight is at a full minute soon, to try it",
    )
    .addOption(season)
    .addOption(span)
    .addOption(yes)
    .action((leaderboard, { season, span, midnight, ...options }) =>
      onTarget(options, async ({ target, connect, confirm }) => {
        await confirm("Ranking");
        if (midnight === true) {
          if (target.emulator === undefined)
            throw usageError("--midnight changes the board's days, so it is for emulators only.");
          const { bringMidnight } = await import("../midnight.ts");
          const at = (await bringMidnight(await connect(), leaderboard)).toISOString();
          console.log(
            `Midnight on "${leaderboard}" is at ${at}. Submit scores before and after it; then getRank with since "day" ` +
              "says how far a rank has moved.",
          );
        }
        const { rankSeasons } = await import("../repairs.ts");
        await rankSeasons(await connect(), { leaderboard, season, span }, says);
      }),
    );

  onDatabase(program.command("audit"))
    .description(
      "compare the rankings of the board's running seasons, or of one, with the players, by totals; exits with code 1 if a " +
        "repair is needed",
    )
    .addArgument(board)
    .option("--full", "compare score by score and player by player; reads every player")
    .addOption(asJson)
    .addOption(season)
    .addOption(span)
    .action((leaderboard, { season, span, full = false, ...options }) =>
      lookThrough("audit", { leaderboard, season, span, full }, options),
    );

  onDatabase(program.command("repair"))
    .description(
      "bring the rankings of the board's running seasons, or of one, in line with the players, while scores come in; reads " +
        "every player twice",
    )
    .addArgument(board)
    .addOption(asJson)
    .addOption(season)
    .addOption(span)
    .addOption(yes)
    .action((leaderboard, { season, span, ...options }) =>
      lookThrough("repair", { leaderboard, season, span, full: false }, options),
    );
}

/** An audit only writes its record, which nobody is asked about. */
function lookThrough(
  kind: RepairKind,
  wanted: SeasonAsked & { full: boolean },
  options: TargetOptions & { json?: true | undefined },
): Promise<void> {
  return onTarget(options, async ({ connect, confirm }) => {
    if (kind !== "audit") await confirm(`The ${kind}`);
    const { createSteps, repairSeasons } = await import("../repairs.ts");
    const steps = createSteps();
    const services = await connect(steps);
    if (await repairSeasons(services, steps, { kind, ...wanted }, says, options.json)) process.exitCode = 1;
  });
}
