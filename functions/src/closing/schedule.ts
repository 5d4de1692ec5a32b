/** Finds the seasons whose end is due and requests one step for each. */
import type { Timestamp } from "../documents/firestore.ts";
import { seasonOfPath } from "../documents/paths.ts";
import { dueEnds } from "../documents/queries.ts";
import { runAskedAgainMs } from "../model/limits.ts";
import { enqueueEach } from "../world/enqueue-each.ts";
import { taskIdOf } from "../world/tasks.ts";
import type { World } from "../world/world.ts";

/**
 * Enqueues a step for each season with a step of its end due: closing, clearing or deleting it. A step is
 * named after its season, the time at which it became due, and how many stretches of 110 seconds have passed
 * since, like ranking runs.
 *
 * Cost: 1 read a season due, at least 1.
 * @returns how many steps were requested.
 * @throws if there were some to request and every request failed.
 */
export function enqueueDueEnds({ db, now, log, enqueueClosing }: World): Promise<number> {
  const nowMs = now();
  return enqueueEach(dueEnds(db, nowMs), {
    problem: "a step of a season's end could not be enqueued",
    log,
    requestFor(season) {
      const { path } = season.ref;
      const dueMs = (season.get("end_due_at") as Timestamp).toMillis();
      const again = Math.floor((nowMs - dueMs) / runAskedAgainMs);
      return { step: { ...seasonOfPath(path), step: again }, taskId: taskIdOf(path, "end", dueMs, again) };
    },
    enqueue: ({ step, taskId }) => enqueueClosing(step, taskId),
  });
}
