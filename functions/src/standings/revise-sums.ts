/** The sums of a summary of the standings, after one player has left a document or entered one. Pure. */
import type { Sums } from "./pack.ts";

/**
 * The sums after a player has left the document `n`, or entered it where the total order says.
 * @param before its scores, and those `after` it: one less, or one more.
 */
export function sumsAfter(sums: Sums, n: number, before: readonly number[], after: readonly number[]): Sums {
  const { counts, first_scores: firsts, ties_before: ties, dense_before: dense } = sums;
  const delta = after.length - before.length;
  const [longer, shorter] = delta > 0 ? [after, before] : [before, after];
  const score = longer.find((one, i) => one !== shorter[i]);
  const sharesFirst = (ties[n] ?? 0) > 0;
  const next = counts.findIndex((count, m) => m > n && count > 0);
  const isHeld = (sharesFirst && firsts[n] === score) || [...shorter, firsts[next]].includes(score);
  // The score that an emptied document had last stays, so that the documents stay in order.
  const first = after[0] ?? firsts[n] ?? NaN;
  const isSameFirst = first === firsts[n];
  return {
    players: sums.players + delta,
    counts: counts.with(n, after.length),
    first_scores: firsts.with(n, first),
    ties_before: ties.map((count, m) => {
      if (m === n) return isSameFirst ? count : 0;
      return m > n && firsts[m] === score ? count + delta : count;
    }),
    dense_before: dense.map((count, m) => {
      // A score that it shared with players before it is now better than its first player's.
      if (m === n) return !isSameFirst && sharesFirst ? count + 1 : count;
      return m > n && firsts[m] !== score && !isHeld ? count + delta : count;
    }),
  };
}
