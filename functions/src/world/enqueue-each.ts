/** What schedules have in common: they look for documents, and request a task for each. */
import type { Query, QueryDocumentSnapshot } from "../documents/firestore.ts";
import { inChunks } from "../documents/reads.ts";
import type { Log } from "./world.ts";
import { describeError } from "./describe-error.ts";

export interface Requests<Request> {
  /** What is logged of a failure: "a ranking run could not be enqueued". */
  problem: string;
  log: Log;
  /**
   * The task for a document; undefined if it needs none. It may throw at a foreign document, as of a game's own
   * collection of that name: it is logged, and the others are not affected.
   */
  requestFor: (document: QueryDocumentSnapshot) => Request | undefined;
  /** Enqueues the task, and does what must follow. */
  enqueue: (request: Request, document: QueryDocumentSnapshot) => Promise<unknown>;
}

/** Seasons that one scheduled run finds at once. */
const dueSeasonsPerQuery = 500;

/**
 * Requests a task for each document that a query finds. One that fails is logged and leaves the others alone, as the
 * next start of the schedule finds its document again.
 *
 * Cost: 1 read a document, at least 1; and what `enqueue` costs.
 * @returns how many were requested.
 * @throws if there was something to request and every request failed. Then no queue takes anything, which nobody may
 *   overlook: the function's executions show as failed.
 */
export async function enqueueEach<Request>(
  query: Query,
  { problem, log, requestFor, enqueue }: Requests<Request>,
): Promise<number> {
  let count = 0;
  const failures: unknown[] = [];
  for await (const docs of inChunks(query, dueSeasonsPerQuery)) {
    await Promise.all(
      docs.map(async (document) => {
        let request: Request | undefined;
        try {
          request = requestFor(document);
          if (request === undefined) return;
          await enqueue(request, document);
          count += 1;
        } catch (error) {
          log.error(problem, { path: document.ref.path, error: describeError(error) });
          if (request !== undefined) failures.push(error);
        }
      }),
    );
  }
  if (failures.length === 0 || count > 0) return count;
  const [first] = failures;
  const cause = first instanceof Error ? first.message : String(first);
  throw new Error(`Not one of ${failures.length} tasks could be enqueued (${problem}): ${cause}`, {
    cause: first,
  });
}
