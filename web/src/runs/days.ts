/** What happened on each day, from the runs that are listed. Pure. */
import type { PricedRegion } from "../../../cli/prices.ts";
import type { HistoryRecord } from "../data/documents.ts";
import { costsOf } from "./costs.ts";

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

/**
 * The days from the first of records, the newest first, to the last, likewise; days without a run too. The oldest may be a
 * part of one, where the list ends.
 */
export function daysOf(records: readonly HistoryRecord[], region: PricedRegion): Day[] {
  const byDay = Map.groupBy(records, ({ started_at: started }) => dayAt(started.toMillis()));
  const [newest, oldest] = [records[0], records.at(-1)];
  if (newest === undefined || oldest === undefined) return [];
  const days: Day[] = [];
  for (let ms = newest.started_at.toMillis(); dayAt(ms) >= dayAt(oldest.started_at.toMillis()); ms -= dayMs)
    days.push(dayOf(dayAt(ms), byDay.get(dayAt(ms)) ?? [], region));
  return days;
}

const dayMs = 86_400_000;
const dayAt = (ms: number) => new Date(ms).toISOString().slice(0, 10);

function dayOf(day: string, records: readonly HistoryRecord[], region: PricedRegion): Day {
  const { changes, dollars } = costsOf(records, region);
  const last = records.find((record) => record.kind === "ranking" && record.outcome === "published");
  const players = last?.kind === "ranking" ? last.players : undefined;
  return { day, players, changes, runs: records.length, dollars };
}
