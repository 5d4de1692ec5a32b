/**
 * The largest rate of updates, from a model of documents as queues; nothing here is a measurement of Firestore.
 *
 * - A document takes one commit at a time, and each takes a second: the rate that Firestore's documentation named for years
 *   as what one document sustains. A commit holds all its documents, from when the last of them is free. So commits of
 *   two documents hold up each other.
 * - Commits are served in the order of their arrival. Several commits of one update are independent; the update is done
 *   when the last is. A player's own document is never waited for.
 */
import type { Commits } from "../systems/system.ts";
import type { Change } from "./truth.ts";

/**
 * The largest rate of updates at which no work piles up.
 *
 * If n updates come at once, and the last is stored after t seconds, the rate is n ÷ t for a large n: the saturation rule
 * (F. Baccelli, S. Foss: On the saturation rule for the stability of queues, 1995). Chance makes some document the
 * busiest, which adds to t as the square root of n does; a quarter of the updates shows how much.
 * @param change draws an update.
 * @param count how many updates come at once, at least.
 * @param perDocument how many come for each document, at least: with so many, chance is worth some per cent of the result.
 */
export function largestRate(
  commits: Commits,
  change: () => Change,
  count = 200_000,
  perDocument = 200,
): number {
  let rate = NaN;
  // Until two rounds agree.
  for (let round = 0; round < 20; round++) {
    const carried = rateOfRound(commits, change, count, perDocument);
    if (Math.abs(carried - rate) < 0.03 * rate) return carried;
    rate = carried;
  }
  return rate;
}

function rateOfRound(commits: Commits, change: () => Change, count: number, perDocument: number): number {
  const busyUntil = new Map<string, number>();
  /** When the first, the first two, … are stored. */
  const stored: number[] = [];
  while (stored.length < Math.max(count, perDocument * busyUntil.size)) {
    let last = stored.at(-1) ?? 0;
    for (const held of commits(change())) {
      const end = 1 + Math.max(...held.map((document) => busyUntil.get(document) ?? 0));
      for (const document of held) busyUntil.set(document, end);
      last = Math.max(last, end);
    }
    stored.push(last);
  }
  const updates = stored.length - (stored.length % 4);
  const [last = NaN, quarter = NaN] = [stored[updates - 1], stored[updates / 4 - 1]];
  // last = updates/rate + c√updates, and quarter = updates/4/rate + c√updates/2
  return updates / (2 * last - 4 * quarter);
}
