/**
 * Splitting: merged rows that have become too wide are read again. Pure; reading is left to split-wide.ts.
 *
 * A merged row does not stay as narrow as it was: players arrive in it, and others leave from above it. So each run,
 * after its merge, takes the rows that hold more than `bound` × the players above them, reads these players' scores from
 * their marks at its own read time, replaces the rows by exact ones and merges again. It reads few: a row that exceeds
 * the bound at rank r has about bound × r players. This also guarantees an exact head: a merged row of even one player is
 * too wide unless 1 / bound players are above it. `npm run bench -- rank-error` measures a season without and with it.
 */
import { isBetter, type Order } from "../model/score.ts";
import { checkSum } from "./check-sum.ts";
import { addRows, createFold } from "./fold.ts";
import { checkOf, noRows, pickRows, type Rows } from "./rows.ts";

/** The indexes of merged rows that hold more than `bound` × the players above them, best first. */
export function wideRows({ scores, lows, players }: Rows, bound: number): number[] {
  const wide: number[] = [];
  let above = 0;
  players.forEach((count, row) => {
    if (scores[row] !== lows[row] && count > bound * above) wide.push(row);
    above += Math.max(0, count);
  });
  return wide;
}

/**
 * The exact rows of the players found in a row, without what is pending; undefined if the row counts other players. Then
 * direct writes have destroyed or copied marks, and their events are on their way: see check-sum.ts.
 * @param held the players in the row by score, as their marks were at the read time.
 * @param pending changes that were in the marks then, but are not in `rows` and must not get in.
 */
export function exactRowsIn(order: Order, rows: Rows, row: number, held: Rows, pending: Rows) {
  const from = rows.scores[row] ?? NaN;
  const low = rows.lows[row] ?? NaN;
  const fold = createFold(order, noRows);
  let players = rows.players[row] ?? NaN;
  let check = checkOf(rows, row);
  const move = (score: number, count: number) => {
    fold.add(score, count);
    players -= count;
    check = (check - checkSum(score, count)) | 0;
  };
  held.scores.forEach((score, i) => {
    move(score, held.players[i] ?? 0);
  });
  pending.scores.forEach((score, i) => {
    if (!isBetter(order, score, from) && !isBetter(order, low, score))
      move(score, -(pending.players[i] ?? 0));
  });
  return players === 0 && check === 0 ? fold.finish() : undefined;
}

/** Replaces the rows with the indexes `wide` by exact rows. */
export function splitRows(order: Order, rows: Rows, wide: readonly number[], exact: readonly Rows[]): Rows {
  const replaced = new Set(wide);
  const kept = [...rows.players.keys()].filter((row) => !replaced.has(row));
  const fold = createFold(order, pickRows(rows, kept));
  for (const some of exact) addRows(fold, some, 1);
  return fold.finish();
}
