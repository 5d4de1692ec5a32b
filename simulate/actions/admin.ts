/** Actions of admins: hide, ban, merge and erase players, open and close tournaments, change intervals and calendars. */
import { leaderboardPath } from "../../functions/src/documents/paths.ts";
import type { Definition } from "../../functions/src/model/definition.ts";
import type { z } from "zod";
import { leagueSchema } from "../../functions/src/model/league.ts";
import { taskSecondsMax } from "../../functions/src/model/limits.ts";
import { closeSeasonSpec } from "../../functions/src/operations/close-season.ts";
import { mergePlayersSpec } from "../../functions/src/operations/merge-players.ts";
import { openSeasonSpec } from "../../functions/src/operations/open-season.ts";
import { removePlayerSpec } from "../../functions/src/operations/remove-player.ts";
import { saveLeaderboardSpec } from "../../functions/src/operations/save-leaderboard.ts";
import { setPlayerStatusSpec } from "../../functions/src/operations/set-player-status.ts";
import { hasCode, oneOf, someCup, somePlayer } from "../actors.ts";
import { leaderboard } from "../board.ts";
import type { StatusAsked } from "../checks/work.ts";
import { zones } from "../plan.ts";
import type { World } from "../world.ts";

const secondsMax = 60;

/** An admin hides, bans or readmits a player, or erases one, in all seasons. */
export function setStatus(world: World, status: StatusAsked["status"]): void {
  if (!isBegun(world)) return;
  const player = somePlayer(world);
  const asked = world.statuses.asked(player, status);
  const removal = world.erased.begun(player);
  world.invoke({
    name: `${status === "removed" ? "remove" : `make ${status}`} ${player}`,
    work: { kind: "status", asked },
    secondsMax: status === "removed" ? taskSecondsMax : secondsMax,
    handle: (services) =>
      status === "removed"
        ? removePlayerSpec.handle(services, { leaderboard, player }, undefined)
        : setPlayerStatusSpec.handle(services, { leaderboard, player, status }, undefined),
    // A season that is retired meanwhile counts as missing.
    clear:
      status === "removed"
        ? ["season_not_found"]
        : ["player_not_ranked", "player_erased", "season_not_found"],
    end(ending) {
      const isRefused = hasCode(ending, "player_not_ranked");
      world.statuses.answered(asked, isRefused ? "refused" : ending.how === "done" ? "done" : "unknown");
      if (ending.how !== "done") return;
      if (status === "removed") world.erased.done(removal);
      if (status !== "removed") world.leagues.promises.made(asked);
      else if (asked.isAlone) world.leagues.promises.erased(player);
      if (status !== "removed") world.privateGroups.promises.made(asked);
      else if (asked.isAlone) world.privateGroups.promises.erased(player);
    },
  });
}

/** An admin merges a player into another, on the whole board; now and then one who is nowhere. */
export function merge(world: World): void {
  const [from, to] = [somePlayer(world), somePlayer(world)];
  if (from === to || !isBegun(world)) return;
  const asked = world.merging.asked(from, to);
  const removal = world.erased.begun(from, true);
  world.invoke({
    name: `merge ${from} into ${to}`,
    work: { kind: "merge", asked },
    secondsMax: taskSecondsMax,
    handle: (services) => mergePlayersSpec.handle(services, { leaderboard, from, to }, undefined),
    clear: ["player_not_ranked", "player_erased", "season_not_found"],
    end(ending) {
      world.merging.answered(asked);
      if (ending.how === "done") world.erased.done(removal);
    },
  });
}

/** The callables go by seasons: a document that a trusted server wrote before the first one was opened is not found. */
export function isBegun({ life, plan }: World): boolean {
  const isMissing = plan.definition.spans.includes("all_time") && life.get("all_time") === undefined;
  return life.all().length > 0 && !isMissing;
}

/** The most tournaments at a time that are not closed. */
const cupsOpenMax = 3;

/** An admin opens a tournament: now or soon, with an end or without. */
export function openCup(world: World): void {
  const open = world.life.all().filter(({ season }) => season.span === "custom" && season.status === "open");
  if (open.length >= cupsOpenMax) return;
  const season = `cup${(world.cups += 1)}`;
  const opensMs = world.now() + (world.random() < 0.5 ? 0 : world.random() * 300_000);
  const lengthMs = 120_000 + world.random() * oneOf(world, [300_000, 3_600_000, 86_400_000]);
  const times = {
    ...(world.random() < 0.5 ? {} : { opens_at: new Date(opensMs).toISOString() }),
    ...(world.random() < 0.3 ? {} : { closes_at: new Date(opensMs + lengthMs).toISOString() }),
  };
  world.invoke({
    name: `open ${season}`,
    work: { kind: "open" },
    secondsMax: taskSecondsMax,
    handle: (services) => openSeasonSpec.handle(services, { leaderboard, season, ...times }, undefined),
    clear,
  });
}

/** Errors that tell an admin clearly what is wrong with a season. */
const clear = ["invalid_request", "season_not_found", "season_closed"] as const;

/** An admin ends a tournament; now and then one that has already ended. */
export function closeCup(world: World): void {
  const season = someCup(world);
  world.invoke({
    name: `close ${season}`,
    secondsMax,
    handle: (services) => closeSeasonSpec.handle(services, { leaderboard, season }, undefined),
    clear,
  });
}

/** The longest interval, a day. */
export const intervalMinutesMax = 24 * 60;

/** An owner changes the ranking interval. */
export function changeInterval(world: World): void {
  const minutes = oneOf(world, [1, 2, 5, 60, intervalMinutesMax]);
  save(world, `interval of ${minutes} minutes`, { ranking_interval_minutes: minutes });
}

/** The owner changes the time zone, and the first day of the week. */
export function changeCalendar(world: World): void {
  const zone = oneOf(world, zones);
  const day = oneOf(world, ["monday", "sunday", "wednesday"] as const);
  save(world, `move to ${zone}`, { time_zone: zone, week_starts_on: day });
}

/** The owner changes the rules of the league, for groups that begin later. */
export function changeLeague(world: World, league: z.input<typeof leagueSchema>): void {
  save(world, "another league", { league: leagueSchema.parse(league) });
}

/** Saves the definition with some changed fields; one save at a time, as each writes the whole definition. */
function save(world: World, name: string, fields: Partial<Definition>): void {
  if (world.isSaving) return;
  world.isSaving = true;
  const stored = world.database.store.get(leaderboardPath(leaderboard))?.data as Partial<Definition>;
  const { definition } = world.plan;
  const { ranking_interval_minutes, time_zone, week_starts_on } = { ...definition, ...stored };
  const changed = { ...definition, ranking_interval_minutes, time_zone, week_starts_on, ...fields };
  world.invoke({
    name,
    secondsMax: taskSecondsMax,
    handle: (services) =>
      saveLeaderboardSpec.handle(services, { leaderboard, definition: changed }, undefined),
    clear,
    end: () => void (world.isSaving = false),
  });
}
