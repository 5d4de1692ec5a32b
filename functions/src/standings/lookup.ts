/**
 * Ranks and positions in the standings of a closed season, from their summary and one of their documents. Pure: binary
 * search and a little arithmetic.
 *
 * Documents that have lost all their players are left out from the start. In the others the scores get worse from each
 * to the next, so the players better than a score are all players of the documents before one, and some of that document.
 *
 * @example of a descending board, in documents of three: [9, 8, 8] and [8, 5, 5]. Before the second there are 3
 * players, 2 of them equals of its first (`tiesBefore`), and 1 better score (`denseBefore`). So 8 has the rank 3 − 2 +
 * 1 = 2 and the dense rank 1 + 1 = 2; the summary alone is enough. 6 has the rank 3 + 1 + 1 = 5 and the dense rank 1 +
 * 1 + 1 = 3: the document shows that one of its scores is better.
 */
import { numbersOf, type Standings, type StandingsSummary } from "../documents/standings.ts";
import { isBetter, type Order } from "../model/score.ts";
import { firstWhere } from "../model/search.ts";

/** A document of the standings that holds players, as the summary describes it. */
export interface StandingsPart {
  n: number;
  /** Players before the document, and players in it. */
  before: number;
  players: number;
  /** The score of its first player. */
  first: number;
  /** Players before the document with the score `first`. */
  tiesBefore: number;
  /** Different scores before the document that are better than `first`. */
  denseBefore: number;
}

export interface StandingsIndex {
  players: number;
  /** The documents that hold players, best first. */
  parts: readonly StandingsPart[];
}

/** A stretch of a document's players, by 0-based indexes in it; `until` is exclusive. */
export interface StandingsStretch {
  part: StandingsPart;
  from: number;
  until: number;
}

/** Prepares a summary for lookups. Takes time in proportion to its documents, once for each summary read. */
export function indexOfStandings(summary: StandingsSummary): StandingsIndex {
  const parts: StandingsPart[] = [];
  const numbers = numbersOf(summary);
  let before = 0;
  for (const [i, players] of summary.counts.entries()) {
    if (players === 0) continue;
    parts.push({
      n: numbers[i] ?? NaN,
      before,
      players,
      first: summary.first_scores[i] ?? NaN,
      tiesBefore: summary.ties_before[i] ?? NaN,
      denseBefore: summary.dense_before[i] ?? NaN,
    });
    before += players;
  }
  return { players: before, parts };
}

/** The stretches of up to `limit` players from a 0-based offset on, best first; none beyond the end. */
export function stretchesFrom({ parts }: StandingsIndex, offset: number, limit: number): StandingsStretch[] {
  const end = offset + limit;
  const first = firstWhere(parts, ({ before, players }) => before + players > offset);
  const behind = firstWhere(parts, ({ before }) => before >= end);
  return parts.slice(first, behind).map((part) => {
    const until = Math.min(part.players, end - part.before);
    return { part, from: Math.max(0, offset - part.before), until };
  });
}

/** The documents that may hold a score, best first: one, unless equals cross an edge; none above the best. */
export function partsWithScore(order: Order, { parts }: StandingsIndex, score: number): StandingsPart[] {
  const notBetter = firstWhere(parts, ({ first }) => !isBetter(order, first, score));
  const worse = firstWhere(parts, ({ first }) => isBetter(order, score, first));
  return parts.slice(Math.max(0, notBetter - 1), worse);
}

/** The document that has to be read for the place of a score; undefined if the summary is enough. */
export function partForScore(order: Order, index: StandingsIndex, score: number): StandingsPart | undefined {
  const { parts } = index;
  const next = firstWhere(parts, ({ first }) => !isBetter(order, first, score));
  return parts[next]?.first === score ? undefined : parts[next - 1];
}

/**
 * The place of a score, whether or not a player has it: both ranks are certain.
 * @param scores all scores of the document that {@link partForScore} returns.
 */
export function placeOfScore(
  order: Order,
  { parts }: StandingsIndex,
  score: number,
  scores: readonly number[] = [],
): { rank: number; dense_rank: number } {
  const next = firstWhere(parts, ({ first }) => !isBetter(order, first, score));
  const [part, begins] = [parts[next - 1], parts[next]];
  if (begins?.first === score)
    return { rank: begins.before - begins.tiesBefore + 1, dense_rank: begins.denseBefore + 1 };
  if (part === undefined) return { rank: 1, dense_rank: 1 };
  if (scores.length !== part.players) throw new Error(`document ${part.n} has ${scores.length} scores here`);
  const better = firstWhere(scores, (other) => !isBetter(order, other, score));
  return {
    rank: part.before + better + 1,
    dense_rank: part.denseBefore + new Set(scores.slice(0, better)).size + 1,
  };
}

export function ranksIn(stretch: StandingsStretch, { scores }: Pick<Standings, "scores">): number[] {
  const { part, from, until } = stretch;
  const ranks: number[] = [];
  let begins = scores.indexOf(scores[from] ?? NaN);
  for (let i = from; i < until; i++) {
    if (scores[i] !== scores[begins]) begins = i;
    ranks.push(part.before + begins + 1 - (begins === 0 ? part.tiesBefore : 0));
  }
  return ranks;
}
