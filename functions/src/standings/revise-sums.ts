/** The sums of a summary of the standings, after one player has left a document or entered one. Pure. */
import type { Sums } from "./pack.ts";

/**
 * The sums without a player.
 * @param n the document, `scores` its scores before, `index` the player's place in it.
 */
export function sumsWithout(sums: Sums, n: number, scores: readonly number[], index: number): Sums {
  const score = scores[index] ?? NaN;
  const left = scores.toSpliced(index, 1);
  const isHeldBefore = scores[0] === score && (sums.ties_before[n] ?? 0) > 0;
  const isStillHeld = isHeldBefore || left.includes(score) || isHeldAfter(sums, n, score);
  const next = changed(sums, n, -1, score, !isStillHeld);
  const [first] = left;
  // The score that an emptied document had last stays, so that the documents stay in order.
  if (first === undefined || first === scores[0]) return next;
  return {
    ...next,
    first_scores: next.first_scores.with(n, first),
    ties_before: next.ties_before.with(n, 0),
    dense_before: next.dense_before.with(n, (next.dense_before[n] ?? 0) + (isHeldBefore ? 1 : 0)),
  };
}

/**
 * The sums with one more player.
 * @param n the document, `scores` its scores before, `index` where the player enters.
 */
export function sumsWith(
  sums: Sums,
  n: number,
  scores: readonly number[],
  { index, score }: { index: number; score: number },
): Sums {
  if (n === sums.counts.length) {
    // The first document of standings that had none.
    const first = { players: 1, counts: [1], first_scores: [score], ties_before: [0], dense_before: [0] };
    return first;
  }
  const isHeld = scores.includes(score) || isHeldAfter(sums, n, score);
  const next = changed(sums, n, 1, score, !isHeld);
  if (index > 0 || scores[0] === score) return next;
  // A player enters before a document's first player only in the first document, or in an emptied one.
  const skipped = scores.length === 0 && (sums.ties_before[n] ?? 0) > 0 ? 1 : 0;
  return {
    ...next,
    first_scores: next.first_scores.with(n, score),
    ties_before: next.ties_before.with(n, 0),
    dense_before: next.dense_before.with(n, (next.dense_before[n] ?? 0) + skipped),
  };
}

/** Whether a player in a later document has a score. */
function isHeldAfter({ counts, first_scores: firsts }: Sums, n: number, score: number): boolean {
  const next = counts.findIndex((count, m) => m > n && count > 0);
  return next !== -1 && firsts[next] === score;
}

/** The new counts of the document, and what the documents after it say about those before them. */
function changed(sums: Sums, n: number, delta: 1 | -1, score: number, changesDistinct: boolean): Sums {
  const { players, counts, first_scores: firsts, ties_before: ties, dense_before: dense } = sums;
  return {
    players: players + delta,
    counts: counts.with(n, (counts[n] ?? 0) + delta),
    first_scores: firsts,
    ties_before: ties.map((count, m) => (m > n && firsts[m] === score ? count + delta : count)),
    dense_before: dense.map((count, m) =>
      m > n && firsts[m] !== score && changesDistinct ? count + delta : count,
    ),
  };
}
