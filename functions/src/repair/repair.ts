/**
 * Runs audits, sweeps and rebuilds in steps. The run record carries the work from one step to the next and shows the
 * progress. A step that runs twice, late, or again after being killed does no harm, as each part of a repair is safe to
 * repeat.
 *
 * A small season is repaired within the call; a larger one by tasks, and the call returns a record that says `running`.
 */
import { Timestamp } from "../documents/firestore.ts";
import { leaderboardPath, runPath, type SeasonKey, seasonPath } from "../documents/paths.ts";
import { listedEntries, listedPlayers } from "../documents/queries.ts";
import {
  type AuditRecord,
  beginRecord,
  readRepairRecord,
  type RebuildRecord,
  type RepairKind,
  type RepairRecord,
  type SweepRecord,
} from "../documents/repair-record.ts";
import { FirerankError } from "../model/errors.ts";
import { countedAtOnceMax, repairInlinePlayersMax, sourceKnownMs } from "../model/limits.ts";
import type { Board } from "../seasons/board.ts";
import { isEnded } from "../seasons/open-now.ts";
import type { TopServices } from "../top/gate-memory.ts";
import { addBills } from "../world/meter.ts";
import { isBeaten } from "../world/retryable.ts";
import type { RepairRequest } from "../world/tasks.ts";
import { findDrift } from "./audit.ts";
import { auditClosed } from "./check-closed.ts";
import { createProgress, type Progress, saveRecord } from "./progress.ts";
import { rebuild, settle } from "./rebuild.ts";
import { seasonNotFound } from "./season-state.ts";
import { sweepStep } from "./sweep.ts";

/** For tests: production uses the defaults of each part. */
export interface RepairOptions {
  inFlightMs?: number;
  budgetMs?: number;
  documentsPerRead?: number;
  /** Whether the caller retries the step if the database was too busy or unavailable: a task queue does. */
  retries?: boolean;
  /** The largest season that is repaired at once. */
  inlinePlayersMax?: number;
}

/**
 * Starts a repair, and finishes it if the season is small.
 *
 * Cost: the repair's (audit.ts, sweep.ts, rebuild.ts); 1 read for each 1,000 players and each 1,000 index entries to
 * count them, at most 502; 2 reads for the board; 2 writes for the record, and 1 each 10 seconds.
 * @returns the record: `done`, or `running` if tasks continue it.
 * @throws `leaderboard_not_found`, `season_not_found`; `season_closed` for a sweep or rebuild of a closed season; what
 * the repair throws, once it is in the record.
 */
export async function startRepair(
  services: TopServices,
  key: SeasonKey,
  { kind, full }: { kind: RepairKind; full: boolean },
  options: RepairOptions = {},
): Promise<RepairRecord> {
  const { db, newId, now } = services;
  const board = await services.boards.load(key);
  const { definition, season } = board;
  if (season === undefined) throw seasonNotFound(key);
  refuseEnded(board, kind);
  const request = { ...key, kind, full, run: newId(), step: 0 };
  if (kind === "audit" && !full) return stepRepair(services, request, options);
  const record = await services.meter.measure(async (spent) => {
    const from = kind === "rebuild" ? await refuseTooEarly(services, key) : undefined;
    const counts = await Promise.all(
      [listedPlayers(db, key, definition), listedEntries(db, key, definition.order)].map(
        async (query) =>
          (
            await query
              .limit(countedAtOnceMax + 1)
              .count()
              .get()
          ).data().count,
      ),
    );
    // Of more, the ranking tells about how many they are.
    const total = Math.max(
      ...counts,
      counts.some((count) => count > countedAtOnceMax) ? season.ranking.players : 0,
    );
    const begun = beginRecord(kind, key, { run: request.run, full, total, nowMs: now() });
    const sweeps = begun.kind === "rebuild" && full && from !== undefined ? { swept_from: from } : {};
    const billed = { ...begun, ...sweeps, billed: addBills(spent(), { writes: 1 }) };
    await saveRecord(services, billed);
    return billed;
  });
  if (record.progress.total <= (options.inlinePlayersMax ?? repairInlinePlayersMax)) {
    return stepRepair(services, request, options, record);
  }
  await services.enqueueRepair(request, taskId(request), 0);
  return record;
}

