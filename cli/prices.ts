/**
 * What Firestore's operations and the functions cost: list prices as of 2026-10-08, in US dollars. They leave out the free
 * quota (a day 50,000 reads, 20,000 writes and 20,000 deletes; a month 2 million calls, 180,000 seconds of a processor and
 * 360,000 of a GiB), storage and egress. They are for comparing two ways to do something, not for predicting a bill.
 *
 * Standard edition bills documents, Enterprise edition their size. So the prices of an operation on Enterprise are the
 * least that it costs there, one unit.
 *
 * Sources: https://cloud.google.com/firestore/pricing (us-central1),
 * https://firebase.google.com/docs/firestore/compare-editions-for-native-mode (Enterprise),
 * https://docs.cloud.google.com/firestore/native/docs/billing-example (nam5), https://cloud.google.com/run/pricing
 * (2nd generation functions with request-based billing, in regions like us-central1, where those of a database in nam5
 * are too), https://cloud.google.com/tasks/pricing (the first million operations of a month are free).
 */

/** Billed operations of Firestore, and what functions are billed; none where left out. */
export interface Operations extends Partial<FunctionTime> {
  reads: number;
  writes: number;
  deletes: number;
}

/** What functions are billed. */
export interface FunctionTime {
  invocations: number;
  /** Seconds of a processor. */
  processorSeconds: number;
  /** Seconds of a GiB of memory. */
  memorySeconds: number;
}

/** When the prices were looked up. */
export const pricesAsOf = "2026-10-08";

const functions: FunctionTime = { invocations: 0.4e-6, processorSeconds: 24e-6, memorySeconds: 2.5e-6 };

/** Dollars for one operation. */
export const prices = {
  "us-central1": { reads: 0.03e-5, writes: 0.09e-5, deletes: 0.01e-5, ...functions },
  nam5: { reads: 0.06e-5, writes: 0.18e-5, deletes: 0.02e-5, ...functions },
  "us-central1, Enterprise": { reads: 0.05e-6, writes: 0.26e-6, deletes: 0.26e-6, ...functions },
} satisfies Record<string, Required<Operations>>;

/**
 * Dollars for one operation of Cloud Tasks: a call of its API, such as the one that requests a task, or one attempt to
 * deliver a task. So a task that is delivered once costs two operations.
 */
export const queueOperation = 0.4e-6;

/** The size of a function's instance. */
export interface Instance {
  processors: number;
  gib: number;
}

/** Instances as Firerank's functions are deployed by default; the trigger's takes one event at a time. */
export const instances = {
  usual: { processors: 1, gib: 0.5 },
  trigger: { processors: 1 / 6, gib: 0.25 },
} satisfies Record<string, Instance>;

/** What calls of a function are billed that an instance handles one at a time: the tenths of a second begun by each. */
export function functionTime(calls: number, seconds: number, { processors, gib }: Instance): FunctionTime {
  const billed = (calls * Math.max(1, Math.ceil(10 * seconds - 1e-9))) / 10;
  return { invocations: calls, processorSeconds: billed * processors, memorySeconds: billed * gib };
}

/** Dollars for an update that Enterprise edition sends to a listener, besides the read. */
export const enterpriseUpdate = 0.3e-6;

/**
 * A list of prices that are known: of one region, of the multi-region that is Firebase's default in America, and of
 * Enterprise edition in that region.
 */
export type PricedRegion = keyof typeof prices;

/** Whether operations cost more than {@link cost} says, by the size of their documents and by index entries. */
export function isLeast(region: PricedRegion): boolean {
  return region === "us-central1, Enterprise";
}

/** What Enterprise edition bills for reading a document: one unit for each 4 KiB begun. */
export function readUnits(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / 4_096));
}

/**
 * What Enterprise edition bills for writing a document: one unit for each 1 KiB begun, and one for each index entry that
 * changes, which are smaller here. Whether small entries share a unit is not documented; this counts each.
 */
export function writeUnits(bytes: number, entries: number): number {
  return Math.max(1, Math.ceil(bytes / 1_024)) + entries;
}

/** All of some operations together. */
export function totalOf(parts: readonly Partial<Operations>[]): Required<Operations> {
  const total = { reads: 0, writes: 0, deletes: 0, invocations: 0, processorSeconds: 0, memorySeconds: 0 };
  for (const part of parts)
    for (const name of Object.keys(total) as (keyof Operations)[]) total[name] += part[name] ?? 0;
  return total;
}

/** Dollars for some operations. */
export function cost(operations: Partial<Operations>, region: PricedRegion): number {
  const price = prices[region];
  return (Object.keys(price) as (keyof typeof price)[]).reduce(
    (sum, name) => sum + (operations[name] ?? 0) * price[name],
    0,
  );
}
