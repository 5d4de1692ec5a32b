/** How many players are counted where, and the ranks that follow from it. */
import type { Counted } from "../../functions/src/documents/mark.ts";
import { isBetter, type Order } from "../../functions/src/model/score.ts";
import { fieldToMark } from "../../functions/src/model/segments.ts";

/** Players by what is counted for them: their mark, or "unusable" of those who cannot be ranked. */
export type Marks = ReadonlyMap<string, number>;

/** The players at each score, and by how many a rank among them may be apart. */
export interface Tally {
  players: ReadonlyMap<number, number>;
  apart: number;
}

export function add<Name>(counts: Map<Name, number>, name: Name, delta: number): void {
  const sum = (counts.get(name) ?? 0) + delta;
  if (sum === 0) counts.delete(name);
  else counts.set(name, sum);
}

export function addAll<Name>(counts: Map<Name, number>, changes: ReadonlyMap<Name, number>, sign = 1): void {
  for (const [name, delta] of changes) add(counts, name, sign * delta);
}

/** Counts a player as after a change, and no longer as before. */
export function move(
  counts: Map<string, number>,
  { before, after }: { before: Counted; after: Counted },
): void {
  if (before !== undefined) add(counts, before, -1);
  if (after !== undefined) add(counts, after, 1);
}

/** The players at each score, of all marks or of those in a segment. */
export function playersIn(marks: Marks, segment?: string): Map<number, number> {
  const players = new Map<number, number>();
  for (const [mark, count] of marks) {
    if (mark === "unusable") continue;
    const { score = NaN, segments = [] } = fieldToMark(mark) ?? {};
    if (segment === undefined || segments.includes(segment)) add(players, score, count);
  }
  return players;
}

/** What rows show. They owe players whom corrections have taken out before others put them in, as these have no order. */
export function shownOf(players: ReadonlyMap<number, number>): Tally {
  const shown = new Map([...players].filter(([, count]) => count > 0));
  return { players: shown, apart: sum(shown.values()) - sum(players.values()) };
}

const sum = (counts: Iterable<number>) => [...counts].reduce((total, count) => total + count, 0);

export const sizeOf = ({ players }: Tally) => sum(players.values());

/** The scores that are better than one, with their players. */
export const betterIn = ({ players }: Tally, order: Order, score: number) =>
  [...players].filter(([other]) => isBetter(order, other, score));

export const rankIn = (tally: Tally, order: Order, score: number) =>
  1 + sum(betterIn(tally, order, score).map(([, count]) => count));
