/** `seasons`, `open`, `close` and `delete`. */
import { closeSeasonSpec } from "../../functions/src/operations/close-season.ts";
import { deleteLeaderboardSpec } from "../../functions/src/operations/delete-leaderboard.ts";
import { openSeasonSpec } from "../../functions/src/operations/open-season.ts";
import { call } from "../call.ts";
import { connect } from "../connect.ts";
import { seasonsOf, seasonsTable, waitUntilClosed } from "../seasons.ts";
import { confirmWriting } from "../target.ts";
import { onTarget, type TargetOptions } from "./on-target.ts";

interface SeasonsOptions extends TargetOptions {
  span?: string | undefined;
  status?: string | undefined;
  json?: boolean | undefined;
}

export function seasons(leaderboard: string, options: SeasonsOptions): Promise<void> {
  return onTarget(options, async (target) => {
    const services = await connect(target);
    const found = await seasonsOf(services, leaderboard, options);
    if (options.json) console.log(JSON.stringify(found, undefined, 2));
    else if (found.length > 0) console.log(seasonsTable(found, services.now()));
    else console.log("No seasons yet. The first score opens those of spans; `open` opens a tournament.");
  });
}

interface OpenOptions extends TargetOptions {
  opensAt?: string | undefined;
  closesAt?: string | undefined;
  yes?: boolean | undefined;
}

export function open(leaderboard: string, season: string, options: OpenOptions): Promise<void> {
  return onTarget(options, async (target) => {
    await confirmWriting(target, "Opening a season", options.yes);
    const asked = { leaderboard, season, opens_at: options.opensAt, closes_at: options.closesAt };
    const opened = await call(openSeasonSpec, await connect(target), asked);
    const until = opened.closes_at === null ? "; `close` ends it" : ` until ${opened.closes_at}`;
    console.log(`"${season}" takes scores from ${opened.opens_at}${until}.`);
  });
}

export function deleteBoard(
  leaderboard: string,
  options: TargetOptions & { yes?: boolean | undefined },
): Promise<void> {
  return onTarget(options, async (target) => {
    await confirmWriting(
      target,
      `Deleting "${leaderboard}" with its seasons, players and scores`,
      options.yes,
    );
    const { seasons } = await call(deleteLeaderboardSpec, await connect(target), { leaderboard });
    const wait =
      seasons === 0
        ? ""
        : " Its seasons and players are deleted in steps, those of a small board in a quarter of an hour.";
    console.log(`"${leaderboard}" is deleted.${wait}`);
  });
}

interface CloseOptions extends TargetOptions {
  wait?: boolean | undefined;
  yes?: boolean | undefined;
}

export function close(leaderboard: string, season: string, options: CloseOptions): Promise<void> {
  return onTarget(options, async (target) => {
    await confirmWriting(target, "Closing a season", options.yes);
    const services = await connect(target);
    const { status, closes_at: closes } = await call(closeSeasonSpec, services, { leaderboard, season });
    if (status === "open")
      console.log(`"${season}" takes scores until ${closes ?? "it is closed"}; then it closes in steps.`);
    else console.log(`"${season}" took scores until ${closes ?? "it was closed"}; it is ${status}.`);
    if (!options.wait) return;
    const say = (line: string) => console.error(`${new Date().toISOString().slice(11, 19)}  ${line}`);
    await waitUntilClosed(services, { leaderboard, season }, { say });
    console.log(`"${season}" is closed. Its final table: export ${leaderboard} <file> --season ${season}`);
  });
}
