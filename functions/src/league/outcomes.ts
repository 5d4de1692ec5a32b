/** What a group's seats come to: places, zones and moves, for showing and for settling alike. Pure; devices use it too. */
import type { GroupRead, SeatRead } from "../documents/group.ts";
import { type WithPlace, placesOf } from "../documents/places.ts";
import type { Definition } from "../model/definition.ts";
import { type Move, moveOf, type Zone, zoneOf, zonesOf } from "../model/league-zones.ts";

/** A seat that has a place: its player is ranked, or has left the league. */
export interface SeatInGroup {
  /** The name of the seat. */
  name: string;
  seat: SeatRead;
  zone: Zone | undefined;
}

interface SeatToPlace {
  name: string;
  seat: SeatRead;
  player: string;
  score: number | undefined;
  achievedAt: SeatRead["achieved_at"];
  settled: number | undefined;
}

/**
 * The members of a group, best first. Hidden, banned and erased players are out of it. The zones of a settled group are
 * where its members went, and their order is that of the end.
 */
export function membersPlaced(
  { seats, league }: Pick<GroupRead, "seats" | "league">,
  definition: Pick<Definition, "order" | "ties">,
): WithPlace<SeatInGroup>[] {
  const all = Object.entries(seats)
    .filter(([, { score }]) => score !== undefined)
    .map(([name, seat]): SeatToPlace => {
      // A guest's score counts for no zone: it is last.
      const score = seat.is_guests === true ? undefined : seat.score;
      return {
        name,
        seat,
        player: seat.player ?? seat.of,
        score,
        achievedAt: seat.achieved_at,
        settled: seat.place,
      };
    });
  const counting = all.filter(({ score }) => score !== undefined).length;
  return placesOf(definition, all).map(({ name, seat, place, rank }) => {
    return { name, seat, place, rank, zone: league && zoneIn(league, seat, place, counting) };
  });
}

function zoneIn(
  league: NonNullable<GroupRead["league"]>,
  { move }: SeatRead,
  place: number,
  counting: number,
) {
  if (move === undefined) return zoneOf(league, place, counting);
  return move === "stayed" ? undefined : move;
}

/**
 * The nearest place that is better for a member than the zone that the member is in: out of the zone that leads down, or into
 * the one that leads up; undefined for a member who goes up, and where nobody does.
 */
export function nextPlace(
  { league }: Pick<GroupRead, "league">,
  placed: readonly WithPlace<SeatInGroup>[],
  place: number,
): number | undefined {
  const counting = placed.filter(({ rank }) => rank !== undefined).length;
  if (league === undefined) return undefined;
  const { up, down } = zonesOf(league, counting);
  if (place > counting - down && counting > down) return counting - down;
  return up > 0 && place > up ? up : undefined;
}

/** What becomes of the members of a group, by seat. */
export function movesOf(
  group: Pick<GroupRead, "seats" | "league">,
  definition: Pick<Definition, "order" | "ties">,
): Map<string, { place: number; move: Move }> {
  const placed = membersPlaced(group, definition);
  return new Map(
    placed.map(({ name, seat, place, zone }) => [
      name,
      { place, move: moveOf(zone, seat.has_left === true) },
    ]),
  );
}
