/** Where a place in a group of a league leads. A group is drawn and settled by these functions. Pure; devices use them too. */
import { leagueSizeMin } from "./limits.ts";

/** What a group is settled by: it keeps the rules that its first member found. */
export interface GroupRules {
  size: number;
  min_size: number;
  promote: number;
  demote: number;
}

/**
 * How many of a group's members go up, and how many go down: at most their share of a full group. Below `min_size` nobody
 * moves; from five members on, at least one goes up.
 * @param members those with a place that counts.
 */
export function zonesOf(rules: GroupRules, members: number): { up: number; down: number } {
  const { size, min_size: least, promote, demote } = rules;
  if (members < least) return { up: 0, down: 0 };
  const share = (of: number) => Math.floor((of * members) / size);
  const up = promote > 0 && members >= leagueSizeMin ? Math.max(1, share(promote)) : share(promote);
  return { up, down: share(demote) };
}

/** The zones of a group; a place between them leads nowhere. */
export type Zone = "up" | "down";

/** The zone of a place, 1-based, among so many that count; undefined for a place in between, and beyond them. */
export function zoneOf(rules: GroupRules, place: number, members: number): Zone | undefined {
  if (place > members) return undefined;
  const { up, down } = zonesOf(rules, members);
  if (place <= up) return "up";
  return place > members - down ? "down" : undefined;
}

export const moves = ["up", "stayed", "down"] as const;
export type Move = (typeof moves)[number];

/** What becomes of a member. Who has left the league goes down by the place, and never up. */
export function moveOf(zone: Zone | undefined, hasLeft: boolean): Move {
  if (zone === undefined || (zone === "up" && hasLeft)) return "stayed";
  return zone;
}

/** The tier that a move leads to, on a ladder of tiers that goes upwards. */
export function tierAfter(ladder: readonly string[], tier: string, move: Move): string {
  const step = ladder.indexOf(tier) + { up: 1, stayed: 0, down: -1 }[move];
  return ladder[step] ?? tier;
}
