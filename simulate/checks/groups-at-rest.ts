/** Private groups at rest, after all members have looked: they show their members' documents, and none is due to end. */
import { isDeepStrictEqual } from "node:util";
import { playerPath, playerStatusPath } from "../../functions/src/documents/paths.ts";
import type { PrivateGroup } from "../../functions/src/documents/private-group.ts";
import { keyIn, leaderboard } from "../board.ts";
import type { World } from "../world.ts";
import { endOf, isCup } from "./group-known.ts";
import { memberIn } from "./group-places.ts";
import { pairOf } from "./group-seats.ts";
import { namesNoStatus, statusIn } from "./player.ts";
import { tickOf } from "./setting.ts";
import { insist } from "./violation.ts";

/** How long ago groups were looked for that are to end. */
const lookMs = 60_000;

/** @throws a violation */
export function checkGroupsAtRest(world: World): void {
  const { plan, now, privateGroups } = world;
  for (const [id, group] of privateGroups.all()) {
    if (group.settled_at !== undefined) continue;
    insist(
      (group.end_due_at?.toMillis() ?? Infinity) > now() - plan.skewMsMax - lookMs,
      () => `groups: ${id} is still to end at rest: ${JSON.stringify(group)}`,
    );
    checkSeason(world, id, group);
    for (const seat of Object.values(group.seats)) {
      const player = privateGroups.playerOf(seat);
      if (player !== undefined) checkMember(world, id, group, player);
    }
  }
}

/** A group shows the season of its span that takes scores now. */
function checkSeason({ life, plan, now }: World, id: string, group: PrivateGroup): void {
  if (isCup(group.season)) return;
  const span = life.get(group.season)?.season.span;
  const atMs = Math.min(now(), (endOf(group)?.toMillis() ?? Infinity) - 1);
  const present = life.all().find(({ season, opensMs, closesMs }) => {
    return season.span === span && opensMs + plan.skewMsMax < atMs && atMs + plan.skewMsMax < closesMs;
  });
  insist(
    present === undefined || present.id === group.season,
    () => `groups: ${id} shows ${group.season} at rest, and it is ${present?.id}`,
  );
}

function checkMember(world: World, id: string, group: PrivateGroup, player: string): void {
  const { database, privateGroups, statuses } = world;
  const { season } = group;
  const seat = Object.values(group.seats).find((one) => privateGroups.playerOf(one) === player);
  const document = database.store.get(playerPath(keyIn(season), player));
  const data = document?.data;
  // Where a call has died that set a status, nothing else tells a group of somebody whose document does not name one.
  const isUnnamed = data === undefined || namesNoStatus(data);
  if (isUnnamed && statuses.possibleSince(player, tickOf(world)).length > 1) return;
  const kept = database.store.get(playerStatusPath(leaderboard, player))?.data;
  const shown = memberIn(player, data, statusIn(isUnnamed ? kept : data));
  const told = () => `groups: ${id} shows ${JSON.stringify(seat)} at rest, of ${JSON.stringify(data)}`;
  // Whom a server has hidden in one season is shown with the first score of the next.
  if (data === undefined && seat?.player === undefined) return;
  insist(seat?.player === shown.player, told);
  if (shown.player === undefined) return;
  insist(shown.display_name === undefined || seat?.display_name === shown.display_name, told);
  const ends = endOf(group);
  const at = shown.achieved_at ?? document?.updateTime;
  if (ends !== undefined && shown.score !== undefined && at !== undefined && at > ends) return;
  // A document that has gone since the end takes no score away.
  if (ends !== undefined && shown.score === undefined && world.now() >= ends.toMillis()) return;
  insist(isDeepStrictEqual(pairOf(seat ?? {}), pairOf(shown)), told);
}
