/** The exact answer to every question about a board, by sorting. Systems are compared with it, and formulas ask it. */
import { firstWhere } from "../../functions/src/model/search.ts";

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
  const above = (list: Float64Array, score: number) =>
    list.length - firstWhere(list, (other) => other > score);
  return {
    players: rising.length,
    distinct: distinct.length,
    above: (score) => above(rising, score),
    distinctAbove: (score) => above(distinct, score),
    equals: (score) => rising.length - above(rising, score) - firstWhere(rising, (other) => other >= score),
    scoreAt: (index) => rising[rising.length - 1 - index] ?? NaN,
  };
}

/** The different scores of a board, the best first. */
export function* distinctScores(truth: Truth): Generator<number> {
  for (let index = 0; index < truth.players;) {
    const score = truth.scoreAt(index);
    yield score;
    index += truth.equals(score);
  }
}

/** Who comes first among equal scores: the player who has had the score for longest, or the one whose id is last. */
export type Ties = "first to reach it" | "last id";

/** Players whose scores change. */
export interface LiveTruth {
  /** The truth at this time; it stays as it is when scores change. */
  readonly now: Truth;
  /** All players, the best first. */
  readonly best: readonly Entry[];
  scoreOf(player: string): number | undefined;
  ids(): string[];
  set(player: string, score: number): void;
}

/** A board without players. After a change, the first question takes time for each player. */
export function createLiveTruth(ties: Ties = "last id"): LiveTruth {
  const scores = new Map<string, number>();
  /** The players, who has had a score for longest first. */
  const reached = new Set<string>();
  let now: Truth | undefined;
  let best: Entry[] | undefined;
  const bestOf = (players: readonly string[]) =>
    players.map((player) => ({ player, score: scores.get(player) ?? NaN })).sort((a, b) => b.score - a.score);
  return {
    get now() {
      return (now ??= truthOf(Float64Array.from(scores.values())));
    },
    get best() {
      return (best ??= bestOf(ties === "last id" ? [...reached].sort().reverse() : [...reached]));
    },
    scoreOf: (player) => scores.get(player),
    ids: () => [...scores.keys()],
    set(player, score) {
      now = best = undefined;
      scores.set(player, score);
      reached.delete(player);
      reached.add(player);
    },
  };
}
