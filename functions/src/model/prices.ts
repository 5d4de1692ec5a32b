/**
 * What Firestore's operations cost: list prices of Standard edition as of 2026-10-08, in US dollars. They leave out the
 * free quota (50,000 reads, 20,000 writes and 20,000 deletes a day), storage, egress and the CPU time of the functions.
 * They are for comparing two ways to do something, not for predicting a bill.
 *
 * Sources: https://cloud.google.com/firestore/pricing (us-central1),
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
} satisfies Record<string, Required<Operations>>;

/** A location whose prices are known: one region, and the multi-region that is Firebase's default in America. */
export type PricedRegion = keyof typeof prices;

/** Dollars for some operations. */
export function cost({ reads, writes, deletes, invocations = 0 }: Operations, region: PricedRegion): number {
  const price = prices[region];
  return (
    reads * price.reads + writes * price.writes + deletes * price.deletes + invocations * price.invocations
  );
}
