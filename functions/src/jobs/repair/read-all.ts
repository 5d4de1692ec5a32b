/** Reads every document of a collection as of one read time, in parallel by ranges of ids. */
import { getAt } from "../../documents/reads.ts";
import type { Firestore, QueryDocumentSnapshot, Timestamp } from "../../documents/firestore.ts";
import { byId } from "../../documents/queries.ts";
import { documentsPerReadMax } from "../../model/limits.ts";
import { type IdRange, middleOf } from "./id-ranges.ts";

interface What {
  /** A read time within the last hour, which Firestore keeps. */
  at: Timestamp;
  path: string;
  /** Called with each part, whose ids are in order. Its range is read no further until this is done. */
  use: (part: QueryDocumentSnapshot[]) => void | Promise<void>;
  documentsPerRead?: number | undefined;
}

/** Queries at the same time: as many as one processor can decode. */
const readersMax = 8;

/**
 * Reads all documents of a collection, as they were at one time. How the ids are spread is unknown, so the first reader
 * starts with all of them, and a reader that has read a part cuts off half of the rest of its range while fewer than
 * {@link readersMax} are busy. Cost: 1 read a document, and about 1 for each cut.
 */
export async function readAll(db: Firestore, what: What): Promise<void> {
  const { at, path, use, documentsPerRead = documentsPerReadMax } = what;
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

  async function read({ after, until }: IdRange): Promise<void> {
    let rest = { after, until };
    for (;;) {
      const { docs } = await getAt(db, at, byId(db, path, documentsPerRead, rest));
      const last = docs.at(-1);
      if (last === undefined || failure !== undefined) return;
      await use(docs);
      if (docs.length < documentsPerRead) return;
      rest = { ...rest, after: last.id };
      if (running.size >= readersMax) continue;
      const middle = middleOf(rest);
      if (middle === undefined) continue;
      start({ after: middle, until: rest.until });
      rest = { ...rest, until: middle };
    }
  }

  start({});
  while (running.size > 0) await Promise.all(running);
  if (failure !== undefined) throw failure.error;
}
