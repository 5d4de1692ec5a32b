/** A Firestore client that counts all that it is billed, so that tests can assert what a call costs and the demo can print it. */
import { Firestore } from "../../functions/src/documents/firestore.ts";
import type { Bill } from "../../functions/src/documents/ranking-record.ts";
import { mendTransactions } from "../../functions/src/world/mend-transactions.ts";
import {
  countRequests,
  type Internals,
  noBill,
  type QueryRequest,
  type StructuredQuery,
} from "../../functions/src/world/meter.ts";

export interface Meter {
  /** Everything billed so far. */
  total(): Bill;
  /** What running `work` is billed; nothing else may use the client meanwhile. */
  measure<T>(work: () => Promise<T>): Promise<{ result: T; bill: Bill }>;
  /** The structured queries sent, as the client puts them on the wire. */
  queries: StructuredQuery[];
}

/** Makes a client count. */
export function createMeteredFirestore(client = new Firestore()): { db: Firestore; meter: Meter } {
  const bill = noBill();
  const queries: StructuredQuery[] = [];
  const db = mendTransactions(client);
  countRequests(db, () => bill);
  const internals = db as unknown as Internals;
  const requestStream = internals.requestStream.bind(db);
  internals.requestStream = (method, bidirectional, message, ...rest) => {
    const { structuredQuery, structuredAggregationQuery } = message as QueryRequest;
    const query = structuredQuery ?? structuredAggregationQuery?.structuredQuery;
    if (query !== undefined) queries.push(query);
    return requestStream(method, bidirectional, message, ...rest);
  };
  return { db, meter: createMeter(bill, queries) };
}

function createMeter(bill: Bill, queries: StructuredQuery[]): Meter {
  return {
    queries,
    total: () => ({ ...bill }),
    async measure(work) {
      const before = { ...bill };
      const result = await work();
      return {
        result,
        bill: {
          reads: bill.reads - before.reads,
          writes: bill.writes - before.writes,
          deletes: bill.deletes - before.deletes,
        },
      };
    },
  };
}
