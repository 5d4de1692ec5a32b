/** Finds the seasons whose ranking is due and asks for one run each. */
import { seasonOfPath } from "../model/paths.ts";
import { dueSeasonsPerQuery } from "../model/limits.ts";
import { dueSeasons } from "../model/queries.ts";
import { hashOf } from "../model/shard.ts";
import { slotEnd } from "../model/slot.ts";
import type { Services } from "../services.ts";

/**
 * Enqueues a run for each season that is due. A run is named after its season and the present slot, so that a
 * schedule that fires twice, or each minute of a longer slot, asks for one run.
 *
 * Cost: 1 read a season due, at least 1.
 * @returns how many runs were asked for.
 */
export async function enqueueDueRuns({ db, now, log, enqueueRun }: Services): Promise<number> {
  const nowMs = now();
  let last: Awaited<ReturnType<ReturnType<typeof dueSeasons>["get"]>>["docs"][number] | undefined;
  let count = 0;
  for (;;) {
    const query = dueSeasons(db, nowMs, dueSeasonsPerQuery);
    const { docs } = await (last === undefined ? query : query.startAfter(last)).get();
    const asked = await Promise.allSettled(
      docs.map((season) => {
        const slot = slotEnd(nowMs, Number(season.get("interval_ms")) || 60_000);
        return enqueueRun(seasonOfPath(season.ref.path), taskId(season.ref.path, slot));
      }),
    );
    for (const result of asked) {
      if (result.status === "rejected")
        log.error("a ranking run could not be enqueued", { error: String(result.reason) });
      else count += 1;
    }
    last = docs.at(-1);
    if (docs.length < dueSeasonsPerQuery) return count;
  }
}

/** A task's name. It begins with a hash: names in sequence slow a queue down. */
function taskId(path: string, slotEndsAtMs: number): string {
  const name = `${path.replaceAll("/", "-")}-${slotEndsAtMs}`;
  return `${hashOf(name).toString(36)}-${name}`;
}
