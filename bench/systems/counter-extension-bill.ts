/** What it is billed to sum shards: the formula of counter-extension-worker.ts. */
import { bill, type Bill, sumOf } from "../contest/bill.ts";
import { shardsForWorkers, shardsPerRound } from "./counter-extension-worker.ts";

/** @param counters of the shards, in the order of their paths: one for each shard. */
export function sumBill(counters: string[]): Bill {
  const shards = counters.length;
  const different = new Set(counters).size;
  if (shards < shardsForWorkers) {
    return bill({
      reads: 1 + Math.max(1, shards) + different,
      writes: different + 1,
      deletes: shards,
      invocations: 1,
    });
  }
  const rounds = Array.from({ length: Math.floor(shards / shardsPerRound) + 1 }, (_, i) =>
    roundBill(counters.slice(i * shardsPerRound, (i + 1) * shardsPerRound)),
  );
  return sumOf({ reads: 1 + shardsForWorkers, writes: 1, deletes: 1, invocations: 2 }, ...rounds);
}

/** A round reads its shards twice, and of each counter the counter and the worker's own document. */
function roundBill(counters: string[]): Partial<Bill> {
  const shards = counters.length;
  const different = new Set(counters).size;
  return { reads: Math.max(1, shards) + shards + 2 * different, writes: different, deletes: shards };
}
