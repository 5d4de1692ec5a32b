/**
 * The schedule: finds the seasons for which a run or a step is due, and requests it: as a task, or where the season is
 * small, as one of up to a hundred steps that share a task (step.ts).
 *
 * The schedule reads no more than a season's document. It says how many players were ranked last; how many shards wait it
 * does not say. A step that finds many gets a task of its own.
 */
import type { Query, QueryDocumentSnapshot, Timestamp } from "../../documents/firestore.ts";
import { inChunks } from "../../documents/reads.ts";
import { seasonOfPath } from "../../documents/paths.ts";
import { type DueField, dueSeasons, rankedSeasons } from "../../documents/queries.ts";
import { isSeasonOfBoard, readSeason, storedSeason } from "../../documents/season.ts";
import { hashOf } from "../../model/hash.ts";
import {
  dozeOverdueMsMax,
  endRetryMs,
  runAskedAgainMs,
  sharedStepsMax,
  slotGraceSeconds,
  smallSeasonPlayersMax,
} from "../../model/limits.ts";
import { fallAsleep } from "../../seasons/dormancy.ts";
import { describeError } from "../../world/describe-error.ts";
import { sharedTaskIdOf, type SharedStep, taskIdOf } from "../../world/tasks.ts";
import { enqueueGroupEnds } from "../../groups/end.ts";
import { lookAtNotes } from "../players/step.ts";
import { findDailyAlerts } from "./daily-look.ts";
import { logAlerts, watchDue, type WatchOptions } from "./watch.ts";
import type { Services } from "../../world/services.ts";

/** When audits are requested each day, after midnight by UTC. */
const auditAtMs = 4 * 3_600_000;

/** How often groups are looked for that are to end; whoever looks at one ends it at once. */
const groupEndsEveryMs = 10 * 60_000;

/** An execution makes up for what executions before it should have done, as they were late or skipped, for so long. */
const madeUpForMs = 5 * 60_000;

/** Audits are spread over an hour, so that runs and ends find room in the queues that all jobs share. */
const auditsSpreadSeconds = 3_600;

const dayMs = 86_400_000;

/** How far back audits look for publications. A day on which the schedule did not run is made up for. */
const auditWindowMs = 3 * dayMs;

/**
 * Requests a task for each run and each step that is due, and logs alerts (watch.ts). A season has two due times, of
 * its run and of its end, so there are two queries. With one due time, a commit that sets it unread would put off what
 * another commit has set. Cost: 2 reads; 1 more for each further season due; what {@link watchDue} costs; and every ten
 * minutes what {@link enqueueGroupEnds} costs, and once a day what {@link enqueueAudits}, {@link watchAll} and
 * {@link lookAtNotes} cost.
 * @returns how many tasks were requested. @throws if no request of a kind succeeded.
 */
export async function enqueueDue(services: Services, options: WatchOptions = {}): Promise<number> {
  const hasPassed = passedSince(services);
  const due: QueryDocumentSnapshot[] = [];
  const asked = [enqueueDueRuns(services, due), enqueueDueEnds(services, due)];
  if (hasPassed(dayMs, auditAtMs))
    asked.push(enqueueAudits(services), watchAll(services, options), lookAtNotes(services));
  if (hasPassed(groupEndsEveryMs)) asked.push(enqueueGroupEnds(services));
  // If one of these fails, the others still go on.
  await Promise.allSettled(asked);
  await watchDue(services, due, options);
  return (await Promise.all(asked)).reduce((sum, count) => sum + count, 0);
}

/**
 * Says which times have passed since this instance's last execution, or within a minute if that was long ago: each execution
 * does what the schedule does once in a while, such as once a day, if its time has come since the one before.
 */
function passedSince(services: Services) {
  const nowMs = services.now();
  const memory = lastOf(services);
  const { lastMs } = memory;
  memory.lastMs = nowMs;
  const isRecent = lastMs !== undefined && lastMs < nowMs && nowMs - lastMs < madeUpForMs;
  const sinceMs = isRecent ? lastMs : nowMs - 60_000;
  return (everyMs: number, atMs = 0) =>
    Math.floor((nowMs - atMs) / everyMs) > Math.floor((sinceMs - atMs) / everyMs);
}

