/**
 * Runs audits and repairs in steps. The record carries the work from one step to the next. A step that runs twice,
 * late, or again after it was killed does no harm, as each part of a repair is safe to repeat. A small season is
 * repaired within the call; a large season is repaired by tasks, and the call returns a record that says `running`.
 */
import { isInLine } from "../../counting/count-players.ts";
import { type QueryDocumentSnapshot, Timestamp } from "../../documents/firestore.ts";
import { runPath, type SeasonKey } from "../../documents/paths.ts";
import { listedPlayers } from "../../documents/queries.ts";
import {
  type AuditRecord,
  type AuditResult,
  beginRecord,
  storedRepairRecord,
  type RepairKind,
  type RepairRecord,
  type SeasonRepairRecord,
} from "../../documents/repair-record.ts";
import { countedAtOnceMax, repairInlinePlayersMax } from "../../model/limits.ts";
import { auditPrivateGroups } from "../../groups/audit.ts";
import { auditGroups, auditSeatsMax, lacksSeat } from "../../league/audit-groups.ts";
import { changeSeason, isOpened, boardCacheOf } from "../../seasons/board.ts";
import type { OpenedBoard } from "../../seasons/read-board.ts";
import { countsNoMore } from "../../seasons/open-now.ts";
import type { RepairRequest } from "../../world/tasks.ts";
import {
  createBudget,
  Overtaken,
  type Progress,
  progressOf,
  Recorded,
  type StepOptions,
} from "../progress.ts";
import { describeError } from "../../world/describe-error.ts";
import type { AlertCode } from "../alerts.ts";
import { auditClosed, findDrift } from "./audit.ts";
import { markPlayers } from "../../counting/mark-players.ts";
import { rebuild, settle } from "./rebuild.ts";
import { seasonNotFound } from "./season-state.ts";
import { countUnranked } from "./unranked.ts";
import type { Services } from "../../world/services.ts";

export interface RepairOptions extends StepOptions {
  /**
   * For audits, see audit.ts; `inlinePlayersMax`: the largest season that is repaired within the call. Tests set both.
   */
  inFlightMs?: number;
  inlinePlayersMax?: number;
}

/**
 * Starts an audit or a repair, and finishes it if the season is small.
 *
 * Cost: as audit.ts, league/audit-groups.ts and groups/audit.ts say, or for a repair as mark-players.ts and rebuild.ts say;
 * 1 read for each 1,000 players to count them, at most 251, but not for a cheap audit; 2 reads for the board; 1 read for
 * the record, and 1 write each 10 seconds.
 * @returns the record: `done`, or `running` if tasks go on with it.
 * @throws `leaderboard_not_found`, `season_not_found`; what the repair throws, after it was written to the record
 */
export function startRepair(
  services: Services,
  key: SeasonKey,
  { kind, full }: { kind: RepairKind; full: boolean },
  options: RepairOptions = {},
): Promise<RepairRecord> {
  return stepRepair(services, { ...key, job: kind, full, run: services.newId(), step: 0 }, options);
}

/**
 * Runs one step of an audit or a repair, and enqueues the next step if there is more to do. For a large season, the
 * first step only begins the record. Cost: what the step costs; 1 read and at least 1 write for the record.
 * @throws as {@link startRepair}, also if the season was deleted meanwhile
 */
