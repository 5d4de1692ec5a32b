/** Reads every document of some collections as of one read time, in parallel by ranges of ids. */
import type { Firestore, Query, QuerySnapshot, Timestamp } from "../documents/firestore.ts";
import { documentsPerReadMax, readersMax } from "../model/limits.ts";
import { type IdRange, middleOf } from "./id-ranges.ts";
import { createJoin, type Joined, type RangeQuery } from "./join.ts";

interface What {
  /** A read time within the last hour, which Firestore keeps. */
  at: Timestamp;
  queries: readonly RangeQuery[];
  /** Called with each part; within a part the ids are in order. Its range is read no further until this is done. */
  use: (part: Joined[]) => void | Promise<void>;
  documentsPerRead?: number;
}

/**
 * Reads all documents of some collections, side by side by id, as they were at one time.
 *
 * How the ids are spread is unknown, so the first reader starts with all of them. A reader that has read a part cuts
 * off half of the rest of its range while fewer than {@link readersMax} readers are busy. A cut that leaves one side
 * empty costs a read.
 *
 * Cost: 1 read a document, and about 1 for each cut.
 */
export async function readAll(db: Firestore, what: What): Promise<void> {
  const { at, queries, use, documentsPerRead = documentsPerReadMax } = what;
  const running = new Set<Promise<void>>();
  let failure: { error: unknown } | undefined;

  function start(range: IdRange): void {
    const reader = read(range)
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => running.delete(reader));
    running.add(reader);
  }

  async function read(range: IdRange): Promise<void> {
    const join = createJoin((query) => getAt(db, at, query), queries, range, documentsPerRead);
    let { until } = range;
    for (;;) {
      const part = await join.next();
      if (part.length === 0 || failure !== undefined) return;
      await use(part);
      if (running.size >= readersMax) continue;
      const middle = middleOf({ after: join.reached(), until });
      if (middle === undefined) continue;
      start({ after: middle, until });
      join.endAt(middle);
      until = middle;
    }
  }

  start({});
  while (running.size > 0) await Promise.all(running);
  if (failure !== undefined) throw failure.error;
}

/** A query as of a time. */
export function getAt(db: Firestore, at: Timestamp, query: Query): Promise<QuerySnapshot> {
  return db.runTransaction((transaction) => transaction.get(query), { readOnly: true, readTime: at });
}
