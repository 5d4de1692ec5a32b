/** What an operation is billed, and its meter. */
import { randomUUID } from "node:crypto";
import { Firestore } from "../../functions/src/documents/firestore.ts";
import { mendTransactions } from "../../functions/src/world/mend-transactions.ts";
import { countRequests } from "../../functions/src/world/meter.ts";

export interface Bill {
  /** Billed by Firestore. */
  reads: number;
  writes: number;
  deletes: number;
  /** Calls of functions by triggers, tasks and schedules; not the call that the app itself makes. */
  invocations: number;
}

export const free: Bill = { reads: 0, writes: 0, deletes: 0, invocations: 0 };

export function bill(parts: Partial<Bill>): Bill {
  return { ...free, ...parts };
}

export function sumOf(...bills: Partial<Bill>[]): Bill {
  const sum = { ...free };
  for (const part of bills) {
    for (const name of Object.keys(sum) as (keyof Bill)[]) sum[name] += part[name] ?? 0;
  }
  return sum;
}

/** A bill with each amount changed, as for a sum or a mean of many. */
export function mapBill(one: Bill, change: (amount: number) => number): Bill {
  const { reads, writes, deletes, invocations } = one;
  return {
    reads: change(reads),
    writes: change(writes),
    deletes: change(deletes),
    invocations: change(invocations),
  };
}

/** Counts what happens between two looks at it. */
export interface Meter {
  /** What was billed since the last call. */
  take(): Bill;
  /** Does work that is not part of any operation: what an instance reads by the clock, however many ask it. */
  aside<T>(work: () => Promise<T>): Promise<T>;
  /** Counts a call of a function by a trigger, task or schedule. */
  invoked(): void;
}

/** A client of the emulator in a project of its own, and its meter. FIRESTORE_EMULATOR_HOST names the emulator. */
export function createMeteredClient(): { db: Firestore; meter: Meter } {
  const db = mendTransactions(new Firestore({ projectId: `demo-${randomUUID().slice(0, 13)}` }));
  let spent = { ...free };
  let isAside = false;
  countRequests(db, () => (isAside ? undefined : spent));
  return {
    db,
    meter: {
      take() {
        const taken = spent;
        spent = { ...free };
        return taken;
      },
      async aside(work) {
        const wasAside = isAside;
        isAside = true;
        try {
          return await work();
        } finally {
          isAside = wasAside;
        }
      },
      invoked() {
        spent.invocations += 1;
      },
    },
  };
}
