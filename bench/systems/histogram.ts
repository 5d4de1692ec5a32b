/**
 * How many players have each score, from 0 to {@link scoreMax}. Formulas remember with it what a system has stored.
 * Questions take a step for each score, not for each player. Pure.
 */
import type { Truth } from "../contest/truth.ts";
import { scoreMax } from "./system.ts";

export interface Histogram {
  readonly players: number;
  count(score: number): number;
  /** Players with a better score. */
  above(score: number): number;
  /** The score of the player at an index, which counts from 0 at the best, and the players with a better one. */
  at(index: number): { score: number; above: number } | undefined;
  add(score: number, players: number): void;
}

/** The players of a board at this time. Takes a step for each different score. */
export function histogramOf(truth: Truth): Histogram {
  const counts = new Float64Array(scoreMax + 1);
  let players = 0;
  for (const score of scoresOf(truth)) {
    counts[score] = truth.equals(score);
    players += truth.equals(score);
  }
  return {
    get players() {
      return players;
    },
    count: (score) => counts[score] ?? 0,
    above: (score) => counts.subarray(score + 1).reduce((sum, count) => sum + count, 0),
    at(index) {
      if (index < 0) return undefined;
      let above = 0;
      for (let score = scoreMax; score >= 0; score--) {
        const next = above + (counts[score] ?? 0);
        if (index < next) return { score, above };
        above = next;
      }
      return undefined;
    },
    add(score, more) {
      counts[score] = (counts[score] ?? 0) + more;
      players += more;
    },
  };
}

/** The different scores of a board, the best first. */
export function* scoresOf(truth: Truth): Generator<number> {
  for (let index = 0; index < truth.players;) {
    const score = truth.scoreAt(index);
    yield score;
    index += truth.equals(score);
  }
}
