/** `rank`, `audit` and `repair`. */
import type { Command } from "@commander-js/extra-typings";
import type { RepairKind } from "../../functions/src/documents/repair-record.ts";
import { usageError } from "../cli-error.ts";
import type { SeasonWanted } from "../repairs.ts";
import type { TargetOptions } from "./on-target.ts";
import { asJson, board, json, onDatabase, onTarget, season, yes } from "./options.ts";

export function addRanking(program: Command): void {
  onDatabase(program.command("rank"))
    .description("publish the ranking now, with everything counted so far")
    .addArgument(board)
    .option(
      "--midnight",
      "on the emulators: first give the board movement, and a time zone whose next midnight is at a full minute soon, to try it",
    )
    .addOption(season)
    .addOption(yes)
    .action((leaderboard, { season, midnight, ...options }) =>
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
        const { rank } = await import("../repairs.ts");
        console.log(await rank(await connect(), { leaderboard, season }));
      }),
    );

  onDatabase(program.command("audit"))
    .description("compare the ranking with the players, by totals; exits with code 1 if a repair is needed")
    .addArgument(board)
    .option("--full", "compare score by score and player by player; reads every player")
    .addOption(asJson)
    .addOption(season)
    .action((leaderboard, { season, full = false, ...options }) =>
      lookThrough("audit", { leaderboard, season, full }, options),
    );

  onDatabase(program.command("repair"))
    .description("bring the ranking in line with the players, while scores come in; reads every player twice")
    .addArgument(board)
    .addOption(asJson)
    .addOption(season)
    .addOption(yes)
    .action((leaderboard, { season, ...options }) =>
      lookThrough("repair", { leaderboard, season, full: false }, options),
    );
}

/** An audit only writes its record, which nobody is asked about. */
function lookThrough(
  kind: RepairKind,
  wanted: SeasonWanted & { full: boolean },
  options: TargetOptions & { json?: true | undefined },
): Promise<void> {
  return onTarget(options, async ({ connect, confirm }) => {
    if (kind !== "audit") await confirm(`The ${kind}`);
    const { createSteps, repairSeason, repairSummary } = await import("../repairs.ts");
    const steps = createSteps();
    const say = (line: string) => console.error(line);
    const record = await repairSeason(await connect(steps), steps, { kind, ...wanted }, say);
    console.log(options.json ? json(record) : repairSummary(record));
    if (record.kind === "audit" && record.repair !== "none") process.exitCode = 1;
  });
}
