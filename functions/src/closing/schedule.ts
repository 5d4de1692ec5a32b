/** Finds the seasons whose end is due and requests one step for each. */
import type { Timestamp } from "../documents/firestore.ts";
import { inChunks } from "../documents/in-chunks.ts";
import { seasonOfPath } from "../documents/paths.ts";
import { dueEnds } from "../documents/queries.ts";
import { dueSeasonsPerQuery, runAskedAgainMs } from "../model/limits.ts";
import { taskIdOf } from "../world/tasks.ts";
import type { World } from "../world/world.ts";

/**
 * Enqueues a step for each season with a step of its end due: closing, clearing or deleting it. A step is
 * named after its season, the time at which it became due, and how many stretches of 110 seconds have passed
 * since, like ranking runs.
 *
 * Cost: 1 read a season due, at least 1.
 * @returns how many steps were requested.
 */
export async function enqueueDueEnds({ db, now, log, enqueueClosing }: World): Promise<number> {
  const nowMs = now();
  let count = 0;
  for await (const docs of inChunks(dueEnds(db, nowMs), dueSeasonsPerQuery)) {
    const asked = await Promise.allSettled(
      // Asynchronous, so that a foreign document with this name doesn't affect the others.
      docs.map(async (season) => {
        const dueMs = (season.get("end_due_at") as Timestamp).toMillis();
        const again = Math.floor((nowMs - dueMs) / runAskedAgainMs);
        const request = { ...seasonOfPath(season.ref.path), step: again };
        return enqueueClosing(request, taskIdOf(season.ref.path, "end", dueMs, again));
      }),
    );
    for (const result of asked) {
      if (result.status === "rejected")
        log.error("a step of a season's end could not be enqueued", { error: String(result.reason) });
      else count += 1;
    }
  }
  return count;
}
