/** Players in the order of a system, for formulas that depend on who comes first among equals. */
import type { Change, Entry } from "../contest/truth.ts";

/** A player, and which change of the board gave the score: a later one has a higher number. */
export interface Placed extends Entry {
  change: number;
}

/** Below 0 if `a` comes before `b`, which has the same score. */
export type Ties = (a: Placed, b: Placed) => number;

export const olderFirst: Ties = (a, b) => a.change - b.change;
export const newerFirst: Ties = (a, b) => b.change - a.change;
/** As a query with the highest score first has them. */
export const idsFalling: Ties = (a, b) => (a.player > b.player ? -1 : a.player < b.player ? 1 : 0);

export interface PlayerOrder {
  readonly size: number;
  /** Takes a change; it takes time for each player. */
  set(change: Change): void;
  /** A player's place, or `undefined`. */
  placeOf(player: string): Placed | undefined;
  /** How many come before this place, whether or not it is taken here. */
  before(place: Placed): number;
  /** How many have a better score. */
  above(score: number): number;
}

/** An order without players. */
export function createPlayerOrder(ties: Ties): PlayerOrder {
  const places = new Map<string, Placed>();
  const sorted: Placed[] = [];
  let changes = 0;
  const countWhile = (holds: (other: Placed) => boolean) => {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = sorted[middle];
      if (other !== undefined && holds(other)) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const before = (place: Placed) =>
    countWhile((other) => (place.score - other.score || ties(other, place)) < 0);
  return {
    get size() {
      return sorted.length;
    },
    set({ player, after: score }) {
      const old = places.get(player);
      if (old?.score === score) return;
      if (old !== undefined) sorted.splice(before(old), 1);
      const place = { player, score, change: ++changes };
      sorted.splice(before(place), 0, place);
      places.set(player, place);
    },
    placeOf: (player) => places.get(player),
    before,
    above: (score) => countWhile((other) => other.score > score),
  };
}
