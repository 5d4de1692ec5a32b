/**
 * What Firestore's operations cost: list prices as of 2026-10-08, in US dollars. They leave out the free quota (50,000
 * reads, 20,000 writes and 20,000 deletes a day), storage, egress and the CPU time of the functions. They are for
 * comparing two ways to do something, not for predicting a bill.
 *
 * Standard edition bills documents, Enterprise edition their size. So the prices of an operation on Enterprise are the
 * least that it costs there, one unit.
 *
 * Sources: https://cloud.google.com/firestore/pricing (us-central1),
 * https://firebase.google.com/docs/firestore/compare-editions-for-native-mode (Enterprise),
 * https://docs.cloud.google.com/firestore/native/docs/billing-example (nam5), https://cloud.google.com/run/pricing
 * (invocations of 2nd generation functions).
 */

/** Billed operations. */
export interface Operations {
  reads: number;
  writes: number;
  deletes: number;
  /** Calls of functions; none where left out. */
  invocations?: number;
}

/** When the prices were looked up. */
export const pricesAsOf = "2026-10-08";

/** Dollars for one operation. */
export const prices = {
  "us-central1": { reads: 0.03e-5, writes: 0.09e-5, deletes: 0.01e-5, invocations: 0.4e-6 },
  nam5: { reads: 0.06e-5, writes: 0.18e-5, deletes: 0.02e-5, invocations: 0.4e-6 },
  "us-central1, Enterprise": { reads: 0.05e-6, writes: 0.26e-6, deletes: 0.26e-6, invocations: 0.4e-6 },
} satisfies Record<string, Required<Operations>>;

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

/** Dollars for some operations. */
export function cost({ reads, writes, deletes, invocations = 0 }: Operations, region: PricedRegion): number {
  const price = prices[region];
  return (
    reads * price.reads + writes * price.writes + deletes * price.deletes + invocations * price.invocations
  );
}
