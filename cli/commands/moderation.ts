/** `ban`, `hide`, `unban`, `remove` and `merge`: what an admin does with players. */
import { type Command, Option } from "@commander-js/extra-typings";
import { board, boardOf, onDatabase, onTarget, yes } from "./options.ts";

const statuses = {
  ban: {
    status: "banned",
    does: "hide a player in all seasons of a board, also in those to come, and refuse the player's scores",
    doing: "Banning",
  },
  hide: {
    status: "hidden",
    does: "take a player out of a board's ranks and lists, also in seasons to come; scores are still taken",
    doing: "Hiding",
  },
  unban: {
    status: "active",
    does: "take back a player of a board who is hidden or banned, or was erased in the last 25 hours",
    doing: "Readmitting",
  },
} as const;

const onlyBoard = new Option("--board <board>", "only on one board; by default on all").argParser(boardOf);

const onBoards = (only: string | undefined) => (only === undefined ? "all boards" : `"${only}"`);

export function addModeration(program: Command): void {
  for (const [name, { status, does, doing }] of Object.entries(statuses))
    onDatabase(program.command(name))
      .description(does)
      .addArgument(board)
      .argument("<player>")
      .option("--reason <text>", "of a ban, or of hiding: moderators see it, players don't")
      .addOption(yes)
      .action((leaderboard, player, { reason, ...options }) =>
        onTarget(options, async ({ connect, confirm }) => {
          await confirm(`${doing} "${player}" on "${leaderboard}"`);
          const { setStatus } = await import("../moderation.ts");
          console.log(await setStatus(await connect(), { leaderboard, player, status, reason }));
        }),
      );

  onDatabase(program.command("remove"))
    .description("erase a player, with all scores; nothing brings them back")
    .argument("<player>")
    .addOption(onlyBoard)
    .addOption(yes)
    .action((player, { board: leaderboard, ...options }) =>
      onTarget(options, async ({ connect, confirm }) => {
        await confirm(`Erasing "${player}" from ${onBoards(leaderboard)}`);
        const { removePlayer } = await import("../moderation.ts");
        console.log(await removePlayer(await connect(), { player, leaderboard }));
      }),
    );

  onDatabase(program.command("merge"))
    .description("give all scores of a player to another; nothing takes them apart again")
    .argument("<from>", "the player who is gone afterwards")
    .argument("<to>")
    .addOption(onlyBoard)
    .addOption(yes)
    .action((from, to, { board: leaderboard, ...options }) =>
      onTarget(options, async ({ target, connect, confirm }) => {
        const merging = `Merging "${from}" into "${to}" on ${onBoards(leaderboard)}`;
        const { requireConsent } = await import("../target.ts");
        requireConsent(target, merging, options.yes);
        const { mergePlayers, noScoreNote } = await import("../moderation.ts");
        const services = await connect();
        const note = await noScoreNote(services, { to, leaderboard });
        if (note !== undefined) console.error(note);
        await confirm(merging);
        console.log(await mergePlayers(services, { from, to, leaderboard }));
      }),
    );
}
