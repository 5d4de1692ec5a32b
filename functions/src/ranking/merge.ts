/**
 * Merging: a ranking with more rows than a generation may have gets neighbouring rows joined, so that each rank's error
 * is small compared with the rank itself.
 *
 * A merged row knows how many players it has, but not their order, so a rank inside it is uncertain by that number.
 * Rows are joined, best first, as long as a row's players stay at most ε times the players above it. So the best 1/ε
 * players keep rows of their own, and N players need at most about 1/ε + ln(εN)/ε rows, twice that at the very worst.
 * The same number of equal-depth buckets would be wrong by the same number of places everywhere: a thousandth of a per
 * cent of ten million is fine in the middle and useless at the top.
 *
 * The greedy choice is monotone in ε (a larger ε never needs more rows), so bisection finds the smallest ε that fits.
 */
import { checkOf, type Row, type Rows, rowsOf } from "./rows.ts";

/** The precision of the smallest ε, as a share of itself. */
const precision = 1e-3;

/**
 * Rows, joined where needed so that there are at most `rowsMax`. If they are few enough, they are returned unchanged.
 * Negative and empty rows (see fold.ts) are not joined, unless so many of them lie between the others that nothing else
 * fits: a partly folded backlog may leave an owed row after every other one.
 */
export function mergeRows(rows: Rows, rowsMax: number): Rows {
  if (countJoined(rows.players, 0) <= rowsMax) return rows;
  if (countJoined(rows.players, Number.MAX_VALUE) > rowsMax) return mergeRows(joinOwed(rows), rowsMax);
  const epsilon = smallestEpsilon(rows.players, rowsMax);
  return join(rows, (use) => {
    forEachGroup(rows.players, epsilon, use);
  });
}

/** Rows in which the owed ones are added to the shown one before them: fewer rows of either kind, and the same sums. */
function joinOwed(rows: Rows): Rows {
  const { players } = rows;
  return join(rows, (use) => {
    for (let start = 0, end = 0; start < players.length; start = end) {
      let count = players[start] ?? 0;
      const isShown = count > 0;
      for (end = start + 1; isShown && end < players.length && (players[end] ?? 0) <= 0; end++)
        count += players[end] ?? 0;
      use(start, end, count);
    }
  });
}

/** The smallest ε, to within a thousandth of itself, for which the rows fit. */
export function smallestEpsilon(players: Float64Array, rowsMax: number): number {
  let fits = 1;
  while (countJoined(players, fits) > rowsMax) {
    fits *= 2;
    if (!Number.isFinite(fits)) throw new Error(`rows cannot be merged into ${rowsMax}`);
  }
  let tooSmall = 0;
  // Stryker disable next-line EqualityOperator: halving meets the exact bound in no known case
  while (fits - tooSmall > precision * fits) {
    const middle = (fits + tooSmall) / 2;
    if (countJoined(players, middle) > rowsMax) tooSmall = middle;
    else fits = middle;
  }
  return fits;
}

/** How many rows readers would see. */
function countJoined(players: Float64Array, epsilon: number): number {
  let shown = 0;
  forEachGroup(players, epsilon, (_start, _end, count) => {
    if (count > 0) shown += 1;
  });
  return shown;
}

/** Called for each run of rows, from `start` up to and excluding `end`, that becomes one row of `count` players. */
type UseGroup = (start: number, end: number, count: number) => void;

function join(rows: Rows, forEach: (use: UseGroup) => void): Rows {
  const joined: Row[] = [];
  forEach((start, end, players) => {
    const [score = NaN, low = NaN] = [rows.scores[start], rows.lows[end - 1]];
    joined.push({ score, low, players, check: checkOfGroup(rows, start, end) });
  });
  return rowsOf(joined);
}

/** The check sum of the rows from `start` up to and excluding `end`, as one row; an exact row has none. */
function checkOfGroup(rows: Rows, start: number, end: number): number {
  if (end - start === 1) return rows.checks?.[start] ?? 0;
  let check = 0;
  for (let row = start; row < end; row++) check = (check + checkOf(rows, row)) | 0;
  return check;
}

/** Goes through the runs of rows that a given ε joins. */
function forEachGroup(players: Float64Array, epsilon: number, use: UseGroup): void {
  let above = 0;
  let start = 0;
  while (start < players.length) {
    let count = players[start] ?? 0;
    let end = start + 1;
    if (count > 0) {
      const most = epsilon * above;
      for (; ; end++) {
        const next = players[end] ?? 0;
        if (next <= 0) break;
        // Stryker disable next-line EqualityOperator: whether the bound itself fits changes ε by less than its precision
        if (count + next > most) break;
        count += next;
      }
      above += count;
    }
    use(start, end, count);
    start = end;
  }
}
