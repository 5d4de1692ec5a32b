/**
 * Runs audits and repairs in steps. The run record carries the work from one to the next. A step that runs twice, late, or
 * again after being killed does no harm, as each part of a repair is safe to repeat. A small season is repaired within the
 * call; a larger one by tasks, and the call returns a record that says `running`.
 */
import type { CountingServices } from "../counting/commit-players.ts";
import { Timestamp } from "../documents/firestore.ts";
import { runPath, type SeasonKey, seasonPath } from "../documents/paths.ts";
import { listedPlayers } from "../documents/queries.ts";
import { type Bill, finished } from "../documents/ranking-record.ts";
import {
  type AuditRecord,
  type AuditResult,
  beginRecord,
  storedRepairRecord,
  type RepairKind,
  type RepairRecord,
  type SeasonRepairRecord,
} from "../documents/repair-record.ts";
import { countedAtOnceMax, progressEveryMs, repairInlinePlayersMax } from "../model/limits.ts";
import type { Board } from "../seasons/board.ts";
import { isEnded } from "../seasons/open-now.ts";
import type { TopServices } from "../top/gate-memory.ts";
import { describeError } from "../world/describe-error.ts";
import { addBills } from "../world/meter.ts";
import { isBeaten } from "../world/retryable.ts";
import type { RepairRequest } from "../world/tasks.ts";
import { findDrift } from "./audit.ts";
import { auditClosed } from "./check-closed.ts";
import { markPlayers } from "./mark-players.ts";
import { rebuild, settle, TakenOver } from "./rebuild.ts";
import { seasonNotFound } from "./season-state.ts";

/** What audits and repairs need. */
export type RepairServices = TopServices & CountingServices;

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
 * Starts an audit or a repair, and finishes it if the season is small.
 *
 * Cost: that of audit.ts; for a repair those of mark-players.ts and rebuild.ts; 1 read for each 1,000 players to count
 * them, at most 251; 2 reads for the board; 2 writes for the record, and 1 each 10 seconds.
 * @returns the record: `done`, or `running` if tasks continue it.
 * @throws `leaderboard_not_found`, `season_not_found`; what the repair throws, once it is in the record.
 */
