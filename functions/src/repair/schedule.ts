/** The daily audit: finds the seasons that published since their last audit, and enqueues a cheap audit of each. */
import { seasonOfPath } from "../documents/paths.ts";
import { rankedSeasons } from "../documents/queries.ts";
import { readSeason } from "../documents/season.ts";
import { auditWindowMs } from "../model/limits.ts";
import { hashOf } from "../model/hash.ts";
import { enqueueEach } from "../world/enqueue-each.ts";
import { taskIdOf } from "../world/tasks.ts";
import type { World } from "../world/world.ts";

/**
 * Enqueues a cheap audit for each season that published a generation not audited yet. A board that nobody has played
 * for three days is not even looked at. A season whose document cannot be read is logged, and does not stop the others.
 *
 * Cost: 1 read for each season that published in the last three days, at least 1; 1 write for each that is audited,
 * plus the cost of its audit.
 * @returns the number of audits enqueued.
 * @throws if there were some to enqueue and every one failed.
 */
export function enqueueAudits({ db, now, log, enqueueRepair }: World): Promise<number> {
  const sinceMs = now() - auditWindowMs;
  return enqueueEach(rankedSeasons(db, sinceMs), {
    problem: "an audit could not be enqueued",
    log,
    requestFor(season) {
      const { ranking, status } = readSeason(season.data());
      const { generation } = ranking;
      if (status === "deleting" || season.get("audited_generation") === generation) return undefined;
      return { generation, key: seasonOfPath(season.ref.path) };
    },
    async enqueue({ generation, key }, { ref }) {
      // Named after what is audited, so that a schedule that fires twice starts one audit.
      const name = `audit-${generation}`;
      const run = `${name}-${hashOf(ref.path).toString(36)}`;
      const request = { ...key, kind: "audit" as const, full: false, run, step: 0 };
      await enqueueRepair(request, taskIdOf(ref.path, name), 0);
      await ref.update({ audited_generation: generation });
    },
  });
}
