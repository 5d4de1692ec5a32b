/** The daily audit: finds the seasons that published since their last audit, and enqueues a cheap audit of each. */
import type { QueryDocumentSnapshot } from "../documents/firestore.ts";
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
 * for three days is not even looked at. A season whose document cannot be read is logged, and does not stop the others.
 *
 * Cost: 1 read for each season that published in the last three days, at least 1; 1 write for each that is audited,
 * plus the cost of its audit.
 * @returns the number of audits enqueued.
 */
export async function enqueueAudits({ db, now, log, enqueueRepair }: World): Promise<number> {
  const sinceMs = now() - auditWindowMs;
  let count = 0;
  for await (const docs of inChunks(rankedSeasons(db, sinceMs), dueSeasonsPerQuery)) {
    const asked = await Promise.allSettled(
      // Async, so that a foreign document in a collection of this name only rejects its own promise.
      docs.map(async (season) => askForAudit(season, enqueueRepair)),
    );
    for (const [i, result] of asked.entries()) {
      if (result.status === "rejected")
        log.error("an audit could not be enqueued", {
          path: docs[i]?.ref.path,
          error: String(result.reason),
        });
      else if (result.value) count += 1;
    }
  }
  return count;
}

/** @returns whether an audit was enqueued. */
async function askForAudit(
  document: QueryDocumentSnapshot,
  enqueueRepair: World["enqueueRepair"],
): Promise<boolean> {
  const { ranking, status } = storedSeason.parse(document.data());
  if (status === "deleting" || document.get("audited_generation") === ranking.generation) return false;
  // Named after what is audited, so that a schedule that fires twice starts one audit.
  const name = `audit-${ranking.generation}`;
  const { path } = document.ref;
  const run = `${name}-${hashOf(path).toString(36)}`;
  const request = { ...seasonOfPath(path), kind: "audit" as const, full: false, run, step: 0 };
  await enqueueRepair(request, taskIdOf(path, name), 0);
  await document.ref.update({ audited_generation: ranking.generation });
  return true;
}
