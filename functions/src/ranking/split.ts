/**
 * Splitting: merged rows that have become too wide are read again. Pure; reading is left to read.ts.
 *
 * A merged row has forgotten the order of its players, and it does not stay as narrow as it was: players arrive in it,
 * and others leave from above it. So each run, after its merge, takes the rows that hold more than `bound` × the
 * players above them, reads these players' scores from their marks at its own read time, replaces the rows by
 * exact ones and merges again. It reads few: a row that exceeds the bound at rank r has about bound × r players. This
 * also guarantees an exact head: a merged row of even one player is too wide unless 1 / bound players are above it.
 * `npm run bench -- rank-error` measures a season without and with it.
 */
import { isBetter, type Order } from "../model/score.ts";
import { checkSum } from "./check-sum.ts";
import { createFold } from "./fold.ts";
import { checkOf, pickRows, type Rows } from "./rows.ts";

/**
 * The indexes of merged rows that hold more than `bound` × the players above them, best first, as long as together they
 * hold at most `playersMax` players. The rest waits for the next run.
 */
export function wideRows({ scores, lows, players }: Rows, bound: number, playersMax: number): number[] {
  const wide: number[] = [];
  let above = 0;
  let found = 0;
  players.forEach((count, row) => {
    const isWide = scores[row] !== lows[row] && count > bound * above;
    if (isWide && found + count <= playersMax) {
      wide.push(row);
      found += count;
    }
    if (count > 0) above += count;
  });
  return wide;
}

/**
 * Whether the players found in a row are those that it counts: all but what is pending. They are not while marks in it
 * were destroyed or copied whose events are on their way. Those events will be counted too, so exact rows made of these
 * players would be wrong for ever. Such writes may cancel out in number, but not in the check sum.
 * @param held the scores of all players in the row, in no order, as their marks were at the read time.
 * @param pending changes that were in the marks then, but are not in `rows`.
 */
export function isCounted(
  order: Order,
  rows: Rows,
  row: number,
  held: readonly number[],
  pending: Rows,
): boolean {
  const [from, low] = [rows.scores[row] ?? NaN, rows.lows[row] ?? NaN];
  let players = rows.players[row] ?? NaN;
  let check = checkOf(rows, row);
  const add = (score: number, count: number) => {
    players += count;
    check = (check + checkSum(score, count)) | 0;
  };
  pending.scores.forEach((score, i) => {
    if (!isBetter(order, score, from) && !isBetter(order, low, score)) add(score, pending.players[i] ?? 0);
  });
  for (const score of held) add(score, -1);
  return players === 0 && check === 0;
}

/**
 * Rows in which some are replaced by exact ones.
 * @param wide the indexes of these, in order.
 * @param held the scores of all players in them, in no order, as their marks were at the read time.
 * @param pending changes that were in the marks at the read time, but are not in `rows` and must not get in.
 */
export function splitRows(
  order: Order,
  rows: Rows,
  wide: readonly number[],
  held: Iterable<number>,
  pending: Rows,
): Rows {
  const replaced = new Set(wide);
  const fold = createFold(
    order,
    pickRows(
      rows,
      [...rows.players.keys()].filter((row) => !replaced.has(row)),
    ),
  );
  for (const score of held) fold.add(score, 1);
  let next = 0;
  for (const row of wide) {
    const from = rows.scores[row] ?? NaN;
    const low = rows.lows[row] ?? NaN;
    for (; isBetter(order, pending.scores[next] ?? NaN, from); next++);
    for (; next < pending.scores.length && !isBetter(order, low, pending.scores[next] ?? NaN); next++) {
      fold.add(pending.scores[next] ?? NaN, -(pending.players[next] ?? 0));
    }
  }
  return fold.finish();
}
