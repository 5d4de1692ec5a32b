/** A group as it is settled: after the season's wait, by a plain sort of its members' documents at that moment. */
import { isDeepStrictEqual } from "node:util";
import type { Seat } from "../../functions/src/documents/group.ts";
import { endWaitMs } from "../../functions/src/model/limits.ts";
import type { Data } from "../memory/store.ts";
import type { GroupChange, LeagueKnown } from "./league-known.ts";
import { membersOf, moveOf, shownOf, tierAfter } from "./league-places.ts";
import type { Life } from "./life.ts";
import type { Setting } from "./setting.ts";
import { insist } from "./violation.ts";

/** The group of a player's document, whatever a server has written there. */
export const namedIn = (data: Data | undefined) =>
  (data?.["league_seat"] as { group?: unknown } | undefined)?.group;

/** @throws a violation unless the group is what its members' documents make of it */
export function checkSettled(
  leagues: LeagueKnown,
  { plan, now, life }: Setting & { life: Life },
  group: GroupChange,
): void {
  const { key, id, before, after } = group;
  const path = `${key.season}/${id}`;
  const { season, closesMs = Infinity } = life.get(key.season) ?? {};
  insist(
    before?.unsettled === true && after.unsettled === undefined && season?.league === "open",
    () => `league: ${path} is settled, and was not to be`,
  );
  insist(
    now() + plan.skewMsMax >= closesMs + endWaitMs && ["closing", "closed"].includes(season.status),
    () =>
      `league: ${path} is settled at ${now()}, and ${key.season}, which is ${season.status}, ends at ${closesMs}`,
  );
  const earlier = life.all().find(({ season: other, opensMs }) => {
    return other.league === "open" && other.status !== "deleting" && opensMs < season.opens_at.toMillis();
  });
  insist(earlier === undefined, () => `league: ${path} is settled before ${earlier?.id}`);
  const expected = Object.fromEntries(
    Object.entries(before.seats).map(([name, seat]) => [name, seatDue(leagues, group, seat)]),
  );
  const members = membersOf(plan.definition, {
    seats: expected,
    ...(before.league && { league: before.league }),
  });
  const placed = new Map(members.map((member) => [member.name, member]));
  for (const [name, seat] of Object.entries(after.seats)) {
    const member = placed.get(name);
    const due = { ...expected[name], place: member?.place, move: member && moveOf(member) };
    for (const field of [
      "of",
      "player",
      "score",
      "achieved_at",
      "has_left",
      "is_guests",
      "place",
      "move",
    ] as const)
      insist(
        isDeepStrictEqual(seat[field], due[field]),
        () =>
          `league: ${name} of ${path} was settled as ${JSON.stringify(seat)}, and is ${JSON.stringify(due)}`,
      );
    checkOutcome(leagues, group, seat, { members: members.length, closesMs });
  }
}

/** A seat as its player's document has it. Who has left keeps the score of the moment of leaving. */
function seatDue(leagues: LeagueKnown, { key, id, before }: GroupChange, seat: Seat): Seat {
  const { of, version, has_left: hasLeft } = seat;
  const player = leagues.ownerOf(key, seat);
  const bare: Seat = { of, version, ...(hasLeft && { has_left: hasLeft }) };
  if (player === undefined) return bare;
  const { data, status } = leagues.documentOf(key.season, player);
  // Of somebody whom the group does not show, and whose document does not name it, it knows nothing but the seat.
  const isKnown = data !== undefined && (namedIn(data) === id || before?.readers.includes(player) === true);
  if (!isKnown) return hasLeft ? seat : bare;
  const { player: _, display_name: __, ...shown } = shownOf(player, data, status);
  if (shown.score === undefined) return bare;
  if (!hasLeft) return { ...bare, player, ...shown };
  return seat.score === undefined ? { ...bare, ...shown } : seat;
}

/** Each member with a place stands where the move leads; the outcome says how it came. */
function checkOutcome(
  leagues: LeagueKnown,
  { key, id, after }: GroupChange,
  seat: Seat,
  { members, closesMs }: { members: number; closesMs: number },
): void {
  const { place, move } = seat;
  const player = leagues.ownerOf(key, seat);
  const { league } = after;
  if (place === undefined || move === undefined || player === undefined || league === undefined) return;
  // A server has replaced the document of one who has left: nothing says whose seat it is.
  const { data } = leagues.documentOf(key.season, player);
  if (seat.has_left === true && namedIn(data) !== id) return;
  const { tier, outcomes, step, until } = leagues.standingOf(player);
  const to = tierAfter(league.ladder, league.tier, move);
  const due = { from: league.tier, to, place, members };
  insist(
    tier === to &&
      step === league.ladder.indexOf(to) &&
      until?.toMillis() === closesMs &&
      isDeepStrictEqual(outcomes?.[key.season], due),
    () =>
      `league: ${player} stands in ${tier} after ${JSON.stringify(outcomes)}; ${key.season}/${id} came to ${JSON.stringify(due)}`,
  );
}
