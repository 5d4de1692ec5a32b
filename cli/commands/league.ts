/** `league-fill`. */
import { type Command, InvalidArgumentError } from "@commander-js/extra-typings";
import { usageError } from "../cli-error.ts";
import { board, onDatabase, onTarget } from "./options.ts";

const playersMax = 10_000;

export function addLeague(program: Command): void {
  onDatabase(program.command("league-fill"))
    .description(
      "on the emulators: put invented players with random scores into a board's league, to see groups and zones",
    )
    .addArgument(board)
    .option("--players <number>", `how many, 1 to ${playersMax}`, playersOf, 100)
    .action((leaderboard, { players, ...options }) =>
      onTarget(options, async ({ target, where, connect }) => {
        if (target.emulator === undefined)
          throw usageError(
            `league-fill invents players, so it is for emulators only: nothing was written to ${where}. Start the emulators, and ` +
              "leave --project out.",
          );
        const { fillLeague, filledSummary } = await import("../league-fill.ts");
        console.error(`Filling the league of "${leaderboard}", ${where}.`);
        const asked = { leaderboard, players, random: Math.random, stream: process.stderr };
        console.log(filledSummary(leaderboard, await fillLeague(await connect(), asked)));
      }),
    );
}

function playersOf(text: string): number {
  const players = Number(text);
  if (Number.isInteger(players) && players >= 1 && players <= playersMax) return players;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${playersMax}.`);
}
