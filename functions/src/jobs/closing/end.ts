/**
 * One step of a season's end, whichever is due: it begins to close, closes, is cleared of what it no longer needs, or
 * is deleted. A step that runs twice, comes late, overlaps another or is killed anywhere does no harm.
 *
 * The schedule requests a step as a task when the season's `end_due_at` has come (jobs/schedule/schedule.ts). A step that
 * leaves work requests the next step itself. If a step dies, `end_due_at` comes again.
 */
import { FieldValue, Timestamp } from "../../documents/firestore.ts";
import { beginClosing, closingRecord } from "../../documents/closing-record.ts";
import { addEvent } from "../../documents/event.ts";
import { runPath, type SeasonKey, seasonPath } from "../../documents/paths.ts";
import { type Season, readSeason } from "../../documents/season.ts";
import { isBoardNotFound } from "../../model/errors.ts";
import { endRetryMs, endStepMs } from "../../model/limits.ts";
import { endSettingsOf } from "../../model/season-definition.ts";
import { boardCacheOf } from "../../seasons/board.ts";
import { readBoard } from "../../seasons/read-board.ts";
import { endMs } from "../../seasons/open-now.ts";
import { spanSeasonAt } from "../../seasons/span-season.ts";
import { isBeaten, isOvertaken } from "../../world/retryable.ts";
import { type ClosingRequest, taskIdOf } from "../../world/tasks.ts";
import { clearSeason, deleteSeason } from "./clear.ts";
import { continueClosing, rangeToWrite, readRanges } from "./close.ts";
import { createBudget, isOutdated, Recorded } from "../progress.ts";
import type { EndOptions, EndStep, StepOutcome } from "./take-up.ts";
import { writeRange } from "../../standings/write-range.ts";
import { describeError } from "../../world/describe-error.ts";
import type { Services } from "../../world/services.ts";

/**
 * Does one step of a season's end, and requests the next if more can be done at once; else it is due at `end_due_at`.
 * Cost: 1 read, and what close.ts or clear.ts say.
 */
export async function stepEnd(
  services: Services,
  request: Omit<ClosingRequest, "job">,
  options: EndOptions = {},
): Promise<void> {
  const { leaderboard, season, range } = request;
  const key = { leaderboard, season };
  const isOver = createBudget(services, options.budgetMs ?? endStepMs);
  try {
    const next = await services.meter.measure((spent) => {
      const step = { services, key, spent, options, isOver };
      return range === undefined ? doStep(step) : stepRange(step, range);
    });
    if (next === "done") return;
    const step = request.step + 1;
    const taskId = taskIdOf(seasonPath(key), "next", range ?? "", services.now(), step);
    const nextRequest = { ...key, job: "end" as const, step, ...(next === "range" ? { range } : {}) };
    await services.enqueueJob(nextRequest, taskId, 0);
  } catch (thrown) {
    const error = thrown instanceof Recorded ? thrown.cause : thrown;
    if (isOutdated(error)) {
      services.log.info("another step of a season's end is running", { ...key });
      return;
    }
    if (options.retries === true && isBeaten(error)) throw error;
    if (error === thrown) await putOff(services, key, error);
    if (!isBoardNotFound(error)) throw error;
  }
}

type Step = Omit<EndStep, "season">;

/**
 * One step of a range of the standings, in a task of its own (write-range.ts).
 * @returns whether the range goes on, or the closing may, as all ranges are written: a step of the closing that came
 * before would only stop the one that writes a range itself.
 */
async function stepRange(step: Step, range: number): Promise<"range" | "more" | "done"> {
  const { services, key, spent, options, isOver } = step;
  const { db } = services;
  const boards = boardCacheOf(services);
  const board = await boards.load(key);
  const found = await db.doc(runPath(key, board.season?.closing_run ?? "none")).get();
  const record = found.exists ? closingRecord.parse(found.data()) : undefined;
  const toWrite = record && rangeToWrite(record, range);
  if (record === undefined || toWrite === undefined) return "done";
  const { ended } = await writeRange(services, board, toWrite, {
    ...options,
    spent,
    isOver,
  });
  if (!ended) return "range";
  const { states } = await readRanges(services, key, record);
  return states.every(({ ended: isWritten }) => isWritten) ? "more" : "done";
}