export async function startRepair(
  services: RepairServices,
  key: SeasonKey,
  { kind, full }: { kind: RepairKind; full: boolean },
  options: RepairOptions = {},
): Promise<RepairRecord> {
  const { db, newId, now } = services;
  const board = await services.boards.load(key);
  const { definition, season } = board;
  if (season === undefined || season.status === "deleting") throw seasonNotFound(key);
  const request = { ...key, kind, full, run: newId(), step: 0 };
  if (kind === "audit" && !full) return stepRepair(services, request, options);
  const record = await services.meter.measure(async (spent) => {
    const counting = listedPlayers(db, key, definition).limit(countedAtOnceMax + 1);
    const { count } = (await counting.count().get()).data();
    // Of more, the ranking tells about how many they are.
    const total = Math.max(count, count > countedAtOnceMax ? season.ranking.players : 0);
    const begun = beginRecord(kind, key, { run: request.run, full, total, nowMs: now() });
    const billed = { ...begun, billed: addBills(spent(), { writes: 1 }) };
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
 * Runs one step of a repair, and enqueues the next if there is more to do. Cost: the step's; 1 read and at least 1
 * write for the record. @param known the record, if the caller has just written it.
 */
export async function stepRepair(
  services: RepairServices,
  request: RepairRequest,
  options: RepairOptions = {},
  known?: RepairRecord,
): Promise<RepairRecord> {
  const { log, now } = services;
  const key = { leaderboard: request.leaderboard, season: request.season };
  const board = await services.boards.load(key);
  return services.meter.measure(async (spent) => {
    const begun = known ?? (await load(services, key, request));
    if (begun.outcome !== "running") return begun;
    const progress = createProgress(services, { ...begun, steps: begun.steps + 1 }, spent);
    try {
      await work(services, board, progress, options);
    } catch (cause) {
      const error = describeError(cause);
      const facts = { ...key, run: request.run, error };
      if (cause instanceof TakenOver) {
        log.info("another task does a step of a repair", facts);
        return progress.record();
      }
      if (options.retries === true && isBeaten(cause)) {
        log.warn("a step of a repair will be tried again", facts);
        throw cause;
      }
      await progress.save({ outcome: "failed", error });
      log.error(`a repair failed: ${request.kind}`, facts);
      throw cause;
    }
    const record = progress.record();
    if (record.outcome === "running") {
      const next = { ...request, step: record.steps };
      await services.enqueueRepair(next, taskId(next), delaySeconds(record, now()));
    }
    return record;
  });
}

type Progress = ReturnType<typeof createProgress>;

/** The record of work that goes on: updated often, written now and then. @param spent this step's bill so far. */
function createProgress(services: RepairServices, begun: RepairRecord, spent: () => Bill) {
  let record = begun;
  let savedMs = services.now();

  /** Cost: 1 write. */
  async function save(
    change: Partial<Omit<AuditRecord, "kind"> & Omit<SeasonRepairRecord, "kind">>,
  ): Promise<void> {
    savedMs = services.now();
    // Including the write of the record itself.
    const billed = addBills(begun.billed, addBills(spent(), { writes: 1 }));
    record = finished({ ...record, ...change, billed }, savedMs);
    await saveRecord(services, record);
  }

  return {
    record: () => record,
    /** Updates the progress; writes it if the last write was long ago. */
    async tell({ done, ...change }: { done: number; marked?: SeasonRepairRecord["marked"] }): Promise<void> {
      const { total } = record.progress;
      record = { ...record, ...change, progress: { done, total: Math.max(done, total) } };
      if (services.now() - savedMs >= progressEveryMs) await save({});
    },
    save,
  };
}

async function saveRecord({ db }: RepairServices, record: RepairRecord): Promise<void> {
  await db.doc(runPath(record, record.run)).set(record);
}

async function work(
  services: RepairServices,
  board: Board,
  progress: Progress,
  options: RepairOptions,
): Promise<void> {
  const record = progress.record();
  const hasEnded = board.season !== undefined && isEnded(board.season);
  if (record.kind === "repair" && !hasEnded) return repairOpen(services, board, record, progress, options);
  if (record.kind === "repair") {
    await publishAgain(services, board.key);
    return progress.save({ outcome: "done", phase: "ended" });
  }
  const onProgress = (done: number) => progress.tell({ done });
  const result = hasEnded
    ? await auditClosed(services, board, record.full, onProgress)
    : await findDrift(services, board, record.full, { ...options, onProgress });
  if (hasEnded) await tellOfClosed(services, board.key, result);
  else tellOfOpen(services, board.key, result);
  await progress.save({ ...result, outcome: "done" });
}

function tellOfOpen({ log }: RepairServices, key: SeasonKey, { repair, found }: AuditResult): void {
  const facts = { ...key, repair, found };
  if (repair !== "none") log.error("an audit found a season that needs a repair", facts);
  else log.info("audited a season", facts);
}

/** The ranks of a closed season come from its standings: where pages differ, a step of its end publishes them again. */
async function tellOfClosed(services: RepairServices, key: SeasonKey, { found }: AuditResult): Promise<void> {
  const facts = { ...key, found };
  const { difference, players } = found.convergence;
  if (difference !== 0 || (players ?? 0) > 0)
    services.log.error(
      "an audit found players of a closed season whose documents disagree with its standings, which are final",
      facts,
    );
  if (found.pages.length === 0) return;
  services.log.error("an audit found a closed season whose pages disagree with its standings", facts);
  await publishAgain(services, key);
}

async function publishAgain({ db, now, boards }: RepairServices, key: SeasonKey): Promise<void> {
  const owed = { published_revisions: -1, end_due_at: Timestamp.fromMillis(now()) };
  await db.doc(seasonPath(key)).update(owed);
  boards.forget(key.leaderboard);
}

async function repairOpen(
  services: RepairServices,
  board: Board,
  record: SeasonRepairRecord,
  progress: Progress,
  options: RepairOptions,
): Promise<void> {
  const { key } = board;
  let { phase, rebuilt } = record;
  if (phase === "marking") {
    const marked = await markPlayers(services, key, record.marked, {
      ...options,
      onProgress: (soFar) => progress.tell({ done: soFar.players, marked: soFar }),
    });
    phase = marked.ended ? "reading" : "marking";
    await progress.save({ marked, phase });
    if (!marked.ended) return;
  }
  if (phase === "reading") {
    const result = await rebuild(services, board, record.run, rebuilt, {
      ...options,
      onProgress: (done) => progress.tell({ done }),
    });
    rebuilt = result.rebuilt;
    phase = "settling";
    await progress.save({ rebuilt, phase, read_at: result.readAt, generation: result.generation });
  }
  const settled = await settle(services, key, rebuilt);
  if (settled === undefined) return;
  const { generation, ...folded } = settled;
  const all = { ...rebuilt, ...folded };
  await progress.save({
    outcome: "done",
    phase: "ended",
    generation: generation ?? progress.record().generation,
    rebuilt: all,
  });
  services.log.info("repaired a season", { ...key, ...all });
}

async function load(services: RepairServices, key: SeasonKey, request: RepairRequest): Promise<RepairRecord> {
  const found = await services.db.doc(runPath(key, request.run)).get();
  if (found.exists) return storedRepairRecord.parse(found.data());
  return beginRecord(request.kind, key, { ...request, total: 0, nowMs: services.now() });
}

/** A repair may wait for a slot to end; everything else continues at once. */
function delaySeconds(record: RepairRecord, nowMs: number): number {
  if (record.kind !== "repair" || record.phase !== "settling") return 0;
  return Math.max(0, Math.ceil(((record.rebuilt.settles_at?.toMillis() ?? 0) - nowMs) / 1_000));
}

/** A step's task id: a step that is enqueued twice runs once. */
function taskId({ run, step }: RepairRequest): string {
  return `${run}-${step}`;
}
