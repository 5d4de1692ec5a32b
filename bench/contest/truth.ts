/** The exact answer to every question about a board, by sorting. Systems are compared with it, and formulas ask it. */

/** Scores of a board, better ones higher. Indexes count from 0 at the best player. */
export interface Truth {
  players: number;
  /** Different scores. */
  distinct: number;
  /** Players with a better score. */
  above(score: number): number;
  /** Different scores that are better. */
  distinctAbove(score: number): number;
  /** Players with this score. */
  equals(score: number): number;
  /** The score at an index; NaN outside the board. */
  scoreAt(index: number): number;
}

export interface Entry {
  player: string;
  score: number;
}

/** A new score of a player; the score before it is null for a new player. */
export interface Change {
  player: string;
  before: number | null;
  after: number;
}

/** The truth about scores that do not change. Takes memory for the scores and for the different ones among them. */
export function truthOf(scores: Float64Array): Truth {
  const rising = scores.slice().sort();
  const distinct = rising.filter((score, i) => i === 0 || score !== rising[i - 1]);
  return truthOfRising(rising, distinct);
}

function truthOfRising(
  rising: ArrayLike<number> & { length: number },
  distinct: ArrayLike<number> & { length: number },
): Truth {
  return {
    players: rising.length,
    distinct: distinct.length,
    above: (score) => rising.length - countUpTo(rising, score),
    distinctAbove: (score) => distinct.length - countUpTo(distinct, score),
    equals: (score) => countUpTo(rising, score) - countBelow(rising, score),
    scoreAt: (index) => rising[rising.length - 1 - index] ?? NaN,
  };
}

/** Players whose scores change, with the truth about them. */
export interface LiveTruth extends Truth {
  scoreOf(player: string): number | undefined;
  ids(): string[];
  set(player: string, score: number): Change;
}

/** A board without players. A change takes time for each player. */
export function createLiveTruth(): LiveTruth {
  const byPlayer = new Map<string, number>();
  const rising: number[] = [];
  const distinct: number[] = [];
  const remove = (score: number) => {
    rising.splice(countBelow(rising, score), 1);
    if (rising[countBelow(rising, score)] !== score) distinct.splice(countBelow(distinct, score), 1);
  };
  const add = (score: number) => {
    const at = countBelow(rising, score);
    if (rising[at] !== score) distinct.splice(countBelow(distinct, score), 0, score);
    rising.splice(at, 0, score);
  };
  // Its numbers of players are read anew each time.
  const questions = () => truthOfRising(rising, distinct);
  return {
    get players() {
      return rising.length;
    },
    get distinct() {
      return distinct.length;
    },
    above: (score) => questions().above(score),
    distinctAbove: (score) => questions().distinctAbove(score),
    equals: (score) => questions().equals(score),
    scoreAt: (index) => questions().scoreAt(index),
    scoreOf: (player) => byPlayer.get(player),
    ids: () => [...byPlayer.keys()],
    set(player, score) {
      const before = byPlayer.get(player) ?? null;
      if (before !== null) remove(before);
      add(score);
      byPlayer.set(player, score);
      return { player, before, after: score };
    },
  };
}

/** How many values of a rising list are at most `value`. */
function countUpTo(rising: ArrayLike<number>, value: number): number {
  return countWhile(rising, (other) => other <= value);
}

/** How many values of a rising list are below `value`. */
export function countBelow(rising: ArrayLike<number>, value: number): number {
  return countWhile(rising, (other) => other < value);
}

function countWhile(rising: ArrayLike<number>, holds: (value: number) => boolean): number {
  let low = 0;
  let high = rising.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(rising[middle] ?? NaN)) low = middle + 1;
    else high = middle;
  }
  return low;
}
