/**
 * Splitting: merged rows that have become too wide are read again. Pure; reading is left to read.ts.
 *
 * A merged row has forgotten the order of its players, and it does not stay as narrow as it was: players arrive in it,
 * and others leave from above it. So each run, after its merge, takes the rows that hold more than `bound` × the
 * players above them, reads these players' scores from the index entries at its own read time, replaces the rows by
 * exact ones and merges again. It reads few: a row that exceeds the bound at rank r has about bound × r players. This
 * also guarantees an exact head: a merged row of even one player is too wide unless 1 / bound players are above it.
 * `npm run bench -- rank-error` measures a season without and with it.
 */
import { isBetter, type Order } from "../model/score.ts";
import { createFold } from "./fold.ts";
import { pickRows, type Rows } from "./rows.ts";

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
 * Rows in which some are replaced by exact ones.
 * @param wide the indexes of these, in order.
 * @param held the scores of all players in them, in no order, as indexed at the read time.
 * @param pending changes that were indexed at the read time, but are not in `rows` and must not get in.
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
