/** What a run's interval costs with either source of counts, so that an owner can choose. Pure. */
import type { Bill, SourceCosts } from "../documents/ranking-record.ts";
import { countHeadMax, publicationExtraWrites, rowsPerPageMax } from "../model/limits.ts";
import { cost } from "../model/prices.ts";
import { countedRows, countReads } from "./thresholds.ts";

/** What it costs to index one changed score, including the function call. */
const indexing = { reads: 2, writes: 2, deletes: 0, invocations: 1 };

/** What a run measured. */
export interface Measured {
  source: "index" | "count";
  billed: Bill;
  players: number;
  rows: number;
  /** Players read for the top document. */
  top: number;
  pages: number;
  /** Score changes folded. */
  changes: number;
}

/** Compares the sources for the interval that a run has just published. */
export function compareSources({
  source,
  billed,
  players,
  rows,
  top,
  pages,
  changes,
}: Measured): SourceCosts {
  const countedPages = Math.max(1, Math.ceil(Math.min(rows, countedRows(players)) / rowsPerPageMax));
  const topReads = 1 + top + Math.max(1, Math.ceil(top / 1_000));
  const listedTwice = Math.min(top, countHeadMax, players);
  const count = {
    reads: countedPages + topReads + countReads(players) - listedTwice,
    writes: countedPages + publicationExtraWrites,
    deletes: 0,
  };
  const run = { reads: pages + topReads, writes: pages + publicationExtraWrites, deletes: 0 };
  const dearer = cost(source === "count" ? billed : count, "us-central1") - cost(run, "us-central1");
  return {
    index:
      source === "count"
        ? null
        : { reads: billed.reads + 2 * changes, writes: billed.writes + 2 * changes, deletes: billed.deletes },
    count: source === "count" ? billed : count,
    break_even_changes: Math.max(0, Math.round(dearer / cost(indexing, "us-central1"))),
  };
}
