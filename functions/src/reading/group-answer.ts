/** A group of a league as its members get it. Pure: clients that listen to the document use the same code. */
import type { GroupRead } from "../documents/group.ts";
import { membersPlaced, nextPlace } from "../league/outcomes.ts";
import { unpackColumns } from "../model/columns.ts";
import type { Definition } from "../model/definition.ts";
import { isoTime } from "../model/instant.ts";
import type { LeagueAnswer } from "../model/league-answer.ts";

export type LeagueShown = NonNullable<LeagueAnswer["league"]>;

interface GroupAsked {
  id: string;
  group: GroupRead;
  /** Who asks. */
  player: string;
  /** In milliseconds since 1970. */
  nowMs: number;
}

/** A group with its places and zones, as `getLeague` answers it. */
export function groupAnswer(
  definition: Pick<Definition, "order" | "ties" | "columns">,
  { id, group, player, nowMs }: GroupAsked,
): LeagueShown {
  const placed = membersPlaced(group, definition);
  const { place = null, zone = null } = placed.find(({ seat }) => seat.player === player) ?? {};
  const next = place === null ? undefined : nextPlace(group, placed, place);
  const entries = placed.map((one) => memberAnswer(definition, one));
  return {
    tier: group.league?.tier ?? "",
    group: id,
    state: stateOf(group, nowMs),
    place,
    zone,
    next_place: next ?? null,
    next_score: next === undefined ? null : (entries[next - 1]?.score ?? null),
    entries,
    players: placed.length,
    ends_at: group.ends_at === null ? null : isoTime(group.ends_at),
    as_of: isoTime(group.pace.written_at),
  };
}

function stateOf({ settled_at: settledAt, ends_at: endsAt }: GroupRead, nowMs: number): LeagueShown["state"] {
  if (settledAt !== undefined) return "settled";
  return endsAt !== null && endsAt.toMillis() <= nowMs ? "ending" : "open";
}

/** One member. Of who has left the league only the place is shown. */
function memberAnswer(
  { order, columns: of }: Pick<Definition, "order" | "columns">,
  { place, rank, zone, seat }: ReturnType<typeof membersPlaced>[number],
): LeagueShown["entries"][number] {
  const { player, score, display_name: name, move } = seat;
  const columns = score === undefined ? undefined : unpackColumns(order, of, score);
  return {
    place,
    ...(rank !== undefined && player !== undefined && { rank }),
    ...(player !== undefined && { player, ...(score !== undefined && { score }) }),
    ...(player !== undefined && columns && { columns }),
    ...(name !== undefined && { display_name: name }),
    ...(zone && { zone }),
    ...(move && { move }),
  };
}