async function doStep(begun: Step): Promise<StepOutcome> {
  const { services, key } = begun;
  const found = await services.db.doc(seasonPath(key)).get();
  if (!found.exists) return "done";
  let season = readSeason(found.data());
  // A board in memory may have the season as it was a minute ago.
  boardCacheOf(services).forgetSeason(key);
  if (season.status === "open") {
    const closing = await begin(services, key);
    if (closing === undefined) return "done";
    season = closing;
  }
  const outcome = await workOf({ ...begun, season });
  if (season.end_failures !== undefined)
    await found.ref.update({ end_failures: FieldValue.delete() }).catch((error: unknown) => {
      // The season is gone, or the next step that succeeds does it.
      const facts = { ...key, error: describeError(error) };
      services.log.info("the failures of a season's end are not forgotten yet", facts);
    });
  return outcome;
}

function workOf(step: EndStep): Promise<StepOutcome> {
  switch (step.season.status) {
    case "open":
      throw new Error("a season that takes scores has nothing to do for its end");
    case "closing":
      return continueClosing(step);
    case "closed":
      return clearSeason(step);
    case "deleting":
      return deleteSeason(step);
  }
}

/**
 * Begins to close a season, if it is time: from now on it takes no new scores. Where its end has moved, the next step moves
 * too.
 *
 * By the present calendar a season of a span may end later than it was opened for: the rules of its time zone have
 * changed. The season then goes on until the next one begins, as submissions go by the calendar. An end that an admin has
 * set too late for all instances to know moves likewise (seasons/open-now.ts).
 *
 * Cost: 2 reads, 3 writes with its event.
 */
async function begin(services: Services, key: SeasonKey): Promise<Season | undefined> {
  const { db, now, newId, log, endWaitMs, boardCacheMs } = services;
  const ref = db.doc(seasonPath(key));
  const run = newId();
  const begun = await db.runTransaction(async (transaction) => {
    const { definition, running, season } = await readBoard(db, key, transaction);
    if (season?.status !== "open") return season;
    const closesMs = endMs(season, boardCacheMs);
    const closesAt = closesMs === undefined ? null : Timestamp.fromMillis(closesMs);
    if (closesAt === null || closesMs === undefined || now() < closesMs) {
      if (season.end_due_at?.toMillis() !== closesMs)
        transaction.update(ref, { closes_at: closesAt, end_due_at: closesAt });
      return undefined;
    }
    const later =
      season.span === "custom"
        ? undefined
        : spanSeasonAt(key.leaderboard, { definition, running }, season.span, closesMs);
    // If the later end is over too, it is by now the end of another season.
    if (later?.key.season === key.season && later.closesAtMs !== null && now() < later.closesAtMs) {
      const laterAt = Timestamp.fromMillis(later.closesAtMs);
      transaction.update(ref, { closes_at: laterAt, end_due_at: laterAt });
      return undefined;
    }
    const change = {
      status: "closing" as const,
      closes_at: closesAt,
      closing_run: run,
      ended_with: endSettingsOf(definition),
      end_due_at: Timestamp.fromMillis(Math.max(now(), closesMs + endWaitMs)),
    };
    transaction.update(ref, { ...change, ended_at: FieldValue.serverTimestamp() });
    transaction.create(db.doc(runPath(key, run)), beginClosing(key, { run, nowMs: now() }));
    const happened = { kind: "season_closing", key, span: season.span, atMs: now(), once: run } as const;
    addEvent(db, transaction, definition, { ...happened, fields: { closes_at: closesAt } });
    return { ...season, ...change };
  });
  if (begun?.closing_run === run) log.info("a season began to close", { ...key, run });
  return begun;
}

/** After an error that an immediate retry would meet again, the step is due later. */
async function putOff({ db, now, log }: Services, key: SeasonKey, error: unknown): Promise<void> {
  log.error("a step of a season's end failed", { ...key, error: describeError(error) });
  try {
    const end_due_at = Timestamp.fromMillis(now() + endRetryMs);
    await db.doc(seasonPath(key)).update({ end_due_at, end_failures: FieldValue.increment(1) });
  } catch (second) {
    if (!isOvertaken(second))
      log.error("a season's end could not be postponed", { ...key, error: describeError(second) });
  }
}