/**
 * Refuses closed seasons: they have no index to sweep or to rebuild from.
 * @throws `season_closed`; `season_not_found` for one that is being deleted.
 */
function refuseEnded({ key, season }: Board, kind: RepairKind): void {
  if (season?.status === "deleting") throw seasonNotFound(key);
  if (season?.status !== "closed" || kind === "audit") return;
  throw new FirerankError(
    "season_closed",
    `Season "${key.season}" of leaderboard "${key.leaderboard}" is closed: its ranks come from its standings, and the ` +
      `index that a ${kind} needs is gone. auditSeason compares its standings, pages and players.`,
  );
}

/**
 * A rebuild only lasts if every instance knows the board's source: an instance that still uses the old one would skip
 * players' changes, or overwrite the rebuilt ranking with a counted one. Cost: 1 read.
 * @returns when it was found late enough, by the database's clock: a sweep from then on finds what was left to counts.
 * @throws `contention` within a minute after the source was changed.
 */
async function refuseTooEarly(
  { db, databaseMs, boards }: TopServices,
  { leaderboard }: SeasonKey,
): Promise<Timestamp> {
  const definition = await db.doc(leaderboardPath(leaderboard)).get();
  const { readTime } = definition;
  // The commit may have taken its time, or come from a server whose clock is behind.
  const sinceMs = ["source_since", "source_told_at"].map((field) => {
    const since: unknown = definition.get(field);
    return since instanceof Timestamp ? since.toMillis() : -Infinity;
  });
  const waitMs = Math.max(...sinceMs) + sourceKnownMs - databaseMs(readTime);
  boards.forget(leaderboard);
  if (waitMs <= 0) return readTime;
  const seconds = Math.ceil(waitMs / 1_000);
  throw new FirerankError(
    "contention",
    `The source of leaderboard "${leaderboard}" has just changed, and some instances do not know it yet. ` +
      `Ask again in ${seconds} seconds.`,
    { retry_after_seconds: seconds },
  );
}

/**
 * Runs one step of a repair, and enqueues the next if there is more to do. Cost: the step's; 1 read and at least 1
 * write for the record.
 * @param known the record, if the caller has just written it.
 */
export async function stepRepair(
  services: TopServices,
  request: RepairRequest,
  options: RepairOptions = {},
  known?: RepairRecord,
): Promise<RepairRecord> {
  const key = { leaderboard: request.leaderboard, season: request.season };
  const board = await services.boards.load(key);
  return services.meter.measure(async (spent) => {
    const begun = known ?? (await load(services, key, request));
    if (begun.outcome !== "running") return begun;
    const progress = createProgress(services, { ...begun, steps: begun.steps + 1 }, spent);
    return doStep(services, board, request, progress, options);
  });
}

async function doStep(
  services: TopServices,
  board: Board,
  request: RepairRequest,
  progress: Progress,
  options: RepairOptions,
): Promise<RepairRecord> {
  const { key } = board;
  try {
    await work(services, board, progress, options);
  } catch (error) {
    if (options.retries === true && isBeaten(error)) {
      services.log.warn("a step of a repair will be tried again", {
        ...key,
        run: request.run,
        error: describe(error),
      });
      throw error;
    }
    await progress.end("failed", { error: describe(error) });
    services.log.error(`a repair failed: ${request.kind}`, {
      ...key,
      run: request.run,
      error: String(error),
    });
    throw error;
  }
  const record = progress.record();
  if (record.outcome === "running") {
    const next = { ...request, step: record.steps };
    await services.enqueueRepair(next, taskId(next), delaySeconds(record, services.now()));
  }
  return record;
}

async function work(
  services: TopServices,
  board: Board,
  progress: Progress,
  options: RepairOptions,
): Promise<void> {
  const record = progress.record();
  refuseEnded(board, record.kind);
  if (record.kind === "audit" && board.season !== undefined && isEnded(board.season))
    return workOnClosed(services, board, record, progress);
  switch (record.kind) {
    case "audit":
      return workOnAudit(services, board, record, progress, options);
    case "sweep":
      return workOnSweep(services, board, progress, options);
    case "rebuild":
      return workOnRebuild(services, board, record, progress, options);
  }
}

