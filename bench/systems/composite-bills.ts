/** The formulas of composite-buckets.ts. They remember which buckets there are, and who was first among equals. */
import { type Bill, bill } from "../contest/bill.ts";
import type { Truth } from "../contest/truth.ts";
import { bucketOf, bucketWidth, type TieOrder } from "./composite-keys.ts";
import { isChange } from "./player-bills.ts";
import { createPlayerOrder, newerFirst, olderFirst } from "./player-order.ts";
import type { Bills } from "./system.ts";

export function compositeBills(start: Truth, ties: TieOrder): Bills {
  const buckets = bucketsOf(start);
  const order = createPlayerOrder(ties === "older first" ? olderFirst : newerFirst);
  /** The reads of a walk from bucket to bucket until there are enough players. */
  const walk = (truth: Truth, direction: "up" | "down", enough: number, beyond?: number) => {
    const sorted = [...buckets].sort((a, b) => (direction === "up" ? a - b : b - a));
    let [reads, found] = [0, 0];
    for (const bucket of sorted) {
      if (found >= enough) return reads;
      if (beyond !== undefined && (direction === "up" ? bucket <= beyond : bucket >= beyond)) continue;
      reads += 1;
      found += playersIn(truth, bucket);
    }
    return found < enough ? reads + 1 : reads;
  };
  const page = (truth: Truth, from: number, size: number): Bill =>
    bill({ reads: walk(truth, "down", from + size) });
  return {
    update(_, change) {
      if (!isChange(change)) return bill({ reads: 1 });
      order.set(change);
      const bucket = bucketOf(change.after);
      buckets.add(bucket);
      const isMove = change.before !== null && bucketOf(change.before) !== bucket;
      return bill({ reads: 1, writes: isMove ? 3 : 2 });
    },
    rank(_, score) {
      const higher = [...buckets].filter((bucket) => bucket >= bucketOf(score)).length;
      return bill({ reads: 1 + Math.max(1, higher) });
    },
    top: (truth, count) => page(truth, 0, count),
    page,
    around(truth, index, before, after, player = "") {
      const place = start.players === 0 ? order.placeOf(player) : undefined;
      const bucket = bucketOf(truth.scoreAt(index));
      const at = (place === undefined ? index : order.before(place)) - playersFrom(truth, bucket + 1);
      const below = playersIn(truth, bucket) - 1 - at;
      const reads = walk(truth, "up", before - at, bucket) + walk(truth, "down", after - below, bucket);
      return bill({ reads: 2 + reads });
    },
  };
}

/** Players whose keys of some 34 bytes a document holds. */
export const playersPerBucketMax = 30_000;

/** Whether each bucket fits into a document. */
export function holdsBuckets(truth: Truth): boolean {
  return [...bucketsOf(truth)].every((bucket) => playersIn(truth, bucket) <= playersPerBucketMax);
}

/** The buckets that hold players. */
function bucketsOf(truth: Truth): Set<number> {
  const buckets = new Set<number>();
  for (let index = 0; index < truth.players;) {
    const bucket = bucketOf(truth.scoreAt(index));
    buckets.add(bucket);
    index = playersFrom(truth, bucket);
  }
  return buckets;
}

function playersIn(truth: Truth, bucket: number): number {
  return playersFrom(truth, bucket) - playersFrom(truth, bucket + 1);
}

/** Players in this bucket and in higher ones. */
function playersFrom(truth: Truth, bucket: number): number {
  const lowest = bucket * bucketWidth;
  return truth.above(lowest) + truth.equals(lowest);
}
