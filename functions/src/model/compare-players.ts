/** The total order of players: by score, then time, then id. Pure; devices use it for a group that they listen to. */
import { compareIds } from "./id-order.ts";
import { type Order, sortKey } from "./score.ts";

/** What the total order goes by, with a time of any Firestore library. */
export interface Comparable {
  player: string;
  score: number;
  achievedAt: { seconds: number; nanoseconds: number };
}

export function comparePlayers(order: Order, ties: "first" | "last", a: Comparable, b: Comparable) {
  const byScore = sortKey(order, a.score) - sortKey(order, b.score);
  if (byScore !== 0) return byScore;
  const byTime =
    a.achievedAt.seconds - b.achievedAt.seconds || a.achievedAt.nanoseconds - b.achievedAt.nanoseconds;
  return (ties === "first" ? 1 : -1) * (byTime || compareIds(a.player, b.player));
}
