/**
 * Merging: a ranking with more rows than a generation may have gets neighbouring rows joined, so that each rank's error
 * is small compared with the rank itself.
 *
 * A rank inside a merged row is uncertain by the number of its players. Rows are joined, best first, as long as a row's
 * players stay at most ε times the players above it. So the best 1/ε players keep rows of their own, and N players need
 * at most about 1/ε + ln(εN)/ε rows, twice that at the very worst. Buckets of equal depth would be wrong by the same
 * number of places everywhere: fine in the middle and useless at the top.
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
  return mergeTogether([rows], rowsMax)[0] ?? rows;
}

/** Merges several rankings that share `rowsMax`: with one ε for all, so that small rankings stay exact. */
export function mergeTogether(all: readonly Rows[], rowsMax: number): readonly Rows[] {
  const players = all.map((rows) => rows.players);
  if (countJoined(players, 0) <= rowsMax) return all;
  if (countJoined(players, Number.MAX_VALUE) > rowsMax) return mergeTogether(all.map(joinOwed), rowsMax);
  const epsilon = smallestEpsilon(players, rowsMax);
  return all.map((rows) => {
    const joined = join(rows, (use) => forEachGroup(rows.players, epsilon, use));
    // A ranking in which nothing was joined needs no check sums, and its pages will have none.
    return joined.scores.length === rows.scores.length ? rows : joined;
  });
}

/** Adds each owed row to the shown row before it: fewer rows of either kind, and the same sums. */
function joinOwed(rows: Rows): Rows {
  const { players } = rows;
  return join(rows, (use) => {
    for (let start = 0, end = 0; start < players.length; start = end) {
      let count = players[start] ?? 0;
      const isShown = count > 0;
      for (end = start + 1; isShown && (players[end] ?? Infinity) <= 0; end++) count += players[end] ?? 0;
      use(start, end, count);
    }
  });
}

/** The smallest ε, to within a thousandth of itself, for which the rows of some rankings fit together. */
export function smallestEpsilon(players: readonly Float64Array[], rowsMax: number): number {
  let fits = 1;
  while (countJoined(players, fits) > rowsMax) {
    fits *= 2;
    if (!Number.isFinite(fits)) throw new Error(`rows cannot be merged into ${rowsMax}`);
  }
  let tooSmall = 0;
  while (fits - tooSmall > precision * fits) {
    const middle = (fits + tooSmall) / 2;
    if (countJoined(players, middle) > rowsMax) tooSmall = middle;
    else fits = middle;
  }
  return fits;
}

/** How many rows readers would see. */
function countJoined(players: readonly Float64Array[], epsilon: number): number {
  let shown = 0;
  for (const some of players)
    forEachGroup(some, epsilon, (_start, _end, count) => {
      if (count > 0) shown += 1;
    });
  return shown;
}

/** Called for each run of rows, from `start` up to and excluding `end`, that becomes one row of `count` players. */
type UseGroup = (start: number, end: number, count: number) => void;

function join(rows: Rows, forEach: (use: UseGroup) => void): Rows {
  const joined: Row[] = [];
  forEach((start, end, players) => {
    // A row that stays alone keeps what it has: an exact one has no check sum.
    const isAlone = end - start === 1;
    let check = isAlone ? (rows.checks?.[start] ?? 0) : 0;
    for (let row = start; !isAlone && row < end; row++) check = (check + checkOf(rows, row)) | 0;
    joined.push({ score: rows.scores[start] ?? NaN, low: rows.lows[end - 1] ?? NaN, players, check });
  });
  return rowsOf(joined);
}

function forEachGroup(players: Float64Array, epsilon: number, use: UseGroup): void {
  let above = 0;
  for (let start = 0, end = 0; start < players.length; start = end) {
    let count = players[start] ?? 0;
    end = start + 1;
    if (count > 0) {
      const most = epsilon * above;
      for (; (players[end] ?? 0) > 0; end++) {
        const joined = count + (players[end] ?? 0);
        if (joined > most) break;
        count = joined;
      }
      above += count;
    }
    use(start, end, count);
  }
}
