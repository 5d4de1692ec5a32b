/**
 * Merging: a ranking of more rows than a generation may have, with neighbouring rows joined so that each rank's
 * error is small compared with the rank itself.
 *
 * A merged row knows how many players it holds, not in which order, so a rank inside it is uncertain by its
 * players. Rows are joined, best first, as long as a row's players stay at most ε times the players above it.
 * The best 1/ε players thus keep rows of their own, and N players need at most about 1/ε + ln(εN)/ε rows, twice
 * that at the very worst. Equal-depth buckets with as many rows would be wrong by the same number of places
 * everywhere: a thousandth of a per cent of ten million is fine in the middle and useless at the top.
 *
 * The greedy choice is monotone in ε (a larger ε never needs more rows), so bisection finds the smallest ε that
 * fits.
 */
import type { Rows } from "./rows.ts";

/** How closely the smallest ε is found, as a share of itself. */
const precision = 1e-3;

/**
 * Rows, joined where needed so that there are at most `rowsMax`. Rows that are few enough come back as they are.
 * Negative and empty rows (see fold.ts) are not joined, unless so many of them stand between the others that
 * nothing else fits: part of a long backlog may leave a row owed after every other one.
 */
export function mergeRows(rows: Rows, rowsMax: number): Rows {
  if (countJoined(rows.players, 0) <= rowsMax) return rows;
  if (countJoined(rows.players, Number.MAX_VALUE) > rowsMax) return mergeRows(joinOwed(rows), rowsMax);
  return joinRows(rows, smallestEpsilon(rows.players, rowsMax));
}

/** Rows with those that are owed added to the shown one before them: fewer of either kind, and the same sums. */
function joinOwed({ scores, lows, players }: Rows): Rows {
  const joined = { scores: [] as number[], lows: [] as number[], players: [] as number[] };
  for (let start = 0, end = 0; start < players.length; start = end) {
    let count = players[start] ?? 0;
    const isShown = count > 0;
    for (end = start + 1; isShown && end < players.length && (players[end] ?? 0) <= 0; end++)
      count += players[end] ?? 0;
    joined.scores.push(scores[start] ?? NaN);
    joined.lows.push(lows[end - 1] ?? NaN);
    joined.players.push(count);
  }
  return {
    scores: Float64Array.from(joined.scores),
    lows: Float64Array.from(joined.lows),
    players: Float64Array.from(joined.players),
  };
}

/** The smallest ε, to within a thousandth of itself, for which the rows fit. */
export function smallestEpsilon(players: Float64Array, rowsMax: number): number {
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
function countJoined(players: Float64Array, epsilon: number): number {
  let shown = 0;
  forEachGroup(players, epsilon, (_start, _end, count) => {
    if (count > 0) shown += 1;
  });
  return shown;
}

function joinRows({ scores, lows, players }: Rows, epsilon: number): Rows {
  const joined: { scores: number[]; lows: number[]; players: number[] } = {
    scores: [],
    lows: [],
    players: [],
  };
  forEachGroup(players, epsilon, (start, end, count) => {
    joined.scores.push(scores[start] ?? NaN);
    joined.lows.push(lows[end - 1] ?? NaN);
    joined.players.push(count);
  });
  return {
    scores: Float64Array.from(joined.scores),
    lows: Float64Array.from(joined.lows),
    players: Float64Array.from(joined.players),
  };
}

/** Calls `use` for each run of rows, from `start` up to and without `end`, that becomes one row of `count` players. */
function forEachGroup(
  players: Float64Array,
  epsilon: number,
  use: (start: number, end: number, count: number) => void,
): void {
  let above = 0;
  let start = 0;
  while (start < players.length) {
    let count = players[start] ?? 0;
    let end = start + 1;
    if (count > 0) {
      const most = epsilon * above;
      for (; end < players.length; end++) {
        const next = players[end] ?? 0;
        if (next <= 0 || count + next > most) break;
        count += next;
      }
      above += count;
    }
    use(start, end, count);
    start = end;
  }
}
