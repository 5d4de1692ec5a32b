/**
 * The record of a closing under work. Each write of it takes it that it is as this step left it: so of two steps that
 * overlap, the one that came first finds itself overtaken and stops. With each goes when the season's end is due again:
 * while the work shows progress the schedule leaves it alone, and if it dies the schedule finds it.
 */
import { FieldValue, Timestamp } from "../documents/firestore.ts";
import {
  beginClosing,
  type ClosingPhase,
  type ClosingRecord,
  readClosingRecord,
} from "../documents/closing-record.ts";
import { runPath, type SeasonKey, seasonPath } from "../documents/paths.ts";
import type { Bill } from "../documents/ranking-record.ts";
import { endPauseMs, progressEveryMs } from "../model/limits.ts";
import { addBills } from "../world/meter.ts";
import { isOvertaken } from "../world/retryable.ts";
import type { World } from "../world/world.ts";

export interface EndOptions {
  /** How long the step may take before it leaves the rest to the next. */
  budgetMs?: number;
  /** Documents of one query; tests of the steps take few. */
  documentsPerRead?: number;
  /** Whether the caller comes again with the same step if the database was too busy or away: a task's queue does. */
  retries?: boolean;
  /** Told of each phase before it is at work: what measures a closing knows by it what a request is for. */
  onPhase?: (phase: ClosingPhase) => void;
}

/** What a step came to: all that can be done now, or as much as it had time for. */
export type StepOutcome = "done" | "more";

/** Another step does the work now, or the season is gone: nothing is left to do for this one. */
export class Overtaken extends Error {}

type Change = Partial<Omit<ClosingRecord, "kind" | "run">>;

export interface ClosingProgress {
  record(): ClosingRecord;
  /** Notes how far the work is; written if the last time was long ago. */
  tell(change: Change): Promise<void>;
  /** Writes the record; the season's next step is due at `dueMs`, or when the schedule should no longer wait for this one. */
  save(change: Change, dueMs?: number): Promise<void>;
  /** The record with a change, for a transaction of the caller's own, which writes it if it is still `updateTime`. */
  next(change: Change): { record: ClosingRecord; updateTime: Timestamp };
}

/** A record as an update of its document: an error that it no longer has goes. */
export function fieldsOf(record: ClosingRecord): object {
  return { error: FieldValue.delete(), ...record };
}

/**
 * Takes a closing up where its record says it is.
 * Cost: 1 read and 2 writes; 2 writes each time that the record is written.
 * @param spent what this step was billed so far.
 * @throws Overtaken
 */
export async function takeUp(
  services: World,
  key: SeasonKey,
  run: string,
  spent: () => Bill,
): Promise<ClosingProgress> {
  const { db, now } = services;
  const ref = db.doc(runPath(key, run));
  const found = await ref.get();
  // Where somebody has deleted it, what it said is found out again.
  const begun = found.exists ? readClosingRecord(found.data()) : beginClosing(key, { run, nowMs: now() });
  let updateTime = found.updateTime ?? (await ref.create(begun)).writeTime;
  let record: ClosingRecord = begun;
  let savedMs = now();

  function changed(change: Change): ClosingRecord {
    const { error: _, ...before } = record;
    return {
      ...before,
      ...change,
      finished_at: Timestamp.fromMillis(now()),
      duration_ms: now() - record.started_at.toMillis(),
      // With the writes of the record itself and of the season.
      billed: addBills(begun.billed, addBills(spent(), { writes: 2 })),
    };
  }

  async function save(change: Change, dueMs = now() + endPauseMs): Promise<void> {
    record = changed(change);
    savedMs = now();
    const batch = db.batch();
    batch.update(ref, fieldsOf(record), { lastUpdateTime: updateTime });
    batch.update(db.doc(seasonPath(key)), { end_due_at: Timestamp.fromMillis(dueMs) });
    try {
      const [first] = await batch.commit();
      updateTime = first?.writeTime ?? updateTime;
    } catch (error) {
      throw isOvertaken(error) ? new Overtaken(String(error)) : error;
    }
  }

  const progress: ClosingProgress = {
    record: () => record,
    async tell(change) {
      record = { ...record, ...change };
      if (now() - savedMs >= progressEveryMs) await save({});
    },
    save,
    next: (change) => ({ record: changed(change), updateTime }),
  };
  await save({ steps: begun.steps + 1, outcome: "running" });
  return progress;
}
