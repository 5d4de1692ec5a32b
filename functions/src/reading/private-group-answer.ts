/** A private group as its members get it. Pure: clients that listen to the document use the same code. */
import { placesOf } from "../documents/places.ts";
import type { PrivateGroupRead } from "../documents/private-group.ts";
import { unpackColumns } from "../model/columns.ts";
import type { Definition } from "../model/definition.ts";
import { isoTime } from "../model/instant.ts";
import type { PrivateGroupAnswer } from "../model/private-group-answers.ts";

interface PrivateGroupAsked {
  leaderboard: string;
  id: string;
  group: PrivateGroupRead;
  /** Who asks. */
  player: string;
  /** In milliseconds since 1970. */
  nowMs: number;
}

/** What becomes of a group with time. */
export function stateOfPrivate(
  { settled_at: settledAt, ends_at: endsAt }: Pick<PrivateGroupRead, "settled_at" | "ends_at">,
  nowMs: number,
): PrivateGroupAnswer["state"] {
  if (settledAt !== undefined) return "ended";
  return endsAt !== null && endsAt.toMillis() <= nowMs ? "ending" : "open";
}

/** A group with the places of its members, as `getGroup` answers it. The places of a group that has ended are those of its end. */
export function privateGroupAnswer(
  definition: Pick<Definition, "order" | "ties" | "columns">,
  { leaderboard, id, group, player, nowMs }: PrivateGroupAsked,
): PrivateGroupAnswer {
  const { seats, owner: ownerHash, name, size, season, ends_at: endsAt } = group;
  const shown = Object.values(seats).flatMap((seat) =>
    seat.player === undefined
      ? []
      : [{ seat, player: seat.player, score: seat.score, achievedAt: seat.achieved_at }],
  );
  // Whoever was hidden at the end comes after all others.
  const last = Math.max(0, ...shown.map(({ seat }) => seat.place ?? 0));
  const entries = placesOf(definition, shown)
    .map(({ seat, player: member, score, place, rank }) => {
      const columns =
        score === undefined ? undefined : unpackColumns(definition.order, definition.columns, score);
      return {
        place: group.settled_at === undefined ? place : (seat.place ?? last + place),
        ...(rank !== undefined && { rank }),
        player: member,
        ...(score !== undefined && { score }),
        ...(columns && { columns }),
        ...(seat.display_name !== undefined && { display_name: seat.display_name }),
      };
    })
    .toSorted((a, b) => a.place - b.place);
  const owner = shown.find(({ seat }) => seat.of === ownerHash)?.player;
  return {
    leaderboard,
    season,
    group: id,
    name,
    ...(owner !== undefined && { owner }),
    state: stateOfPrivate(group, nowMs),
    place: entries.find((entry) => entry.player === player)?.place ?? null,
    entries,
    players: entries.length,
    size,
    ends_at: endsAt === null ? null : isoTime(endsAt),
    as_of: isoTime(group.pace.written_at),
  };
}
