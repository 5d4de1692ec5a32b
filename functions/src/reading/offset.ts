/**
 * From an offset to the start of a list: the page and row that hold it, then a place in the row.
 *
 * In an exact row the players before the offset are skipped, which Firestore bills like reading them; beyond 1,000 the
 * caller has to use a cursor, which skips nobody. A merged row does not know how its players are ordered, so counts
 * between scores narrow the offset down, like looking up a name in a telephone book.
 */
import type { Firestore, Transaction } from "../documents/firestore.ts";
import type { RankingKey } from "../documents/paths.ts";
import { listedPlayers } from "../documents/queries.ts";
import type { Definition } from "../model/definition.ts";
import { type FirerankError, forKnownOnly, invalidField } from "../model/errors.ts";
import { nextKey, doubleAt, ordinalOf } from "../model/keys.ts";
import { narrowingsMax, nobodySkippedMax, skippedMax } from "../model/limits.ts";
import { bestPossible, scoreOfKey, sortKey } from "../model/score.ts";
import type { PageRow } from "./lookup.ts";

/** The limits on the work of finding an offset. */
export interface Skips {
  players: number;
  countReads: number;
  refuse: (message: string) => FirerankError;
}

/** For signed-in users and the owner's app: only the search itself limits the counts. */
export const skipsOfKnown: Skips = {
  players: skippedMax,
  countReads: Infinity,
  refuse: (message) => invalidField("offset", message),
};

/** Reads billed for an unknown caller's counts. In rows of 2,000 players, 99 of 100 offsets need at most 35. */
export const nobodyCountReadsMax = 50;

export const skipsOfNobody: Skips = {
  players: nobodySkippedMax,
  countReads: nobodyCountReadsMax,
  refuse: (message) => forKnownOnly("offset", message),
};

interface Listing {
  db: Firestore;
  transaction: Transaction;
  key: RankingKey;
  definition: Pick<Definition, "order" | "ties">;
  skips: Skips;
}

/** Index entries that a count bills as one read: Firestore's price. */
export const countedPerRead = 1_000;

/** Counting ends where this many players are left to skip: about the price of two or three counts. */
export const skippedAim = 24;

/**
 * Finds an offset in the row that holds it. Cost: nothing in an exact row; in a merged one mostly 1 to 6 counts, at
 * most 12, but up to 80 if too many players are left to skip; each count is 1 read for each 1,000 players counted.
 * @returns where the list starts: at a score, without the first few. If `reachesTop`, the first of these is the best of
 * all; otherwise those above are as many as the ranking says.
 * @throws `invalid_request` about the offset, if it is deeper than 1,000 among equals; what `skips.refuse` gives.
 */
export async function startOf(listing: Listing, row: PageRow, offset: number) {
  const { skips, definition } = listing;
  const { order } = definition;
  const skip = offset - row.above;
  const until = nextKey(sortKey(order, row.low));
  let from: Bound = { key: sortKey(order, row.score), before: 0 };
  let end: Bound = { key: until, before: row.players };
  let left = skip;
  let readsLeft = skips.countReads;
  for (let step = 0; left > skippedAim && nextKey(from.key) < end.key; step++) {
    if (step >= narrowingsMax && left <= skips.players) break;
    if (readsLeft <= 0)
      throw skips.refuse(
        `is ${skip} deep among ${row.players} players whose scores share a row; at most ` +
          `${skips.countReads * countedPerRead} are counted; use the offset ${row.above} and continue with next_cursor`,
      );
    // Once it counts to the end of the row, to see whether that still has as many players as the ranking says.
    const isDoubtful = step === narrowingsMax / 2 && end.key === until;
    const key = isDoubtful ? until : guessBetween(from, end, skip - skippedAim / 2, step);
    const counted = await countBetween(listing, from.key, key, readsLeft * countedPerRead);
    readsLeft -= Math.max(1, Math.ceil(counted / countedPerRead));
    const bound = { key, before: from.before + counted };
    if (bound.before <= skip) from = bound;
    else end = bound;
    left = skip - from.before;
  }
  const score = scoreOfKey(order, from.key);
  // The row has fewer players now than the ranking says: the list continues after it.
  if (from.key === until) return { score, skip: 0, reachesTop: false };
  const begins = row.above + from.before;
  if (left > skips.players)
    throw skips.refuse(
      `is ${left} deep among ${end.before - from.before} players with the score ${score}; at most ${skips.players} are skipped; ` +
        `use an offset from ${begins} to ${begins + skips.players} and continue with next_cursor`,
    );
  // Nobody in the ranking is better than the first row, but by now somebody may be.
  const reachesTop = begins === 0;
  return { score: reachesTop ? bestPossible(order) : score, skip: left, reachesTop };
}

/** Players from a sort key (inclusive) to a worse one (exclusive), or `max` if there are more. */
async function countBetween(
  { db, transaction, key, definition }: Listing,
  from: number,
  until: number,
  max: number,
): Promise<number> {
  const at = (sort: number) => [scoreOfKey(definition.order, sort)] as const;
  const query = listedPlayers(db, key, definition, { from: at(from), before: at(until) });
  const bounded = max === Infinity ? query : query.limit(max);
  return (await transaction.get(bounded.count())).data().count;
}

interface Bound {
  key: number;
  before: number;
}

/**
 * A key between two others that are not neighbours, which might have `target` players before it.
 *
 * Guesses alternate: as if the players were spread evenly, which mostly finds them at once; the middle, for players
 * crowded on one side; evenly again; and the middle of the doubles, for scores of all magnitudes. In the end only the
 * middle of the doubles is used, which separates any two scores within 64 steps. For rows of 2,000 a simulation gave a
 * mean of 16 reads, counts and skipped players together, and 35 at the 99th percentile, whether the scores were
 * uniform, products or sums of random numbers.
 */
export function guessBetween(from: Bound, end: Bound, target: number, step: number): number {
  const guess = step < narrowingsMax ? turns[step % turns.length] : undefined;
  const key = (guess ?? halfway)(from, end, target);
  return key > from.key && key < end.key ? key : nextKey(from.key);
}

const turns = [evenly, middle, evenly, halfway];

function evenly(from: Bound, end: Bound, target: number): number {
  const share = (target - from.before) / (end.before - from.before);
  return from.key + share * (end.key - from.key);
}

function middle(from: Bound, end: Bound): number {
  return from.key / 2 + end.key / 2;
}

/** With as many doubles before it as after it. */
function halfway(from: Bound, end: Bound): number {
  return doubleAt((ordinalOf(from.key) + ordinalOf(end.key)) / 2n);
}