async function workOnAudit(
  services: TopServices,
  board: Board,
  { full }: AuditRecord,
  progress: Progress,
  options: RepairOptions,
): Promise<void> {
  const result = await findDrift(services, board, full, {
    ...options,
    onProgress: (done) => progress.tell({ done }),
  });
  await progress.end("done", result);
  const facts = { ...board.key, repair: result.repair, found: result.found };
  if (result.repair !== "none") services.log.error("an audit found a season that needs a repair", facts);
  else services.log.info("audited a season", facts);
}

/** Pages that differ from the standings are republished by the next closing step. */
async function workOnClosed(
  services: TopServices,
  board: Board,
  { full }: AuditRecord,
  progress: Progress,
): Promise<void> {
  const { db, now, log } = services;
  const result = await auditClosed(services, board, full, (done) => progress.tell({ done }));
  const { difference, players } = result.found?.convergence ?? {};
  if (difference !== 0 || (players ?? 0) > 0)
    log.error(
      "an audit found players of a closed season whose documents disagree with its standings, which are final",
      {
        ...board.key,
        found: result.found,
      },
    );
  if (result.found !== null && result.found.pages.length > 0) {
    log.error("an audit found a closed season whose pages disagree with its standings", {
      ...board.key,
      found: result.found,
    });
    await db.doc(seasonPath(board.key)).update({ end_due_at: Timestamp.fromMillis(now()) });
  }
  await progress.end("done", result);
}

/** One step of a sweep; the record says whether it was the last. */
async function sweepOn(
  services: TopServices,
  board: Board,
  progress: Progress,
  options: RepairOptions,
): Promise<SweepRecord["swept"]> {
  const { swept } = progress.record() as SweepRecord | RebuildRecord;
  return sweepStep(services, board, swept, {
    ...options,
    onProgress: (soFar) => progress.tell({ done: soFar.players, swept: soFar }),
  });
}

async function workOnSweep(
  services: TopServices,
  board: Board,
  progress: Progress,
  options: RepairOptions,
): Promise<void> {
  const swept = await sweepOn(services, board, progress, options);
  if (swept.ended) await progress.end("done", { swept });
  else await progress.save({ swept });
  if (swept.ended) services.log.info("swept a season", { ...board.key, ...swept });
}

async function workOnRebuild(
  services: TopServices,
  board: Board,
  { full, swept, swept_from: sweptFrom, rebuilt: before }: RebuildRecord,
  progress: Progress,
  options: RepairOptions,
): Promise<void> {
  const { key } = board;
  if (full && !swept.ended) {
    const next = await sweepOn(services, board, progress, options);
    await progress.save({ swept: next });
    if (!next.ended) return;
  }
  let rebuilt = before;
  if (rebuilt.phase !== "settling") {
    await progress.save({ rebuilt: { ...rebuilt, phase: "reading" } });
    const result = await rebuild(services, board, rebuilt, {
      ...options,
      sweptFrom,
      onProgress: (done) => progress.tell({ done }),
    });
    rebuilt = result.rebuilt;
    await progress.save({ rebuilt, read_at: result.readAt, generation: result.generation });
  }
  const settled = await settle(services, key, rebuilt);
  if (settled === undefined) return;
  rebuilt = { ...rebuilt, phase: "ended" };
  const generation = settled.generation ?? progress.record().generation;
  await progress.end("done", { rebuilt, generation });
  services.log.info("rebuilt a season", { ...key, ...rebuilt });
}

async function load(services: TopServices, key: SeasonKey, request: RepairRequest): Promise<RepairRecord> {
  const found = await services.db.doc(runPath(key, request.run)).get();
  if (found.exists) return readRepairRecord(found.data());
  return beginRecord(request.kind, key, { ...request, total: 0, nowMs: services.now() });
}

/** A rebuild may wait for a slot to end; everything else continues at once. */
function delaySeconds(record: RepairRecord, nowMs: number): number {
  if (record.kind !== "rebuild" || record.rebuilt.phase !== "settling") return 0;
  return Math.max(0, Math.ceil(((record.rebuilt.settles_at?.toMillis() ?? 0) - nowMs) / 1_000));
}

/** A step's task id: a step that is enqueued twice runs once. */
function taskId({ run, step }: RepairRequest): string {
  return `${run}-${step}`;
}

/** An error's message without paths, which could name a player. */
function describe(error: unknown): string {
  return error instanceof Error
    ? `${error.name}: ${error.message.replaceAll(/players\/\S+|index_entries\/\S+/g, "…")}`
    : String(error);
}
