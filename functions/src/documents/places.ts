/**
 * The places of a group's members, for showing and for settling. Pure; devices use it for the group that they listen to.
 */
import type { Definition } from "../model/definition.ts";
import { type Comparable, comparePlayers } from "../model/compare-players.ts";
import { compareIds } from "../model/id-order.ts";

/** What the place of a seat goes by. */
export interface SeatPlaced {
  /** The player's id, or what stands for it. */
  player: string;
  /** The score as it is ranked; undefined for one who has none that counts. */
  score: number | undefined;
  achievedAt: Comparable["achievedAt"] | undefined;
  /** The place that was settled; absent before, and for one who was not shown at the end. */
  settled?: number | undefined;
}

/** A seat with its place. */
export type WithPlace<Seat> = Seat & {
  /** 1-based, and never shared: by score, time and id. */
  place: number;
  /** 1 + members with a better score, 1-based; undefined without a score that counts. */
  rank: number | undefined;
};

/**
 * The seats of a group, best first. Whoever has no score that counts comes last, by id. In a group that is settled the order
 * of its end stays; whoever was not shown then comes last.
 */
export function placesOf<Seat extends SeatPlaced>(
  { order, ties }: Pick<Definition, "order" | "ties">,
  seats: readonly Seat[],
): WithPlace<Seat>[] {
  const sorted = seats.toSorted((a, b) => {
    if (a.settled !== b.settled) return (a.settled ?? Infinity) - (b.settled ?? Infinity);
    const [left, right] = [comparableOf(a), comparableOf(b)];
    if (left !== undefined && right !== undefined) return comparePlayers(order, ties, left, right);
    if (left === undefined && right === undefined) return compareIds(a.player, b.player);
    return left === undefined ? 1 : -1;
  });
  let rank = 0;
  return sorted.map((seat, index) => {
    if (index === 0 || seat.score !== sorted[index - 1]?.score) rank = index + 1;
    return { ...seat, place: index + 1, rank: seat.score === undefined ? undefined : rank };
  });
}

function comparableOf({ player, score, achievedAt }: SeatPlaced): Comparable | undefined {
  if (score === undefined) return undefined;
  // A score without a time gets the one of its write.
  return { player, score, achievedAt: achievedAt ?? { seconds: Infinity, nanoseconds: 0 } };
}
