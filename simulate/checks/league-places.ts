/** What a league makes of scores, told without any code of leagues: places, zones, moves and tiers by plain sorting and counting. */
import { Timestamp } from "../../functions/src/documents/firestore.ts";
import type { Group, Seat } from "../../functions/src/documents/group.ts";
import type { LeagueStanding } from "../../functions/src/documents/league-standing.ts";
import type { Definition } from "../../functions/src/model/definition.ts";
import type { League } from "../../functions/src/model/league.ts";
import { type Data, microsOf } from "../memory/store.ts";
import { scoreIn, type Status } from "./player.ts";

/** What a seat shows of its player. */
export type Shown = Pick<Seat, "player" | "score" | "achieved_at" | "display_name" | "is_guests">;

type Rules = Pick<Definition, "order" | "ties">;
type Move = "up" | "stayed" | "down";

/** A member with a place. */
export interface Member {
  name: string;
  seat: Seat;
  place: number;
  /** Undefined for a score that does not count. */
  rank: number | undefined;
  zone: "up" | "down" | undefined;
}

/** The members of a group, best first; who has no score is not in it. */
export function membersOf(
  { order, ties }: Rules,
  { seats, league }: Pick<Group, "seats" | "league">,
): Member[] {
  const all = Object.entries(seats).filter(([, { score }]) => score !== undefined);
  const idOf = ({ player, of }: Seat) => player ?? of;
  const better = (a: number, b: number) => (order === "descending" ? a > b : a < b);
  const timeOf = ({ achieved_at: at }: Seat) => (at === undefined ? Infinity : microsOf(at));
  const counting = all.filter(([, { is_guests: isGuests }]) => isGuests !== true);
  const others = all.filter(([, { is_guests: isGuests }]) => isGuests === true);
  counting.sort(([, a], [, b]) => {
    if (a.score !== b.score) return better(a.score ?? 0, b.score ?? 0) ? -1 : 1;
    const isEarlier = timeOf(a) === timeOf(b) ? idOf(a) < idOf(b) : timeOf(a) < timeOf(b);
    return isEarlier === (ties === "first") ? -1 : 1;
  });
  others.sort(([, a], [, b]) => (idOf(a) < idOf(b) ? -1 : 1));
  const { up, down } = zonesOf(league, counting.length);
  return [...counting, ...others].map(([name, seat], index) => {
    const place = index + 1;
    const counts = place <= counting.length;
    const ahead = counting.filter(([, other]) => better(other.score ?? 0, seat.score ?? 0)).length;
    const drawn =
      counts && place <= up ? "up" : counts && place > counting.length - down ? "down" : undefined;
    const settled = seat.move === "stayed" ? undefined : seat.move;
    return { name, seat, place, rank: counts ? ahead + 1 : undefined, zone: seat.move ? settled : drawn };
  });
}

/** How many of so many go up, and how many go down. */
export function zonesOf(league: Group["league"], members: number): { up: number; down: number } {
  if (league === undefined || members < league.min_size) return { up: 0, down: 0 };
  const { size, promote, demote } = league;
  const up = Math.floor((promote * members) / size);
  const least = promote > 0 && members >= 5 ? 1 : 0;
  return { up: Math.max(up, least), down: Math.floor((demote * members) / size) };
}

/** Who has left goes down, and not up. */
export function moveOf({ zone, seat }: Member): Move {
  return zone === undefined || (zone === "up" && seat.has_left === true) ? "stayed" : zone;
}

/** Where a move leads; nobody leaves the ends of the ladder. */
export function tierAfter(ladder: readonly string[], tier: string, move: Move): string {
  const step = ladder.indexOf(tier);
  const next = move === "up" ? step + 1 : move === "down" ? step - 1 : step;
  return ladder[Math.max(0, Math.min(ladder.length - 1, next))] ?? tier;
}

const weekMs = 7 * 86_400_000;

/** The tier in which a player begins a week. */
export function tierToBegin({ tiers, inactive }: League, standing: LeagueStanding, opensMs: number): string {
  const { tier, step = 0, until } = standing;
  const ids = tiers.map(({ id }) => id);
  if (tier === undefined || until === undefined) return ids[0] ?? "";
  let at = ids.includes(tier) ? ids.indexOf(tier) : Math.min(step, ids.length - 1);
  if (inactive?.then !== "demote") return ids[at] ?? "";
  const floor = inactive.floor === undefined ? 0 : ids.indexOf(inactive.floor);
  const weeks = Math.round((opensMs - until.toMillis()) / weekMs);
  for (let away = inactive.weeks; away <= weeks && at > floor; away += inactive.weeks) at -= 1;
  return ids[at] ?? "";
}

/** What a seat has to show for a document; nothing for a player who is not ranked. */
export function shownOf(player: string, data: Data | undefined, status: Status): Shown {
  const score = scoreIn(data);
  if (data === undefined || score === undefined || status !== "active") return {};
  const own = scoreShown(data, score);
  const name = data["display_name"];
  return { player, ...own, ...(typeof name === "string" && { display_name: name }) };
}

/** A guest's score counts for no zone; the own score that was there before is what the group goes by. */
function scoreShown(data: Data, score: number): Shown {
  const at = data["achieved_at"] instanceof Timestamp ? data["achieved_at"] : undefined;
  const { guests_at: guestsAt, own } = (data["league_seat"] ?? {}) as {
    guests_at?: Timestamp;
    own?: Pick<Shown, "score" | "achieved_at">;
  };
  const isGuests = guestsAt !== undefined && at?.isEqual(guestsAt) === true;
  if (isGuests && own !== undefined) return own;
  return { score, ...(at && { achieved_at: at }), ...(isGuests && { is_guests: true }) };
}
