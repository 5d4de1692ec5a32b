/** Finds the seasons whose ranking is due and requests one run for each. */
import type { Timestamp } from "../documents/firestore.ts";
import { inChunks } from "../documents/in-chunks.ts";
import { seasonOfPath } from "../documents/paths.ts";
import { dueSeasons } from "../documents/queries.ts";
import { dueSeasonsPerQuery, runAskedAgainMs } from "../model/limits.ts";
import { taskIdOf } from "../world/tasks.ts";
import type { World } from "../world/world.ts";

/**
 * Enqueues a run for each season that is due. A run is named after its season, the time at which it became due, and how
 * many stretches of 110 seconds have passed since. So a schedule that fires twice requests one run. If it still finds
 * the season due after two minutes, because the run has failed for good or found nothing to do, it requests another.
 *
 * Cost: 1 read a season due, at least 1.
 * @returns how many runs were requested.
 */
export async function enqueueDueRuns({ db, now, log, enqueueRun }: World): Promise<number> {
  const nowMs = now();
  let count = 0;
  for await (const docs of inChunks(dueSeasons(db, nowMs), dueSeasonsPerQuery)) {
    const asked = await Promise.allSettled(
      // Asynchronous, so that a foreign document with this name doesn't affect the others.
      docs.map(async (season) => {
        const dueMs = (season.get("next_run_at") as Timestamp).toMillis();
        const again = Math.floor((nowMs - dueMs) / runAskedAgainMs);
        return enqueueRun(seasonOfPath(season.ref.path), taskIdOf(season.ref.path, dueMs, again));
      }),
    );
    for (const result of asked) {
      if (result.status === "rejected")
        log.error("a ranking run could not be enqueued", { error: String(result.reason) });
      else count += 1;
    }
  }
  return count;
}
