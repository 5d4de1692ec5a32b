/**
 * A meter around the Firestore client: it counts what Firestore bills, from the requests and their answers.
 *
 * The rules (https://firebase.google.com/docs/firestore/pricing):
 *
 * - A document that is returned or not found is a read.
 * - A query is at least one read. Documents that its offset skips count like documents that it returns.
 * - A list of documents counts as a query; missing documents count too. A list of collections is one read.
 * - A query with a range on one field and an order by another is also billed one read for each 1,000 index entries. An
 *   aggregation is billed only one read for each 1,000 index entries. Only a count says how many entries there were, so
 *   Firerank adds a count to each sum, which costs nothing more.
 * - Each write and each delete counts one. Transforms cost nothing beyond their write. Failed commits are not billed.
 *
 * The meter overrides two internal methods of the client through which every request goes; meter.test.ts fails if a new
 * version of the client has other methods.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Firestore } from "../documents/firestore.ts";
import type { Bill } from "../documents/ranking-record.ts";

/** Measures what some work is billed, apart from other work at the same time. */
export interface Meter {
  /**
   * Measures some work and everything that it awaits. If inner work is measured too, its requests are not part of the
   * outer work's bill.
   * @param work gets a function that returns the work's bill so far.
   */
  measure<Result>(work: (spent: () => Bill) => Promise<Result>): Promise<Result>;
}

const meters = new WeakMap<Firestore, Meter>();

/** The meter of a client, always the same one. */
export function createMeter(db: Firestore): Meter {
  const known = meters.get(db);
  if (known !== undefined) return known;
  const underWay = new AsyncLocalStorage<Bill>();
  countRequests(db, () => underWay.getStore());
  const meter: Meter = {
    measure(work) {
      const bill = noBill();
      return underWay.run(bill, () => work(() => ({ ...bill })));
    },
  };
  meters.set(db, meter);
  return meter;
}

export function noBill(): Bill {
  return { reads: 0, writes: 0, deletes: 0 };
}

/** The sum of two bills. */
export function addBills(a: Bill, b: Partial<Bill>): Bill {
  const { reads = 0, writes = 0, deletes = 0 } = b;
  return { reads: a.reads + reads, writes: a.writes + writes, deletes: a.deletes + deletes };
}

/** The parts of a structured query that decide its bill and its index. */
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

/**
 * Counts a client's requests from now on. A client without these methods, such as one in memory, is left unchanged.
 * @param billOf the bill for a request that is sent now; without one, the request is not counted.
 */
export function countRequests(db: Firestore, billOf: () => Bill | undefined): void {
  if (!("request" in db && "requestStream" in db)) return;
  const internals = db as unknown as Internals;
  const request = internals.request.bind(db);
  const requestStream = internals.requestStream.bind(db);

  // A request that nobody measures goes on as it is: each promise between costs every submission some microseconds.
  internals.request = (method, message, ...rest) => {
    const bill = billOf();
    const answer = request(method, message, ...rest);
    return bill === undefined
      ? answer
      : answer.then((answered) => countRequest(bill, method, message, answered));
  };
  internals.requestStream = (method, bidirectional, message, ...rest) => {
    const bill = billOf();
    const answers = requestStream(method, bidirectional, message, ...rest);
    if (bill === undefined) return answers;
    return answers.then((stream) => countAnswers(bill, method, message as QueryRequest, stream));
  };
}

interface CommitRequest {
  writes?: { delete?: string | null }[];
}

function countRequest(bill: Bill, method: string, message: unknown, answer: unknown): unknown {
  if (method === "commit" || method === "batchWrite") countWrites(bill, message as CommitRequest);
  if (method === "listDocuments") bill.reads += Math.max(1, (answer as unknown[]).length);
  if (method === "listCollectionIds") bill.reads += 1;
  return answer;
}

function countWrites(bill: Bill, { writes = [] }: CommitRequest): void {
  for (const { delete: deleted } of writes) bill[deleted ? "deletes" : "writes"] += 1;
}

/** A query as the client sends it. */
export interface QueryRequest {
  structuredQuery?: StructuredQuery;
  structuredAggregationQuery?: {
    structuredQuery?: StructuredQuery;
    aggregations?: { alias?: string; count?: object | null }[];
  };
}

interface StreamAnswer {
  found?: unknown;
  missing?: string;
  document?: unknown;
  result?: { aggregateFields?: Record<string, { integerValue?: string | number }> };
}

function countAnswers(
  bill: Bill,
  method: string,
  { structuredQuery: query, structuredAggregationQuery: aggregation }: QueryRequest,
  stream: NodeJS.ReadableStream,
): NodeJS.ReadableStream {
  // An aggregation's sums say nothing about its index entries.
  const counts = (aggregation?.aggregations ?? []).filter(({ count }) => count != null);
  const aliases = new Set(counts.map(({ alias }) => alias ?? ""));
  let documents = 0;
  let entries = 0;
  stream.on("data", (answer: StreamAnswer) => {
    if (answer.found != null || answer.document != null || (answer.missing ?? "") !== "") documents += 1;
    for (const [alias, { integerValue }] of Object.entries(answer.result?.aggregateFields ?? {}))
      if (aliases.has(alias)) entries += Number(integerValue ?? 0);
  });
  // The client leaves the stream paused until it listens itself, so it has to be paused again.
  stream.pause();
  stream.on("end", () => {
    if (method === "batchGetDocuments") bill.reads += documents;
    if (method === "runQuery")
      // The emulators do not say how many documents they skipped; if none was found, the offset is the highest possible
      // number.
      bill.reads += Math.max(1, documents + (query?.offset ?? 0)) + indexReads(query, documents);
    if (method === "runAggregationQuery") bill.reads += Math.max(1, Math.ceil(entries / 1_000));
  });
  return stream;
}

function indexReads(query: StructuredQuery | undefined, documents: number): number {
  const ranges = rangeFields(query?.where ?? {});
  const orders = (query?.orderBy ?? [])
    .map(({ field }) => field?.fieldPath ?? "")
    .filter((path) => path !== "__name__");
  const fields = new Set(ranges.length === 0 ? [] : [...ranges, ...orders]);
  return fields.size > 1 ? Math.max(1, Math.ceil(documents / 1_000)) : 0;
}

/** Operators that compare with given values, and so bound no range. */
const namingValues = new Set(["EQUAL", "IN", "ARRAY_CONTAINS", "ARRAY_CONTAINS_ANY"]);

/** The fields that a filter bounds from above or below. */
function rangeFields({ compositeFilter, fieldFilter }: Filter): string[] {
  if (compositeFilter != null) return (compositeFilter.filters ?? []).flatMap(rangeFields);
  return namingValues.has(fieldFilter?.op ?? "EQUAL") ? [] : [fieldFilter?.field?.fieldPath ?? ""];
}
