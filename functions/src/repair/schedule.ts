/** The daily audit: finds the seasons that published since their last one, and asks for a cheap audit of each. */
import { inChunks } from "../documents/in-chunks.ts";
import { seasonOfPath } from "../documents/paths.ts";
import { rankedSeasons } from "../documents/queries.ts";
import { storedSeason } from "../documents/season.ts";
import { auditWindowMs, dueSeasonsPerQuery } from "../model/limits.ts";
import { hashOf } from "../model/hash.ts";
import { taskIdOf } from "../world/tasks.ts";
import type { World } from "../world/world.ts";

/**
 * Enqueues a cheap audit for each season that published a generation not audited yet. A board that nobody has played
 * for three days is not even looked at.
 *
 * Cost: 1 read for each season that published in the last three days, at least 1; 1 write for each that is audited,
 * beside what its audit costs.
 * @returns how many audits were asked for.
 */
export async function enqueueAudits({ db, now, log, enqueueRepair }: World): Promise<number> {
  const sinceMs = now() - auditWindowMs;
  let count = 0;
  for await (const docs of inChunks(rankedSeasons(db, sinceMs), dueSeasonsPerQuery)) {
    for (const document of docs) {
      const { ranking, status } = storedSeason.parse(document.data());
      if (status === "deleting" || document.get("audited_generation") === ranking.generation) continue;
      const key = seasonOfPath(document.ref.path);
      // Named after what is audited, so that a schedule that fires twice asks for one audit.
      const name = `audit-${ranking.generation}`;
      const run = `${name}-${hashOf(document.ref.path).toString(36)}`;
      const request = { ...key, kind: "audit" as const, full: false, run, step: 0 };
      try {
        await enqueueRepair(request, taskIdOf(document.ref.path, name), 0);
        await document.ref.update({ audited_generation: ranking.generation });
        count += 1;
      } catch (error) {
        log.error("an audit could not be enqueued", { ...key, error: String(error) });
      }
    }
  }
  return count;
}
