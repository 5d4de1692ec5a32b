/** What runs cost, and the changes that they published: Firestore's operations, and the functions. Pure. */
import {
  cost,
  type FunctionTime,
  functionTime,
  instances,
  type Operations,
  type PricedRegion,
  prices,
  totalOf,
} from "../../../cli/prices.ts";
import type { HistoryRecord } from "../data/documents.ts";

/** Operations and functions, with their dollars. */
export interface Spent extends Required<Operations> {
  firestore: number;
  functions: number;
  dollars: number;
}

/** The prices of a database's location and edition; those of us-central1 if they are unknown. */
export function pricedAs(location: string | undefined, edition = "standard"): PricedRegion {
  if (edition.toLowerCase() === "enterprise") return "us-central1, Enterprise";
  const regions = Object.keys(prices) as PricedRegion[];
  // Firebase's older name of the multi-region.
  const name = location === "us-central" ? "nam5" : location;
  return regions.find((region) => region === name) ?? "us-central1";
}

export function spentBy(records: readonly HistoryRecord[], region: PricedRegion): Spent {
  const all = records.map((record) => ({
    ...(record.kind === "revision" ? {} : record.billed),
    ...functionsOf(record),
  }));
  return priced(all, region);
}

/** A repair's wait for a slot's end counts as work; a revision is part of an admin's call, which has no record. */
function functionsOf(record: HistoryRecord): FunctionTime {
  if (record.kind === "revision") return functionTime(0, 0, instances.usual);
  const calls = record.kind === "ranking" ? 1 : Math.max(1, record.steps);
  const worked = record.kind === "closing" ? record.worked_ms : record.duration_ms;
  return functionTime(calls, worked / 1_000 / calls, instances.usual);
}

export function changesIn(records: readonly HistoryRecord[]): number {
  return records.reduce(
    (sum, record) => sum + (record.kind === "ranking" ? record.found.changed_players : 0),
    0,
  );
}

/** How long a submission takes at most, as billed here. */
const submitSeconds = 0.2;

/** The most: each 1 read, 2 writes, a call and one of the trigger. Those that share a commit cost less. */
export function spentOnChanges(changes: number, region: PricedRegion): Spent {
  const commits = { reads: changes, writes: 2 * changes, deletes: 0 };
  const submitting = functionTime(changes, submitSeconds, instances.usual);
  const trigger = functionTime(changes, 0, instances.trigger);
  return priced([{ ...commits, ...submitting }, trigger], region);
}

/** What listed records cost at most, with the changes that they published. */
export interface Costs {
  /** Of the runs themselves. */
  spent: Spent;
  /** How many scores they published, and the dollars of these. */
  changes: number;
  changing: number;
  /** All of that. */
  dollars: number;
  /** From the first record to the last. */
  spanMs: number;
  /** A month in which as much is spent; undefined where {@link monthly} is. */
  month: number | undefined;
}

/** @param records the newest first. */
export function costsOf(records: readonly HistoryRecord[], region: PricedRegion): Costs {
  const spent = spentBy(records, region);
  const changes = changesIn(records);
  const { dollars: changing } = spentOnChanges(changes, region);
  const [first, last] = [records.at(-1), records[0]].map((record) => record?.started_at.toMillis() ?? 0);
  const spanMs = (last ?? 0) - (first ?? 0);
  const dollars = spent.dollars + changing;
  return { spent, changes, changing, dollars, spanMs, month: monthly(dollars, spanMs) };
}

const monthMs = 30 * 86_400_000;

/** Dollars of a month in which as much is spent as in a time; undefined for less than an hour, which tells too little. */
export function monthly(dollars: number, spanMs: number): number | undefined {
  return spanMs < 3_600_000 ? undefined : (dollars * monthMs) / spanMs;
}

function priced(all: readonly Partial<Operations>[], region: PricedRegion): Spent {
  const total = totalOf(all);
  const { reads, writes, deletes, ...time } = total;
  const [firestore, functions] = [cost({ reads, writes, deletes }, region), cost(time, region)];
  return { ...total, firestore, functions, dollars: firestore + functions };
}
