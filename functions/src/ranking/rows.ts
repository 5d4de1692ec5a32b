/** The rows of a ranking in memory: typed arrays, best row first, about 28 bytes a row. */
import { checkSum } from "./check-sum.ts";

/**
 * Rows in the board's order. Row i covers the scores from `scores[i]` down to `lows[i]` (towards worse ones); the two
 * are equal in an exact row. Intervals never overlap. `players[i]` may be negative for a while: see fold.ts.
 */
export interface Rows {
  scores: Float64Array;
  lows: Float64Array;
  players: Float64Array;
  /** The check sum of each merged row, see check-sum.ts; 0 for an exact one. Absent where no row was ever merged. */
  checks?: Int32Array | undefined;
}

export interface Row {
  score: number;
  low: number;
  players: number;
  check?: number | undefined;
}

export function rowsOf(list: readonly Row[]): Rows {
  return {
    scores: Float64Array.from(list, ({ score }) => score),
    lows: Float64Array.from(list, ({ low }) => low),
    players: Float64Array.from(list, ({ players }) => players),
    checks: list.some(({ check }) => check !== undefined)
      ? Int32Array.from(list, ({ check = 0 }) => check)
      : undefined,
  };
}

export const noRows = rowsOf([]);

/** Players of the rows as readers see them, without negative rows. */
export function shownPlayers({ players }: Rows): number {
  return players.reduce((sum, count) => sum + Math.max(0, count), 0);
}

/** Players of the rows, less the players that negative rows owe. */
export function allPlayers({ players }: Rows): number {
  return players.reduce((sum, count) => sum + count, 0);
}

export function checkOf({ scores, lows, players, checks }: Rows, row: number): number {
  const score = scores[row] ?? NaN;
  return score === lows[row] ? checkSum(score, players[row] ?? NaN) : (checks?.[row] ?? 0);
}

/** Whether every row is one score. */
export function isExact({ scores, lows }: Rows): boolean {
  return scores.every((score, i) => score === lows[i]);
}

/**
 * Rows without empty merged ones. A row whose players add up to none may still owe one and count another: the −1 at one
 * of its scores is folded, and the +1 that it answers is pending, or comes with the event of a direct write. Without the
 * row, that +1 would count a score that nobody has, and another score would be owed for ever. The check sum tells; where
 * there is none, every row stays.
 */
export function dropEmptyRows(rows: Rows): Rows {
  const { players, checks } = rows;
  if (checks === undefined) return rows;
  const kept = [...players.keys()].filter((row) => players[row] !== 0 || checks[row] !== 0);
  return kept.length === players.length ? rows : pickRows(rows, kept);
}

export function pickRows({ scores, lows, players, checks }: Rows, indexes: ArrayLike<number>): Rows {
  const at = (values: Float64Array) => Float64Array.from(indexes, (index) => values[index] ?? NaN);
  return {
    scores: at(scores),
    lows: at(lows),
    players: at(players),
    checks: checks && Int32Array.from(indexes, (index) => checks[index] ?? 0),
  };
}