/**
 * Requests a run for each season whose run is due, and lets seasons sleep that nobody plays. Cost: 1 read a season due, at
 * least 1; and for each that dozes long enough 1 read, and 1 write to sleep.
 * @param due gets the seasons found
 */
export const enqueueDueRuns = (world: Services, due?: QueryDocumentSnapshot[]) =>
  enqueueDueBy(world, "next_run_at", due);

/**
 * Requests a step for each season whose end is due: to close, clear or delete it. Cost: 1 read a season due, at least
 * 1.
 */
export const enqueueDueEnds = (world: Services, due?: QueryDocumentSnapshot[]) =>
  enqueueDueBy(world, "end_due_at", due);

/**
 * A step is named after its season, the due time, and how often 110 seconds have passed since. So a schedule that fires
 * twice requests one task, and a schedule that finds the season still due two minutes later requests another task. A task
 * that steps share is named after their names: this instance remembers whom it has asked for, and leaves them out. Who
 * remembers nothing asks for some twice, which is harmless.
 *
 * A season that was asked for in vain gets a task of its own: its step may have killed those beside it. One that is more
 * than ten minutes overdue is asked for each ten minutes: its runs fail, as where its board's definition is damaged, and
 * would cost three calls each two minutes for as long as nobody mends it.
 */
async function enqueueDueBy(
  world: Services,
  field: DueField,
  due: QueryDocumentSnapshot[] = [],
): Promise<number> {
  const nowMs = world.now();
  const isRun = field === "next_run_at";
  const problem = isRun
    ? "a ranking run could not be enqueued"
    : "a step of a season's end could not be enqueued";
  const memory = lastOf(world);
  const before = memory[field];
  const asked: Requests = new Map();
  memory[field] = asked;
  return enqueueEach(world, dueSeasons(world.db, field, nowMs), problem, async (season) => {
    const { path } = season.ref;
    due.push(season);
    if (isRun && (await fallAsleep(world, season))) return undefined;
    const dueMs = (season.get(field) as Timestamp).toMillis();
    const last = before.get(path);
    const wasAsked = last?.dueMs === dueMs;
    const overdueMs = nowMs - dueMs;
    const pauseMs = overdueMs > dozeOverdueMsMax ? endRetryMs : runAskedAgainMs;
    if (wasAsked && nowMs - last.atMs < pauseMs) {
      asked.set(path, last);
      return undefined;
    }
    const again = Math.floor(overdueMs / runAskedAgainMs);
    const job = isRun ? { job: "ranking" as const } : { job: "end" as const, step: again };
    const request = { ...seasonOfPath(path), ...job };
    return {
      request,
      taskId: taskIdOf(path, field, dueMs, again),
      mayShare: !wasAsked && isSmall(season),
      delaySeconds: isRun ? slotGraceSeconds : 0,
      onAsked: () => void asked.set(path, { dueMs, atMs: nowMs }),
    };
  });
}

/** By the path of a season that is due: its due time, and when its step was requested. About 200 bytes each. */
type Requests = Map<string, { dueMs: number; atMs: number }>;

/** What this instance remembers of its last execution: when it began, and for which of the seasons due it has asked. */
interface LastExecution extends Record<DueField, Requests> {
  /** In milliseconds since 1970; absent before the first. */
  lastMs?: number;
}

const lastOf = ({ memory }: Pick<Services, "memory">) => memory(createLast);

const createLast = (): LastExecution => ({ next_run_at: new Map(), end_due_at: new Map() });

/** Whether a season's steps may share a task. A season that never published counts as small. */
function isSmall(found: QueryDocumentSnapshot): boolean {
  const { data: season } = storedSeason.safeParse(found.data());
  return season !== undefined && season.ranking.players <= smallSeasonPlayersMax;
}

/**
 * Requests a cheap audit, within the next hour, for each season that published a generation which was not audited yet.
 *
 * Cost: 1 read for each season that published in the last three days, at least 1; 1 write, and an audit, for each
 * requested.
 * @returns the number of audits enqueued. @throws if there were some to enqueue and every one failed.
 */
