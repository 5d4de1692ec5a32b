/** Reads the totals of teams' best players that no row tells: see totals.ts. */
import type { Firestore, Transaction } from "../documents/firestore.ts";
import { readConcurrencyMax, splitReadsMax } from "../model/limits.ts";
import { segmentName } from "../model/segments.ts";
import type { Board } from "../seasons/read-board.ts";
import { inPool } from "../world/pool.ts";
import type { Ranked } from "./ranked.ts";
import { noRows } from "./rows.ts";
import type { SegmentRows } from "./segment-changes.ts";
import { withRowsSplit } from "./split-wide.ts";
import { mergedAmongBest, teamSegments, type Total, totalInRows, type Totals } from "./totals.ts";

/** Teams whose players are read at the same time. Each has several merged rows. */
const teamsAtOnce = readConcurrencyMax / 4;

/**
 * The totals of a ranking, with those of the best players that were not known. A team stays without a total where more
 * players would have to be read than may be, or where a direct write has changed their marks and its event is on its
 * way: the next run reads them.
 *
 * Cost: 1 read for each player in the merged rows among a team's best, of such teams; at most 250,000.
 * @param pending changes that are in the marks, and not in the ranking.
 */
export async function withBestTotals(
  { db, transaction }: { db: Firestore; transaction: Transaction },
  { key, definition }: Pick<Board, "key" | "definition">,
  { segments, totals }: Pick<Ranked, "segments" | "totals">,
  pending: SegmentRows,
): Promise<Totals> {
  const { order } = definition;
  const counted = teamSegments(definition);
  const unknown = [...segments].flatMap(([segment, rows]) => {
    const most = counted.get(segmentName(segment)) ?? Infinity;
    return most === Infinity || totals.has(segment) ? [] : [{ segment, rows, most }];
  });
  const reads = { left: splitReadsMax };
  const found = await inPool(unknown, teamsAtOnce, async ({ segment, rows, most }) => {
    const marks = { db, transaction, order, key: { ...key, segment } };
    const own = pending.get(segment) ?? noRows;
    const split = await withRowsSplit(marks, rows, mergedAmongBest(rows, most), own, reads);
    const sum = totalInRows(split, most);
    return sum === undefined ? [] : [[segment, { most, sum }] as const];
  });
  return new Map<string, Total>([...totals, ...found.flat()]);
}