export async function stepRepair(
  services: Services,
  request: RepairRequest,
  options: RepairOptions = {},
): Promise<RepairRecord> {
  const { db, now, meter } = services;
  const { leaderboard, season, job, full, run } = request;
  const key = { leaderboard, season };
  const board = await boardCacheOf(services).load(key);
  // Nothing may be written below a season that does not exist.
  if (!isOpened(board) || board.season.status === "deleting") throw seasonNotFound(key);
  return meter.measure(async (spent) => {
    const found = await db.doc(runPath(key, run)).get();
    const before = found.exists
      ? storedRepairRecord.parse(found.data())
      : beginRecord(job, key, { run, full, total: await sizeOf(services, board, request), nowMs: now() });
    if (before.outcome !== "running") return before;
    const begun = { ...before, steps: before.steps + 1 };
    const isLarge = begun.progress.total > (options.inlinePlayersMax ?? repairInlinePlayersMax);
    // A step that is enqueued twice runs once.
    const askFor = (record: RepairRecord) =>
      services.enqueueJob(
        { ...request, step: record.steps },
        `${run}-${record.steps}`,
        delaySeconds(record, now()),
      );
    const progress = progressOf<RepairRecord>(services, key, { begun, updateTime: found.updateTime, spent });
    const work = { services, board, options };
    try {
      await progress.attempt(options, async () => {
        if (!found.exists && isLarge) await progress.save({});
        else if (begun.kind === "audit") await audit(work, progress as Progress<AuditRecord>);
        else await repair(work, progress as Progress<SeasonRepairRecord>);
      });
    } catch (error) {
      if (error instanceof Overtaken && error.cause === undefined) {
        // This step may have written the record itself, if the answer to its write was lost. Asking twice for the next
        // step is harmless, as it runs once.
        if (!found.exists && isLarge) await askFor(begun);
        return begun;
      }
      throw error instanceof Overtaken || error instanceof Recorded ? error.cause : error;
    }
    const record = progress.record();
    if (record.outcome === "running") await askFor(record);
    return record;
  });
}

/** How many players have to be read. If there are more than one count can have, the ranking says about how many. */
async function sizeOf(
  { db }: Services,
  { key, definition, season }: OpenedBoard,
  { job, full }: RepairRequest,
): Promise<number> {
  if (job === "audit" && !full) return 0;
  const counting = listedPlayers(db, key, definition).limit(countedAtOnceMax + 1);
  const { count } = (await counting.count().get()).data();
  return Math.max(count, count > countedAtOnceMax ? season.ranking.players : 0);
}

interface RepairWork {
  services: Services;
  board: OpenedBoard;
  options: RepairOptions;
}

function reached({ progress: { total } }: RepairRecord, done: number) {
  return { done, total: Math.max(done, total) };
}

async function audit(
  { services, board, options }: RepairWork,
  progress: Progress<AuditRecord>,
): Promise<void> {
  const { full } = progress.record();
  const onProgress = (done: number) => progress.report({ progress: reached(progress.record(), done) });
  const isClosed = countsNoMore(board.season);
  const seatless: string[] = [];
  const unranked = countUnranked(board);
  const onPlayer = (player: QueryDocumentSnapshot) => {
    unranked.look(player);
    const isLacking = seatless.length < auditSeatsMax && lacksSeat(board, player.data(), services.now());
    if (isLacking) seatless.push(player.id);
  };
  const result = isClosed
    ? await auditClosed(services, board, full, onProgress)
    : await findDrift(services, board, full, { ...options, onProgress, onPlayer });
  Object.assign(result.found, unranked.found(services));
  if (isClosed) logAuditOfClosed(services, board.key, result);
  else logAudit(services, board.key, result);
  // The pages of a closed season come from its standings: a step of its end publishes them again.
  if (isClosed && result.found.pages.length > 0) await publishAgain(services, board.key);
  await auditGroupsOf(services, board, { full, seatless });
  await progress.save({ ...result, outcome: "done" });
}

/** What is found in the ranking is told also where groups could not be audited. */
async function auditGroupsOf(
  services: Services,
  board: OpenedBoard,
  { full, seatless }: { full: boolean; seatless: readonly string[] },
): Promise<void> {
  const seatsMax = full ? Infinity : auditSeatsMax;
  try {
    await auditGroups(services, board, { seatsMax, seatless, isOver: createBudget(services, markStepMs) });
    await auditPrivateGroups(services, board, { seatsMax, isOver: createBudget(services, markStepMs) });
  } catch (error) {
    services.log.error("groups could not be audited", { ...board.key, error: describeError(error) });
  }
}

function logAudit({ log }: Services, key: SeasonKey, { repair, found }: AuditResult): void {
  const facts = { ...key, repair, found };
  const alert = { firerank_alert: "audit_differs" satisfies AlertCode };
  if (repair !== "none") log.error("an audit found a season that needs a repair", { ...alert, ...facts });
  else log.info("audited a season", facts);
}

