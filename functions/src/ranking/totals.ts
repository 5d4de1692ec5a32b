/**
 * Totals of teams. A segment with `teams` ranks its values by the exact sum of their players' scores, or of the best N
 * of these. Pure.
 *
 * Exact rows tell a total, so nothing is stored beside them. Merged rows have forgotten their scores: the total of such
 * a value is stored with its rows, and each fold adds to it what it changes. Of the best N, a fold that changes nothing
 * at the N-th best score or above keeps the total. Otherwise the players of the merged rows among the best N have to be
 * read: a run does that (best-totals.ts). A total that is not known is in none of the maps.
 */
import type { Definition } from "../model/definition.ts";
import { type Decimal, plus, zero } from "../model/decimal.ts";
import { isBetter, type Order } from "../model/score.ts";
import type { Rows } from "./rows.ts";
import type { ChangesOf } from "./segment-changes.ts";

/** A total, and of how many of the best players it is: `Infinity` for all. */
export interface Total {
  most: number;
  sum: Decimal;
}

/** Totals by segment with its value, such as `guild=red`. */
export type Totals = ReadonlyMap<string, Total>;

/** The names of the segments whose values are teams, each with how many of the best players count. */
export function teamSegments({ segments = [] }: Pick<Definition, "segments">): Map<string, number> {
  return new Map(
    segments.flatMap(({ name, teams }) => (teams ? [[name, teams.best ?? Infinity] as const] : [])),
  );
}

/** The total of the best `most` players, if the rows tell it. Of all players, what negative rows owe is taken off. */
export function totalInRows({ scores, lows, players }: Rows, most: number): Decimal | undefined {
  let sum = zero;
  let left = most;
  for (let row = 0; row < scores.length && left > 0; row++) {
    const score = scores[row] ?? NaN;
    const count = Math.min(players[row] ?? NaN, left);
    if (most !== Infinity && count <= 0) continue;
    if (score !== lows[row]) return undefined;
    sum = plus(sum, score, count);
    left -= count;
  }
  return sum;
}

/** The merged rows, best first, that have players among the best `most`. */
export function mergedAmongBest({ scores, lows, players }: Rows, most: number): number[] {
  const merged: number[] = [];
  let left = most;
  for (let row = 0; row < scores.length && left > 0; row++) {
    const count = players[row] ?? NaN;
    if (count > 0 && scores[row] !== lows[row]) merged.push(row);
    left -= Math.max(0, count);
  }
  return merged;
}

/**
 * The total of a value after a fold, if it is known without reading players.
 * @param before what is stored beside the rows before. @param rows after the fold, before they are merged.
 */
export function totalAfter(
  order: Order,
  before: Total | undefined,
  { rows, changes }: { rows: Rows; changes: ChangesOf | undefined },
  most: number,
): Total | undefined {
  const told = totalInRows(rows, most);
  if (told !== undefined) return { most, sum: told };
  if (before?.most !== most) return undefined;
  let { sum } = before;
  let changesOfBest = 0;
  const worst = most === Infinity ? undefined : worstAmongBest(order, rows, most);
  changes?.forEach((score, change) => {
    if (worst === undefined) sum = plus(sum, score, change);
    else if (!isBetter(order, worst, score)) changesOfBest += 1;
  });
  return changesOfBest === 0 ? { most, sum } : undefined;
}

/** The worst score of the row that has the `most`-th best player. With fewer players, none is too bad to count. */
function worstAmongBest(order: Order, { lows, players }: Rows, most: number): number {
  let left = most;
  const row = players.findIndex((count) => (left -= Math.max(0, count)) <= 0);
  return lows[row] ?? (order === "descending" ? -Infinity : Infinity);
}
