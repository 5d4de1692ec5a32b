/**
 * A meter round the Firestore client: counts what Firestore would bill, from the requests it sends and the
 * answers it gets, so that tests can assert what a call costs and the demo can print it.
 *
 * Rules (https://firebase.google.com/docs/firestore/pricing): a document returned, or looked up in vain, is a
 * read; a query is at least one, and what its offset skips counts like what it returns; a query with a range on one
 * field and an order by another is also billed one read per 1,000 index entries; an aggregation one read per 1,000
 * index entries; each write and each delete counts one, transforms nothing beyond their write. Failed commits are not
 * billed.
 *
 * It overrides two internal methods of the client, through which every request goes; meter.test.ts fails if a new
 * version of the client has others.
 */
import { Firestore } from "../../functions/src/documents/firestore.ts";

/** What Firestore would bill. */
export interface Bill {
  reads: number;
  writes: number;
  deletes: number;
}

export interface Meter {
  /** Everything billed so far. */
  total(): Bill;
  /** What running `work` is billed; nothing else may use the client meanwhile. */
  measure<T>(work: () => Promise<T>): Promise<{ result: T; bill: Bill }>;
  /** The structured queries sent, as the client puts them on the wire. */
  queries: StructuredQuery[];
}

/** The parts of a structured query that decide about its bill and its index. */
export interface StructuredQuery {
  from?: { collectionId?: string; allDescendants?: boolean }[];
  where?: Filter | null;
  orderBy?: { field?: { fieldPath?: string }; direction?: string }[];
  offset?: number;
}

/** A filter of a structured query. */
export interface Filter {
  compositeFilter?: { filters?: Filter[] };
  fieldFilter?: { field?: { fieldPath?: string }; op?: string };
  unaryFilter?: { field?: { fieldPath?: string }; op?: string };
}

/** The methods of the client through which every request goes. */
export interface Internals {
  request(method: string, request: unknown, ...rest: unknown[]): Promise<unknown>;
  requestStream(
    method: string,
    bidirectional: boolean,
    request: unknown,
    ...rest: unknown[]
  ): Promise<NodeJS.ReadableStream>;
}

/** A client that counts. Its settings are those of `new Firestore`. */
export function createMeteredFirestore(settings: { projectId?: string } = {}): {
  db: Firestore;
  meter: Meter;
} {
  const bill: Bill = { reads: 0, writes: 0, deletes: 0 };
  const queries: StructuredQuery[] = [];
  const db = new Firestore(settings);
  const internals = db as unknown as Internals;
  const request = internals.request.bind(db);
  const requestStream = internals.requestStream.bind(db);

  internals.request = async (method, message, ...rest) => {
    const answer = await request(method, message, ...rest);
    if (method === "commit" || method === "batchWrite") countWrites(bill, message as CommitRequest);
    return answer;
  };
  internals.requestStream = async (method, bidirectional, message, ...rest) => {
    const stream = await requestStream(method, bidirectional, message, ...rest);
    countStream(bill, queries, method, message, stream);
    return stream;
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

interface CommitRequest {
  writes?: { delete?: string | null }[];
}

function countWrites(bill: Bill, { writes = [] }: CommitRequest): void {
  for (const write of writes) {
    if (write.delete != null && write.delete !== "") bill.deletes += 1;
    else bill.writes += 1;
  }
}

interface StreamAnswer {
  found?: unknown;
  missing?: string;
  document?: unknown;
  result?: { aggregateFields?: Record<string, { integerValue?: string | number }> };
}

function countStream(
  bill: Bill,
  queries: StructuredQuery[],
  method: string,
  message: unknown,
  stream: NodeJS.ReadableStream,
): void {
  let documents = 0;
  let entries = 0;
  stream.on("data", (answer: StreamAnswer) => {
    if (answer.found != null || answer.document != null || (answer.missing ?? "") !== "") documents += 1;
    for (const { integerValue } of Object.values(answer.result?.aggregateFields ?? {}))
      entries += Number(integerValue ?? 0);
  });
  // The client leaves the stream paused until it listens itself.
  stream.pause();
  const query = queryOf(message);
  if (query !== undefined) queries.push(query);
  stream.on("end", () => {
    if (method === "batchGetDocuments") bill.reads += documents;
    if (method === "runQuery")
      // The emulators do not say how many they skipped; where nothing was found, this is the most it can be.
      bill.reads += Math.max(1, documents + (query?.offset ?? 0)) + indexReads(query, documents);
    if (method === "runAggregationQuery") bill.reads += Math.max(1, Math.ceil(entries / 1_000));
  });
}

function queryOf(message: unknown): StructuredQuery | undefined {
  const { structuredQuery, structuredAggregationQuery } = message as {
    structuredQuery?: StructuredQuery;
    structuredAggregationQuery?: { structuredQuery?: StructuredQuery };
  };
  return structuredQuery ?? structuredAggregationQuery?.structuredQuery;
}

function indexReads(query: StructuredQuery | undefined, documents: number): number {
  const ranges = rangeFields(query?.where ?? {});
  const orders = (query?.orderBy ?? [])
    .map(({ field }) => field?.fieldPath ?? "")
    .filter((path) => path !== "__name__");
  const fields = new Set(ranges.length === 0 ? [] : [...ranges, ...orders]);
  return fields.size > 1 ? Math.max(1, Math.ceil(documents / 1_000)) : 0;
}

/** The fields that a filter bounds from above or below. */
export function rangeFields({ compositeFilter, fieldFilter }: Filter): string[] {
  if (compositeFilter != null) return (compositeFilter.filters ?? []).flatMap(rangeFields);
  const op = fieldFilter?.op ?? "EQUAL";
  return op === "EQUAL" ? [] : [fieldFilter?.field?.fieldPath ?? ""];
}
