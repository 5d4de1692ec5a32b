/** Finds the seasons whose ranking is due and requests one run for each. */
import type { Timestamp } from "../documents/firestore.ts";
import { seasonOfPath } from "../documents/paths.ts";
import { dueSeasons } from "../documents/queries.ts";
import { runAskedAgainMs } from "../model/limits.ts";
import { enqueueEach } from "../world/enqueue-each.ts";
import { taskIdOf } from "../world/tasks.ts";
import type { World } from "../world/world.ts";

/**
 * Enqueues a run for each season that is due. A run is named after its season, the time at which it became due, and how
 * many stretches of 110 seconds have passed since. So a schedule that fires twice requests one run. If it still finds
 * the season due after two minutes, because the run has failed for good or found nothing to do, it requests another.
 *
 * Cost: 1 read a season due, at least 1.
 * @returns how many runs were requested.
 * @throws if there were some to request and every request failed.
 */
export function enqueueDueRuns({ db, now, log, enqueueRun }: World): Promise<number> {
  const nowMs = now();
  return enqueueEach(dueSeasons(db, nowMs), {
    problem: "a ranking run could not be enqueued",
    log,
    requestFor(season) {
      const { path } = season.ref;
      const dueMs = (season.get("next_run_at") as Timestamp).toMillis();
      const again = Math.floor((nowMs - dueMs) / runAskedAgainMs);
      return { run: seasonOfPath(path), taskId: taskIdOf(path, dueMs, again) };
    },
    enqueue: ({ run, taskId }) => enqueueRun(run, taskId),
  });
}
