/** The board that every system of `npm run bench -- serve` holds, and the questions asked about it. */
import { drawScores, type Shape } from "../generators/shapes.ts";

/** Players sorted by score, best first; their ids so that equal scores are sorted too (see {@link playerAt}). */
export interface Board {
  leaderboard: string;
  scores: Float64Array;
}

/** A request with its right answer, by a full sort. */
export interface Question {
  score: number;
  /** The player of that score whom a sorted set lists first, so that a place in the list is a rank too. */
  player: string;
  /** 1 + players with a better score. */
  rank: number;
}

/** A board of so many players of a published distribution; the same for the same seed. */
export function drawBoard(leaderboard: string, shape: Shape, players: number, seed: number): Board {
  return { leaderboard, scores: drawScores(shape, players, seed).sort().reverse() };
}

/**
 * The id of the player at a 0-based index. Ids fall as indexes rise: Redis lists equal scores by member, and
 * backwards in ZREVRANK, so that a player's index is also the answer to ZREVRANK.
 */
export function playerAt({ scores }: Board, index: number): string {
  return `player-${String(scores.length - index).padStart(9, "0")}`;
}

/** The question about the score of the player at an index. */
export function questionAt(board: Board, index: number): Question {
  const score = board.scores[index] ?? NaN;
  const first = firstOf(board.scores, score);
  return { score, player: playerAt(board, first), rank: first + 1 };
}

/** Questions about the scores of players drawn by chance, as players ask about their own. */
export function drawQuestions(board: Board, count: number, random: () => number): Question[] {
  return Array.from({ length: count }, () => questionAt(board, Math.floor(random() * board.scores.length)));
}

/** The index of the first player with a score, or of where that player would be; `scores` fall. */
function firstOf(scores: Float64Array, score: number): number {
  let low = 0;
  let high = scores.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((scores[middle] ?? NaN) > score) low = middle + 1;
    else high = middle;
  }
  return low;
}
