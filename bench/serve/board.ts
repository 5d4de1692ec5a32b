/** The board that every system of `npm run bench -- serve` holds, and the questions asked about it. */
import { firstWhere } from "../../functions/src/model/search.ts";
import { drawScores, type Shape } from "../generators/shapes.ts";

/** Scores of the players, the best first. */
export interface Board {
  leaderboard: string;
  scores: Float64Array;
}

/** A request with its right answer, by a full sort. */
export interface Question {
  score: number;
  /** 1 + players with a better score. */
  rank: number;
}

/** A board of so many players of a published distribution; the same for the same seed. */
export function drawBoard(leaderboard: string, shape: Shape, players: number, seed: number): Board {
  return { leaderboard, scores: drawScores(shape, players, seed).sort().reverse() };
}

/** The question about the score of the player at an index. */
export function questionAt({ scores }: Board, index: number): Question {
  const score = scores[index] ?? NaN;
  return { score, rank: 1 + firstWhere(scores, (other) => other <= score) };
}

/** Questions about the scores of players drawn by chance, as players ask about their own. */
export function drawQuestions(board: Board, count: number, random: () => number): Question[] {
  return Array.from({ length: count }, () => questionAt(board, Math.floor(random() * board.scores.length)));
}
