/**
 * The record of a closing in progress. Each write requires that the record is as this step left it: of two steps that
 * overlap, the earlier one finds itself overtaken and stops. Each write also sets when the season's end is due again:
 * the schedule leaves work that shows progress alone, and finds work that has died.
 */
import { FieldValue, Timestamp } from "../documents/firestore.ts";
import {
  beginClosing,
  type ClosingPhase,
  closingRangeProgress,
  type ClosingRecord,
  closingRecord,
} from "../documents/closing-record.ts";
import {
  closingRangePath,
  runPath,
  type SeasonKey,
  seasonPath,
  standingsPath,
  standingsSummaryPath,
} from "../documents/paths.ts";
import { type Bill, finished } from "../documents/ranking-record.ts";
import type { Season } from "../documents/season.ts";
import { endPauseMs, passNumbers, progressEveryMs } from "../model/limits.ts";
import { addBills, noBill } from "../world/meter.ts";
import { isOvertaken } from "../world/retryable.ts";
import type { World } from "../world/world.ts";

export interface EndOptions {
  /** How long the step may take before it leaves the rest to the next. */
  budgetMs?: number;
  /** Documents of one query, and players of one range; tests of the steps use few. */
  documentsPerRead?: number;
  rangePlayers?: number;
  /** Whether the caller repeats the same step if the database was too busy or unavailable, as a task's queue does. */
  retries?: boolean;
  /** Called with each phase before it starts, so that measurements of a closing know which phase a request belongs to. */
  onPhase?: (phase: ClosingPhase) => void;
}

/** The result of a step: it has done all that can be done now, or as much as it had time for. */
export type StepOutcome = "done" | "more";

/** Another step does the work now, or the season is gone: this step has nothing left to do. */
export class Overtaken extends Error {}

/** A failure, its `cause`, that is logged, and in the record of the closing: its next step is due later. */
export class PutOff extends Error {}

/** The result of a guarded write. @throws Overtaken if another writer was first */
export async function unlessOvertaken<Result>(write: Promise<Result>): Promise<Result> {
  try {
    return await write;
  } catch (error) {
    throw isOvertaken(error) ? new Overtaken(String(error)) : error;
  }
}

type Change = Partial<Omit<ClosingRecord, "kind" | "run">>;

interface SaveOptions {
  /** When the season's next step is due, by default when the schedule should stop waiting for this one. */
  dueMs?: number;
  /** What other tasks were billed, and how long they worked. */
  billed?: Bill;
  workedMs?: number;
}

export type ClosingProgress = Awaited<ReturnType<typeof takeUp>>;

/** A record as an update of its document: an error that it no longer has is deleted. */
export function fieldsOf(record: ClosingRecord): object {
  return { error: FieldValue.delete(), ...record };
}

/**
 * Takes a closing up where its record left off; at the phase of the season's status, if somebody has deleted it. Cost:
 * 1 read and 2 writes; 2 writes each time that the record is written; 1 of each more where it was deleted.
 * @param spent this step's bill so far. @throws Overtaken
 */
export async function takeUp(
  services: World,
  key: SeasonKey,
  { status, closing_run: closingRun }: Season,
  spent: () => Bill,
) {
  const { db, now } = services;
  const [ref, seasonRef] = [db.doc(runPath(key, closingRun ?? "")), db.doc(seasonPath(key))];
  const found = await ref.get();
  const begun = found.exists
    ? closingRecord.parse(found.data())
    : await beginOver(services, key, ref.id, status === "closed");
  let updateTime = found.updateTime ?? (await ref.create(begun)).writeTime;
  let record: ClosingRecord = begun;
  let savedMs = now();
  const startedMs = savedMs;
  let [others, othersMs] = [begun.billed, begun.worked_ms];

  // Including the writes of the record itself and of the season.
  const changed = (change: Change) => {
    const worked = { ...change, worked_ms: othersMs + now() - startedMs };
    const { error: _, ...before } = record;
    const billed = addBills(others, addBills(spent(), { writes: 2 }));
    return finished<ClosingRecord>({ ...before, ...worked, billed }, now());
  };

  /** Writes the record. */
  async function save(change: Change, { dueMs, billed, workedMs = 0 }: SaveOptions = {}): Promise<void> {
    others = addBills(others, billed ?? noBill());
    othersMs += workedMs;
    record = changed(change);
    // Of counts side by side, one tells.
    savedMs = Infinity;
    const batch = db.batch();
    batch.update(ref, fieldsOf(record), { lastUpdateTime: updateTime });
    batch.update(seasonRef, { end_due_at: Timestamp.fromMillis(dueMs ?? now() + endPauseMs) });
    const [first] = await unlessOvertaken(batch.commit());
    updateTime = first?.writeTime ?? updateTime;
    savedMs = now();
  }

  await save({ steps: begun.steps + 1, outcome: "running" });
  return {
    record: () => record,
    /** Notes the progress; writes it if the last write was long ago. */
    async tell(change: Change): Promise<void> {
      record = { ...record, ...change };
      if (now() - savedMs >= progressEveryMs) await save({});
    },
    save,
    /** The record with a change, for a transaction that writes it if its update time is still `updateTime`. */
    next: (change: Change) => ({ record: changed(change), updateTime }),
  };
}

/** Finds out again what a deleted record said. A table without a summary is begun anew, with numbers of its own. */
async function beginOver(
  { db, now, log }: World,
  key: SeasonKey,
  run: string,
  isClosed: boolean,
): Promise<ClosingRecord> {
  log.warn("the record of a closing is gone; its phases start again", { ...key, run });
  const begun = beginClosing(key, { run, nowMs: now() });
  const [summary, range] = await db.getAll(
    db.doc(standingsSummaryPath(key)),
    db.doc(closingRangePath(key, 0)),
  );
  const { data: written } = closingRangeProgress.safeParse(range?.data());
  let pass = (written?.pass ?? -1) + 1;
  if (isClosed || summary?.exists === true)
    return { ...begun, phase: isClosed ? "clearing" : "closing", pass };
  while ((await db.doc(standingsPath(key, pass * passNumbers)).get()).exists) pass += 1;
  return { ...begun, pass };
}
