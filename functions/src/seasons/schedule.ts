/** The schedules: they find the seasons with something due, and request a task for each. */
import type { Timestamp } from "../documents/firestore.ts";
import { type SeasonKey, seasonOfPath } from "../documents/paths.ts";
import { type DueField, dueSeasons, rankedSeasons } from "../documents/queries.ts";
import { readSeason } from "../documents/season.ts";
import { hashOf } from "../model/hash.ts";
import { runAskedAgainMs } from "../model/limits.ts";
import { enqueueEach } from "../world/enqueue-each.ts";
import { taskIdOf } from "../world/tasks.ts";
import type { World } from "../world/world.ts";

/** How far back audits look for publications: it makes up for days that were missed. */
const auditWindowMs = 3 * 86_400_000;

/**
 * Enqueues a run for each season whose ranking is due. Cost: 1 read a season due, at least 1.
 * @returns how many runs were requested. @throws if there were some to request and every request failed.
 */
export function enqueueDueRuns(world: World): Promise<number> {
  return enqueueDue(world, "next_run_at", "a ranking run could not be enqueued", (key, _, taskId) =>
    world.enqueueRun(key, taskId),
  );
}

/** The same for each season with a step of its end due: closing, clearing or deleting it. */
export function enqueueDueEnds(world: World): Promise<number> {
  const problem = "a step of a season's end could not be enqueued";
  return enqueueDue(world, "end_due_at", problem, (key, step, taskId) =>
    world.enqueueClosing({ ...key, step }, taskId),
  );
}

/**
 * A task is named after its season, due time, and the stretches of 110 seconds since: a schedule that fires twice
 * requests one, and one that finds the season still due after two minutes another.
 */
function enqueueDue(
  { db, now, log }: World,
  field: DueField,
  problem: string,
  enqueue: (key: SeasonKey, again: number, taskId: string) => Promise<void>,
): Promise<number> {
  const nowMs = now();
  return enqueueEach(dueSeasons(db, field, nowMs), {
    problem,
    log,
    requestFor(season) {
      const { path } = season.ref;
      const dueMs = (season.get(field) as Timestamp).toMillis();
      const again = Math.floor((nowMs - dueMs) / runAskedAgainMs);
      return { key: seasonOfPath(path), again, taskId: taskIdOf(path, field, dueMs, again) };
    },
    enqueue: ({ key, again, taskId }) => enqueue(key, again, taskId),
  });
}

/**
 * Enqueues, each day, a cheap audit for each season that published a generation not audited yet. A season whose
 * document cannot be read is logged, and does not stop the others.
 *
 * Cost: 1 read for each season that published in the last three days, at least 1; 1 write and its audit for each.
 * @returns the number of audits enqueued. @throws if there were some to enqueue and every one failed.
 */
export function enqueueAudits({ db, now, log, enqueueRepair }: World): Promise<number> {
  return enqueueEach(rankedSeasons(db, now() - auditWindowMs), {
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
