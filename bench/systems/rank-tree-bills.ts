/** What ranking trees are billed: formulas of rank-tree.ts. */
import { bill, type Bill, sumOf } from "../contest/bill.ts";
import type { Truth } from "../contest/truth.ts";
import { type Histogram, histogramOf } from "./histogram.ts";
import { aroundBill, fromBill, isChange, topBill } from "./player-bills.ts";
import { type Forest, queueNumberOf, queuesOf, shape, type Update } from "./rank-tree-worker.ts";
import { changesInTree } from "./ranking-tree.ts";
import type { Bills } from "./system.ts";

/** The plain tree: an update writes the player and the nodes on the ways to both scores that differ. */
export function plainBills(start: Truth): Bills {
  const counted = histogramOf(start);
  return {
    ...questionBills(counted, 1),
    update(_, change) {
      if (!isChange(change)) return bill({ reads: 1 });
      count(counted, change);
      return bill({ reads: 1, writes: 1 + changesInTree(shape, [change]).size });
    },
  };
}

/** Trees with queues: an update writes the player and a document of a queue. */
export function queueBills(start: Truth, forest: Forest): Bills {
  const counted = histogramOf(start);
  const waiting = Array.from({ length: forest.queues }, (): Update[] => []);
  return {
    ...questionBills(counted, forest.trees),
    update(_, change) {
      if (!isChange(change)) return bill({ reads: 1 });
      waiting[queueNumberOf(forest, change.player)]?.push(change);
      return bill({ reads: 1, writes: 2 });
    },
    run() {
      const bills = Array.from({ length: forest.trees }, (_, tree) =>
        sumOf(
          { invocations: 1 },
          ...queuesOf(forest, tree).map((queue) => {
            const updates = waiting[queue]?.splice(0) ?? [];
            for (const update of updates) count(counted, update);
            return queueBill(updates, forest.batch);
          }),
        ),
      );
      return sumOf(...bills);
    },
  };
}

/** A worker goes on until it finds less than a whole batch. */
function queueBill(updates: Update[], batch: number): Bill {
  const batches = Array.from({ length: Math.floor(updates.length / batch) + 1 }, (_, i) =>
    updates.slice(i * batch, (i + 1) * batch),
  );
  return sumOf(
    ...batches.map((applied) => ({
      reads: Math.max(1, applied.length),
      writes: changesInTree(shape, applied).size,
      deletes: applied.length,
    })),
  );
}

function count(counted: Histogram, { before, after }: Update): void {
  if (before !== null) counted.add(before, -1);
  counted.add(after, 1);
}

/** @param counted what the trees hold. */
function questionBills(
  counted: Histogram,
  trees: number,
): Required<Pick<Bills, "rank" | "top" | "around" | "page">> {
  return {
    rank: () => bill({ reads: 1 + trees * shape.levels }),
    top: topBill,
    around: aroundBill,
    page(truth, from, size) {
      const found = counted.at(from);
      // Beyond the last player, the root says so.
      if (found === undefined) return bill({ reads: trees });
      return sumOf({ reads: trees * shape.levels }, fromBill(truth, found.score, from - found.above, size));
    },
  };
}
