/** What Firerank's operations are billed, for instances without a page in memory. docs/costs.md says the same in words. */
import {
  countedPerRead,
  countHeadMax,
  equalsCountedMax,
  publicationExtraWrites,
  rowsMax,
  rowsPerPageMax,
  shardsDefault,
  skippedMax,
} from "../../functions/src/model/limits.ts";
import { nextShards } from "../../functions/src/model/shard.ts";
import { countedRows, countReads } from "../../functions/src/ranking/thresholds.ts";
import { bill, type Bill, sumOf } from "../contest/bill.ts";
import type { Change, Truth } from "../contest/truth.ts";
import { joiningOf } from "../load/bill.ts";
import { isChange, storeBill } from "./player-bills.ts";
import { type Bills, runSecondsDefault, type System } from "./system.ts";

/** Players in the top; the other systems keep as many. */
export const topSize = 10;

/** Slots in the time between two runs. */
const slots = 5;

/**
 * By the clock, in a second: two schedules read and are called once a minute; each instance reads the board once a
 * minute while it has requests, here one for scores, one for events and one for questions; and where players change,
 * events read the top's gate once in ten seconds.
 */
export const firerankClock: Required<System>["clock"] = ({ updatesPerSecond, ranksPerSecond }) => {
  const aMinute = (rate: number) => Math.min(1 / 60, rate);
  const boards = 2 * (2 * aMinute(updatesPerSecond) + aMinute(ranksPerSecond));
  return bill({ reads: 2 / 60 + boards + Math.min(1 / 10, updatesPerSecond), invocations: 2 / 60 });
};

/** The bills of a board of the source `index`. */
export function firerankIndexBills(start: Truth): Bills {
  // A contest uses one shard and one slot.
  const isContest = start.players === 0;
  let pages = start.players === 0 ? 0 : pagesOf(start.distinct);
  let changes = 0;
  return {
    update(_, change) {
      if (isChange(change)) changes += 1;
      // The index entry, and the shard.
      return updateBill(change, { reads: 2, writes: 2, invocations: 1 });
    },
    ...questions((truth) => pagesOf(truth.distinct)),
    run(truth) {
      if (changes === 0) return bill({ reads: 1, invocations: 1 });
      const perSlot = settledShards(changes / runSecondsDefault);
      const shards = isContest ? 1 : Math.min(changes, slots * perSlot);
      const written = pagesOf(truth.distinct);
      const { found: tooMany, joined } = joiningOf(shards);
      const found = bill({
        reads: (joined > 0 ? 2 : 1) * pages + tooMany + shards + joined + topReads(truth) + firstReads(pages),
        writes: joined + written + publicationExtraWrites,
        deletes: shards + joined + Math.max(0, pages - written),
        invocations: 1,
      });
      changes = 0;
      pages = written;
      return found;
    },
  };
}

/** Shards of a slot on a board whose load stays the same, which began with the default. */
function settledShards(changesPerSecond: number): number {
  let shards = shardsDefault;
  for (;;) {
    const next = nextShards(shards, changesPerSecond);
    if (next === shards) return shards;
    shards = next;
  }
}

/** The player's document, and what the trigger does after a change. */
function updateBill(change: Change, after: Partial<Bill>): Bill {
  const stored = storeBill(change);
  return isChange(change) ? sumOf(stored, after) : stored;
}

/** The bills of a board of the source `count`. */
export function firerankCountBills(start: Truth): Bills {
  let pages = start.players === 0 ? 0 : pagesOf(Math.min(start.distinct, countedRows(start.players)));
  let changes = 0;
  return {
    update(_, change) {
      if (isChange(change)) changes += 1;
      return updateBill(change, { invocations: 1 }); // The trigger leaves the change to the next run.
    },
    ...questions((truth) => pagesOf(Math.min(truth.distinct, countedRows(truth.players)))),
    run(truth) {
      const head = Math.max(0, Math.min(countHeadMax, truth.players) - topSize);
      const counted = truth.players <= countHeadMax ? 0 : countReads(truth.players) - countHeadMax;
      const written = pagesOf(Math.min(truth.distinct, countedRows(truth.players)));
      const found = bill({
        reads: 1 + pages + topReads(truth) + head + counted + firstReads(pages),
        writes: changes === 0 && pages > 0 ? 1 : written + publicationExtraWrites,
        deletes: Math.max(0, pages - written),
        invocations: 1,
      });
      changes = 0;
      pages = written;
      return found;
    },
  };
}

/** The first run finds no page, which is a read too; and it looks for shards of any age, or reads the top. */
function firstReads(pages: number): number {
  return pages === 0 ? 2 : 0;
}

/** The top document, its players, and 1 for the index entries of these. */
function topReads({ players }: Truth): number {
  return 1 + Math.max(1, Math.min(topSize, players)) + 1;
}

function pagesOf(rows: number): number {
  return Math.max(1, Math.ceil(Math.min(rows, rowsMax) / rowsPerPageMax));
}

/** What both sources read for a question. @param pagesIn the pages that are published. */
function questions(
  pagesIn: (truth: Truth) => number,
): Required<Pick<Bills, "rank" | "top" | "around" | "page">> {
  /** Pages on which players from an index to another are, with as many scores on each. */
  const pagesBetween = (truth: Truth, from: number, until: number) => {
    const perPage =
      truth.distinct / pagesIn(truth) > rowsPerPageMax ? truth.distinct / pagesIn(truth) : rowsPerPageMax;
    const pageOf = (index: number) => Math.floor(truth.distinctAbove(truth.scoreAt(index)) / perPage);
    return pageOf(until) - pageOf(from) + 1;
  };
  return {
    rank: () => bill({ reads: 2 }), // The player, and the page.
    top: () => bill({ reads: 1 }),
    around(truth, index, before, after) {
      const first = Math.max(0, index - before);
      const last = Math.min(truth.players - 1, index + after);
      const neighbours = Math.max(1, index - first) + Math.max(1, last - index);
      return bill({
        reads:
          1 + neighbours + pagesBetween(truth, first, last) + equalsReads(truth, first, last, index - before),
      });
    },
    page(truth, from, size): Bill | undefined {
      if (from >= truth.players) return bill({ reads: 2 });
      const last = Math.min(truth.players, from + size) - 1;
      const skipped = from - truth.above(truth.scoreAt(from));
      if (skipped > skippedMax) return undefined;
      return bill({ reads: skipped + (last - from + 1) + pagesBetween(truth, from, last) });
    },
  };
}

/**
 * Where all players of a list have one score, their equals before them are counted, unless the list begins with the best.
 * @param wanted the index with which the list would begin if there were enough players.
 */
function equalsReads(truth: Truth, first: number, last: number, wanted: number): number {
  const score = truth.scoreAt(first);
  if (wanted < 0 || score !== truth.scoreAt(last)) return 0;
  const counted = Math.min(equalsCountedMax, first - truth.above(score));
  return Math.max(1, Math.ceil(counted / countedPerRead));
}
