/**
 * The fold: a published ranking plus the pending changes of some shard documents is the next ranking.
 *
 * The inverted index says for each score how many players have it. It is kept as a sum: the rows of the last ranking,
 * plus every shard document not folded yet. Addition does not care in which document a change lies or when it is
 * folded. That is all the coordination there is between the writers of shards and the runs.
 *
 * Worked example, descending. Published rows, as score × players:
 *
 *     90 × 1    80 × 2    70 × 1          ranks 1, 2, 2, 4
 *
 * Two shard documents: {80: −1, 95: +1} (a player rose from 80 to 95) and {70: −1, 60: +1, 95: +1} (a player
 * fell from 70 to 60, and a new player reached 95). Their sum, sorted, is 95 +2, 80 −1, 70 −1, 60 +1, and one
 * pass over both lists gives
 *
 *     95 × 2    90 × 1    80 × 1    60 × 1          ranks 1, 1, 3, 4, 5
 *
 * The row of 70 has reached zero and is gone. Without the second document, the result would be the ranking before that
 * change: still a sum of whole changes.
 *
 * A row becomes negative if a player's −1 is folded while the +1 at the same score is pending. Slots rule that out
 * (model/slot.ts), so it takes a document that Firerank did not write. Such a row is kept, so that the sum stays right,
 * and not shown. Ranks are then uncertain by as many players (placeOf in lookup.ts).
 *
 * Memory: 16 bytes for each pending change and about 28 for each row, whatever the number of documents. Time: O(n log n)
 * in the number of changes. There is no JavaScript `Map`, which takes five times the memory and ends at 2^24 keys.
 */
import { type Order, scoreOfKey, sortKey } from "../model/score.ts";
import { checkSum } from "./check-sum.ts";
import type { Rows } from "./rows.ts";

export interface Fold {
  /** Adds one change: `delta` players more, or fewer, at `score`. */
  add(score: number, delta: number): void;
  /** The rows with all changes added; exact ones that are empty are left out. The fold cannot be used after this. */
  finish(): Rows;
}

/** Begins a fold on top of `rows`, which are not changed. */
export function createFold(order: Order, rows: Rows): Fold {
  let keys = new Float64Array(64);
  let deltas = new Float64Array(64);
  let size = 0;

  function makeRoom(): void {
    size = addUpEqual(keys, deltas, size);
    if (size < keys.length / 2) return;
    keys = new Float64Array(keys.buffer.transfer(2 * keys.byteLength));
    deltas = new Float64Array(deltas.buffer.transfer(2 * deltas.byteLength));
  }

  return {
    add(score, delta) {
      if (size === keys.length) makeRoom();
      keys[size] = sortKey(order, score);
      deltas[size] = delta;
      size += 1;
    },
    finish() {
      size = addUpEqual(keys, deltas, size);
      return mergeJoin(order, rows, keys.subarray(0, size), deltas.subarray(0, size));
    },
  };
}

export function addRows(fold: Pick<Fold, "add">, { scores, players }: Rows, sign: 1 | -1): void {
  scores.forEach((score, row) => fold.add(score, sign * (players[row] ?? 0)));
}

/** Sorts the first `size` changes by key and adds up those of equal key, in place. Returns how many are left. */
export function addUpEqual(keys: Float64Array, deltas: Float64Array, size: number): number {
  const sorted = keys.slice(0, size).sort();
  let length = 0;
  for (const key of sorted) {
    if (key !== sorted[length - 1]) sorted[length++] = key;
  }
  const distinct = sorted.subarray(0, length);
  const sums = new Float64Array(length);
  for (let i = 0; i < size; i++) {
    const at = indexOf(distinct, keys[i] ?? NaN);
    sums[at] = (sums[at] ?? 0) + (deltas[i] ?? 0);
  }
  keys.set(distinct);
  deltas.set(sums);
  return length;
}

/** The index of a key that is there; `firstWhere` with its function takes a third longer for a whole fold. */
function indexOf(sorted: Float64Array, key: number): number {
  let low = 0;
  for (let high = sorted.length; low < high;) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? NaN) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Walks through rows and changes, both sorted, side by side. A change inside a row goes to that row; any other becomes
 * a row of its own. Only exact rows are removed when they are empty: see dropEmptyRows.
 */
function mergeJoin(order: Order, rows: Rows, keys: Float64Array, deltas: Float64Array): Rows {
  const most = rows.scores.length + keys.length;
  const scores = new Float64Array(most);
  const lows = new Float64Array(most);
  const counts = new Float64Array(most);
  const checks = rows.checks && new Int32Array(most);
  let length = 0;
  function put(score: number, low: number, players: number, check: number): void {
    if (players === 0 && score === low) return;
    scores[length] = score;
    lows[length] = low;
    counts[length] = players;
    if (checks !== undefined) checks[length] = check;
    length += 1;
  }

  let change = 0;
  const keyOfChange = () => keys[change] ?? Infinity;
  function putChangesBefore(key: number): void {
    for (; keyOfChange() < key; change++) {
      const score = scoreOfKey(order, keyOfChange());
      put(score, score, deltas[change] ?? 0, 0);
    }
  }

  rows.scores.forEach((score, row) => {
    const low = rows.lows[row] ?? NaN;
    let players = rows.players[row] ?? 0;
    let check = rows.checks?.[row] ?? 0;
    putChangesBefore(sortKey(order, score));
    for (const lastKey = sortKey(order, low); keyOfChange() <= lastKey; change++) {
      const delta = deltas[change] ?? 0;
      players += delta;
      if (score !== low) check = (check + checkSum(scoreOfKey(order, keyOfChange()), delta)) | 0;
    }
    put(score, low, players, check);
  });
  putChangesBefore(Infinity);
  // Views, not copies: at ten million scores each copy would take another 80 MB.
  return {
    scores: scores.subarray(0, length),
    lows: lows.subarray(0, length),
    players: counts.subarray(0, length),
    checks: checks?.subarray(0, length),
  };
}