export function enqueueAudits(world: Services): Promise<number> {
  const query = rankedSeasons(world.db, world.now() - auditWindowMs);
  return enqueueEach(world, query, "an audit could not be enqueued", (season) => {
    const { ranking, status } = readSeason(season.data());
    const { generation } = ranking;
    if (status === "deleting" || season.get("audited_generation") === generation) return undefined;
    const { path } = season.ref;
    // Named after the generation, so that a schedule that fires twice starts one audit.
    const name = `audit-${generation}`;
    const hash = hashOf(path).readUInt32BE();
    const run = `${name}-${hash.toString(36)}`;
    return {
      request: { ...seasonOfPath(path), job: "audit", full: false, run, step: 0 },
      taskId: taskIdOf(path, name),
      mayShare: isSmall(season),
      delaySeconds: hash % auditsSpreadSeconds,
      onAsked: () => season.ref.update({ audited_generation: generation }),
    };
  });
}

/** Logs the alerts of all suspect seasons once a day. Cost: what {@link findDailyAlerts} costs. */
async function watchAll(services: Services, options: WatchOptions): Promise<number> {
  try {
    logAlerts(services, await findDailyAlerts(services, options));
  } catch (error) {
    // This failure does not repeat the schedule, which would read everything again.
    services.log.error("the daily look for alerts failed", { error: describeError(error) });
  }
  return 0;
}

const dueSeasonsPerQuery = 500;

/** A step that is wanted of a season. */
interface Wanted extends SharedStep {
  /** Whether it may share a task with steps of other seasons, after the same delay. */
  mayShare: boolean;
  delaySeconds: number;
  /** What follows once it is requested. */
  onAsked: () => unknown;
}

/**
 * Requests a step of each season that a query finds. A request that fails is logged and leaves the others alone, as the
 * next start of the schedule finds its seasons again.
 * @param stepOf returns undefined for a season of which no step is wanted. It may throw at a damaged season.
 * @returns of how many seasons a step was requested.
 * @throws if every request failed: then the queue takes no tasks, and the schedule's execution must show as failed.
 */
async function enqueueEach(
  services: Services,
  query: Query,
  problem: string,
  stepOf: (season: QueryDocumentSnapshot) => Wanted | undefined | Promise<Wanted | undefined>,
): Promise<number> {
  let count = 0;
  const failures: unknown[] = [];
  const report = (path: string, error: unknown) => {
    services.log.error(problem, { path, error: describeError(error) });
  };
  for await (const docs of inChunks(query, dueSeasonsPerQuery)) {
    const wanted: (Wanted & { path: string })[] = [];
    await Promise.all(
      docs.map(async (season) => {
        const { path } = season.ref;
        try {
          // A task with an id that no call takes would fail for all that share it.
          if (!isSeasonOfBoard(season)) throw new Error("This is no season of a board, and gets no task");
          const step = await stepOf(season);
          if (step !== undefined) wanted.push({ ...step, path });
        } catch (error) {
          report(path, error);
        }
      }),
    );
    await Promise.all(
      inTasks(wanted).map(async (group) => {
        try {
          await enqueueTogether(services, group);
          for (const { onAsked } of group) await onAsked();
          count += group.length;
        } catch (error) {
          for (const { path } of group) report(path, error);
          failures.push(error);
        }
      }),
    );
  }
  if (failures.length === 0 || count > 0) return count;
  const [cause] = failures;
  const why = cause instanceof Error ? cause.message : String(cause);
  throw new Error(`Not one of ${failures.length} tasks could be enqueued (${problem}): ${why}`, { cause });
}

/** Each step alone, or with those that may share its task. */
function inTasks<Of extends Wanted>(wanted: readonly Of[]): Of[][] {
  const groups = wanted.filter(({ mayShare }) => !mayShare).map((step) => [step]);
  const sharing = wanted.filter(({ mayShare }) => mayShare);
  for (let from = 0; from < sharing.length; from += sharedStepsMax)
    groups.push(sharing.slice(from, from + sharedStepsMax));
  return groups;
}

/** Requests the task of a step, or the task that steps share: also of one step that might share it. */
async function enqueueTogether({ enqueueJob }: Services, group: readonly Wanted[]): Promise<void> {
  const [first] = group;
  if (first === undefined) return;
  const { mayShare, request, taskId, delaySeconds } = first;
  if (!mayShare) return enqueueJob(request, taskId, delaySeconds);
  const steps = group.map((step) => ({ request: step.request, taskId: step.taskId }));
  return enqueueJob({ job: "shared", steps }, sharedTaskIdOf(steps), delaySeconds);
}
