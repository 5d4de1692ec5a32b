/** A league at rest, after all players have looked: nobody waits, who scored in time has a seat, and groups show their members' documents. */
import { isDeepStrictEqual } from "node:util";
import type { World } from "../world.ts";
import { type Known } from "./life.ts";
import { shownOf } from "./league-places.ts";
import { insist } from "./violation.ts";

/** The week that takes scores, if nothing of an earlier one is still to be settled. */
export function weekAtRest({ life, now }: World): Known | undefined {
  const weeks = life.all().filter(({ season }) => season.span === "weekly" && season.league === "open");
  const [first] = weeks.sort((a, b) => a.opensMs - b.opensMs);
  const isPresent = first?.season.status === "open" && now() < first.closesMs;
  return isPresent && first.opensMs <= now() ? first : undefined;
}

/** @throws a violation */
export function checkLeagueAtRest({ leagues, plan }: World, { id: season }: Known): void {
  for (let i = 0; i < plan.players; i++) {
    const player = `p${i}`;
    const { data, status } = leagues.documentOf(season, player);
    const ranked = shownOf(player, data, status).score !== undefined;
    const seat = data?.["league_seat"] as { waits?: true; group?: string; seat?: string } | undefined;
    // Who has left, or is not ranked, need not be told so in the document.
    const mayGetSeat = ranked && leagues.standingOf(player).has_left !== true;
    insist(
      !mayGetSeat || seat?.waits !== true,
      () => `league: ${player} waits for a seat in ${season} at rest`,
    );
    const [own] = leagues.seatsOf(season, player);
    insist(
      own !== undefined || !leagues.isPromised(season, player),
      () => `league: ${player} has scored in time, and has no seat in ${season}: ${JSON.stringify(data)}`,
    );
    if (own === undefined || own.group !== seat?.group || own.name !== seat.seat) continue;
    const shown = own.seat.has_left === true ? {} : shownOf(player, data, status);
    for (const field of [
      "player",
      "display_name",
      ...(own.seat.has_left ? [] : (["score", "achieved_at"] as const)),
    ] as const)
      insist(
        isDeepStrictEqual(own.seat[field], shown[field]),
        () =>
          `league: ${own.group} of ${season} shows ${JSON.stringify(own.seat)} at rest, of ${JSON.stringify(data)}`,
      );
  }
}
