/** What happened on each day, from the runs that are listed. Pure. */
import type { PricedRegion } from "../../../cli/prices.ts";
import type { HistoryRecord } from "../data/documents.ts";
import { changesIn, spentBy, spentOnChanges } from "./costs.ts";

export interface Day {
  /** Of UTC, such as 2026-12-01. */
  day: string;
  /** Ranked by the day's last publication; undefined if nothing was published. */
  players: number | undefined;
  changes: number;
  runs: number;
  /** Firestore and functions, of runs and changes, at list prices; at most. */
  dollars: number;
}

/** Of records, the newest first, the days, likewise. The oldest may be a part of one, where the list ends. */
export function daysOf(records: readonly HistoryRecord[], region: PricedRegion): Day[] {
  const days = Map.groupBy(records, ({ started_at: started }) => started.toDate().toISOString().slice(0, 10));
  return [...days].map(([day, all]) => {
    const changes = changesIn(all);
    const last = all.find((record) => record.kind === "ranking" && record.outcome === "published");
    return {
      day,
      players: last?.kind === "ranking" ? last.players : undefined,
      changes,
      runs: all.length,
      dollars: spentBy(all, region).dollars + spentOnChanges(changes, region).dollars,
    };
  });
}
