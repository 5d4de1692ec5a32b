/** What a private group has to show of its members, told without any code of groups. */
import { Timestamp } from "../../functions/src/documents/firestore.ts";
import type { Seat } from "../../functions/src/documents/group.ts";
import type { Definition } from "../../functions/src/model/definition.ts";
import { type Data, microsOf } from "../memory/store.ts";
import { nameIn, scoreIn, type Status } from "./player.ts";

/** A score and when it was achieved. */
export type Scored = Pick<Seat, "score" | "achieved_at">;

/** What a document says of a score that counts; nothing where it has none. */
export function scoredIn(data: Data | undefined): Scored {
  const score = scoreIn(data);
  const at = data?.["achieved_at"];
  if (score === undefined) return {};
  return { score, ...(at instanceof Timestamp && { achieved_at: at }) };
}

/** What a seat shows of a player with a document, or without one. */
export function memberIn(
  player: string,
  data: Data | undefined,
  status: Status,
): Pick<Seat, "player" | "score" | "achieved_at" | "display_name"> {
  if (status !== "active") return {};
  const name = nameIn(data);
  return { player, ...scoredIn(data), ...(name !== "" && { display_name: name }) };
}

/** A member with a place. */
export interface Placed {
  player: string;
  place: number;
  /** Undefined without a score. */
  rank: number | undefined;
  seat: Seat;
}

/** The members whom a group shows, best first; who has no score comes after all others, by id. */
export function placedIn(
  { order, ties }: Pick<Definition, "order" | "ties">,
  seats: readonly Seat[],
): Placed[] {
  const better = (a: number, b: number) => (order === "descending" ? a > b : a < b);
  const timeOf = ({ achieved_at: at }: Seat) => (at === undefined ? Infinity : microsOf(at));
  const shown = seats.flatMap((seat) => (seat.player === undefined ? [] : [{ player: seat.player, seat }]));
  const scored = shown.filter(({ seat }) => seat.score !== undefined);
  const others = shown.filter(({ seat }) => seat.score === undefined);
  scored.sort((a, b) => {
    const [score, other] = [a.seat.score ?? 0, b.seat.score ?? 0];
    if (score !== other) return better(score, other) ? -1 : 1;
    const [at, otherAt] = [timeOf(a.seat), timeOf(b.seat)];
    const isEarlier = at === otherAt ? a.player < b.player : at < otherAt;
    return isEarlier === (ties === "first") ? -1 : 1;
  });
  others.sort((a, b) => (a.player < b.player ? -1 : 1));
  return [...scored, ...others].map(({ player, seat }, i) => {
    const ahead = scored.filter(({ seat: other }) => better(other.score ?? 0, seat.score ?? 0)).length;
    return { player, place: i + 1, rank: seat.score === undefined ? undefined : ahead + 1, seat };
  });
}
