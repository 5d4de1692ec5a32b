/** `seasons`, `open`, `close` and `delete`. */
import type { Command } from "@commander-js/extra-typings";
import { asJson, board, json, onDatabase, onTarget, yes } from "./options.ts";

export function addSeasons(program: Command): void {
  onDatabase(program.command("seasons"))
    .description("the seasons of a board, the newest first")
    .addArgument(board)
    .option("--span <span>", "all_time, daily, weekly, monthly, or tournament")
    .option("--status <status>", "open, closing or closed")
    .addOption(asJson)
    .action((leaderboard, options) =>
      onTarget(options, async ({ connect }) => {
        const { seasonsOf, seasonsTable } = await import("../seasons.ts");
        const services = await connect();
        const found = await seasonsOf(services, leaderboard, options);
        if (options.json) console.log(json(found));
        else if (found.length > 0) console.log(seasonsTable(found, services.now()));
        else console.log("No seasons yet. The first score opens those of spans; `open` opens a tournament.");
      }),
    );

  onDatabase(program.command("open"))
    .description("open a tournament; by default now and without an end")
    .addArgument(board)
    .argument("<season>")
    .option("--opens-at <time>", "such as 2026-12-01T18:00:00Z")
    .option("--closes-at <time>")
    .addOption(yes)
    .action((leaderboard, season, { opensAt, closesAt, ...options }) =>
      onTarget(options, async ({ connect, confirm }) => {
        await confirm("Opening a season");
        const { call } = await import("../call.ts");
        const { openSeasonSpec } = await import("../../functions/src/operations/open-season.ts");
        const asked = { leaderboard, season, opens_at: opensAt, closes_at: closesAt };
        const opened = await call(openSeasonSpec, await connect(), asked);
        const until = opened.closes_at === null ? "; `close` ends it" : ` until ${opened.closes_at}`;
        console.log(`"${season}" takes scores from ${opened.opens_at}${until}.`);
      }),
    );

  onDatabase(program.command("close"))
    .description("end a tournament, about a minute from now")
    .addArgument(board)
    .argument("<season>")
    .option("--wait", "show progress until it is closed; Ctrl-C stops only the display")
    .addOption(yes)
    .action((leaderboard, season, { wait, ...options }) =>
      onTarget(options, async ({ connect, confirm }) => {
        await confirm("Closing a season");
        const { call } = await import("../call.ts");
        const { resultsWait, waitUntilClosed } = await import("../seasons.ts");
        const { closeSeasonSpec } = await import("../../functions/src/operations/close-season.ts");
        const services = await connect();
        const { status, closes_at: closes } = await call(closeSeasonSpec, services, { leaderboard, season });
        console.log(
          status === "open"
            ? `"${season}" takes scores until ${closes ?? "it is closed"}; then it closes in steps.`
            : `"${season}" took scores until ${closes ?? "it was closed"}; it is ${status}.`,
        );
        if (!wait) return;
        const say = (line: string) => console.error(`${new Date().toISOString().slice(11, 19)}  ${line}`);
        await waitUntilClosed(services, { leaderboard, season }, say);
        console.log(
          `"${season}" is closed. Its final table: export ${leaderboard} <file> --season ${season}\n` +
            `getResults shows it to its players ${resultsWait(services)} from now.`,
        );
      }),
    );

  onDatabase(program.command("delete"))
    .description("delete a board with its seasons, players and scores; nothing brings them back")
    .addArgument(board)
    .addOption(yes)
    .action((leaderboard, options) =>
      onTarget(options, async ({ connect, confirm }) => {
        await confirm(`Deleting "${leaderboard}" with its seasons, players and scores`);
        const { call } = await import("../call.ts");
        const { deleteLeaderboardSpec } =
          await import("../../functions/src/operations/delete-leaderboard.ts");
        const { seasons } = await call(deleteLeaderboardSpec, await connect(), { leaderboard });
        const inSteps =
          " Its seasons and players are deleted in steps, those of a small board in a quarter of an hour.";
        console.log(`"${leaderboard}" is deleted.${seasons === 0 ? "" : inSteps}`);
      }),
    );
}