function logAuditOfClosed({ log }: Services, key: SeasonKey, { found }: AuditResult): void {
  const facts = { ...key, found };
  const { difference, players } = found.convergence;
  const disagree =
    "an audit found players of a closed season whose documents disagree with its standings, which are final";
  if (difference !== 0 || (players ?? 0) > 0) log.error(disagree, facts);
  if (found.pages.length > 0)
    log.error("an audit found a closed season whose pages disagree with its standings", facts);
}

/**
 * Requests another publication of a closed season by raising its `revisions`. Lowering `published_revisions` would do
 * so too, but then a slow publication of an older revision could replace a newer one. Cost: 1 read, 1 write.
 */
async function publishAgain(services: Services, key: SeasonKey): Promise<void> {
  await changeSeason(services, key, ({ status, revisions = 0, published_revisions: published = 0 }) => {
    // The board in memory may show a season as closed that is being deleted by now.
    if (status !== "closed") return undefined;
    return {
      revisions: Math.max(revisions, published + 1),
      end_due_at: Timestamp.fromMillis(services.now()),
    };
  });
}

/** A repair goes through the phases that its record names, as far as one step comes. */
async function repair(work: RepairWork, progress: Progress<SeasonRepairRecord>): Promise<void> {
  const { services, board } = work;
  if (countsNoMore(board.season)) {
    await publishAgain(services, board.key);
    return progress.save({ outcome: "done", phase: "ended" });
  }
  for (;;)
    switch (progress.record().phase) {
      case "marking":
        if (!(await markAll(work, progress))) return;
        break;
      case "reading":
        await readAnew(work, progress);
        break;
      case "settling":
        return settleAll(work, progress);
      case "ended":
        return;
    }
}

/** How long one step of marking works before it enqueues the next step. A step that dies is repeated. */
const markStepMs = 5 * 60_000;

/** @returns whether all players' marks are in line. */
async function markAll(
  { services, board, options }: RepairWork,
  progress: Progress<SeasonRepairRecord>,
): Promise<boolean> {
  const marked = await markPlayers(services, board.key, progress.record().marked, {
    ...options,
    isOver: createBudget(services, options.budgetMs ?? markStepMs),
    isRight: (data) => isInLine(data, board.definition),
    onProgress: (soFar) =>
      progress.report({ progress: reached(progress.record(), soFar.players), marked: soFar }),
  });
  await progress.save({ marked, phase: marked.ended ? "reading" : "marking" });
  return marked.ended;
}

async function readAnew(
  { services, board, options }: RepairWork,
  progress: Progress<SeasonRepairRecord>,
): Promise<void> {
  const { run, rebuilt: before } = progress.record();
  const { rebuilt, readAt, generation } = await rebuild(services, board, run, before, {
    ...options,
    onProgress: (done) => progress.report({ progress: reached(progress.record(), done) }),
    // If two tasks do this step, the second to write here stops.
    onRestart: (attempts) => progress.save({ rebuilt: { ...before, attempts } }),
  });
  await progress.save({ rebuilt, phase: "settling", read_at: readAt, generation });
}

async function settleAll(
  { services, board: { key } }: RepairWork,
  progress: Progress<SeasonRepairRecord>,
): Promise<void> {
  const { rebuilt, generation: before } = progress.record();
  const settled = await settle(services, key, rebuilt);
  // This stores the number of steps, which names the next task: a queue drops a task whose name it has had.
  if (settled === undefined) return progress.save({});
  const { generation, ...folded } = settled;
  const all = { ...rebuilt, ...folded };
  await progress.save({ outcome: "done", phase: "ended", generation: generation ?? before, rebuilt: all });
  services.log.info("repaired a season", { ...key, ...all });
}

/**
 * How long to wait before the next step: a repair that settles waits for slots to end; all other steps follow at once.
 */
function delaySeconds(record: RepairRecord, nowMs: number): number {
  if (record.kind !== "repair" || record.phase !== "settling") return 0;
  return Math.max(0, Math.ceil(((record.rebuilt.settles_at?.toMillis() ?? 0) - nowMs) / 1_000));
}
