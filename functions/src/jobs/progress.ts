/**
 * The record of a closing, an audit or a repair in progress, which carries the work from one step to the next. Each write
 * requires that the record is as this step left it: of two steps that overlap, the earlier one finds itself overtaken and
 * stops.
 */
import { FieldValue, Timestamp, type Transaction, type WriteBatch } from "../documents/firestore.ts";
import type { StepsRecord } from "../documents/closing-record.ts";
import { runPath, type SeasonKey } from "../documents/paths.ts";
import { type Bill, finished } from "../documents/ranking-record.ts";
import { FirerankError } from "../model/errors.ts";
import { endRetryMs, progressEveryMs } from "../model/limits.ts";
import { describeError } from "../world/describe-error.ts";
import { addBills, noBill } from "../world/meter.ts";
import { grpc, grpcCode, isBeaten, isOvertaken } from "../world/retryable.ts";
import type { Services } from "../world/services.ts";

export interface StepOptions {
  /** How long the step may take before it leaves the rest to the next. */
  budgetMs?: number;
  /** Documents of one query; tests of the steps use few. */
  documentsPerRead?: number;
  /** Whether the caller repeats the same step if the database was too busy or unavailable, as a task's queue does. */
  retries?: boolean;
}

/** Says from now on whether a step has worked for as long as it may. */
export function createBudget({ now }: Services, budgetMs: number): () => boolean {
  const startedMs = now();
  return () => now() - startedMs >= budgetMs;
}

/**
 * Another step does the work now, or the season is gone: this step has nothing left to do. With a `cause`, the step had
 * failed before; the record's last writer may then be this step itself, whose answer was lost, and nobody goes on.
 */
export class Overtaken extends Error {}

/** Whether a step has nothing left to do: another does its work, or the season is on its way out or gone. */
export function isOutdated(error: unknown): boolean {
  return error instanceof Overtaken || (error instanceof FirerankError && error.code === "season_not_found");
}

/** A failure, its `cause`, that is in the record and in the log. */
export class Recorded extends Error {}

/**
 * The result of a guarded write. @throws Overtaken if another writer was first
 * @param creates whether it creates a document: whatever else refuses that, such as a busy database, is a failure.
 */
export async function unlessOvertaken<Result>(write: Promise<Result>, creates = false): Promise<Result> {
  try {
    return await write;
  } catch (error) {
    const wasFirst = creates ? grpcCode(error) === grpc.alreadyExists : isOvertaken(error);
    throw wasFirst ? new Overtaken(String(error)) : error;
  }
}

/** A record as an update of its document: an error that it no longer has is deleted. */
function fieldsOf(record: StepsRecord): object {
  return { error: FieldValue.delete(), ...record };
}

interface SaveOptions {
  /** When the job's next step is due; by default, when the schedule should stop waiting for this one. */
  dueMs?: number;
  /** What other tasks were billed, and how long they worked. */
  billed?: Bill;
  workedMs?: number;
}

/** The update time of no document. */
const never = Timestamp.fromMillis(0);

interface TakenUp<Of> {
  /** The record as it was read, or as it begins. */
  begun: Of;
  updateTime: Timestamp | undefined;
  spent: () => Bill;
  alongside?:
    ((batch: WriteBatch, outcome: StepsRecord["outcome"], dueMs: number | undefined) => void) | undefined;
}

export type Progress<Of extends StepsRecord> = ReturnType<typeof progressOf<Of>>;

/** A record of which a step takes the work up. Nothing is written before it is saved. Cost: 1 write each time. */
// eslint-disable-next-line max-lines-per-function -- short functions over one record
export function progressOf<Of extends StepsRecord>(
  { db, now, log }: Services,
  key: SeasonKey,
  { begun, updateTime: readTime, spent, alongside }: TakenUp<Of>,
) {
  const ref = db.doc(runPath(key, begun.run));
  const startedMs = now();
  let record = begun;
  let updateTime = readTime;
  let savedMs = startedMs;
  let [others, othersMs] = [begun.billed, begun.worked_ms];

  function changed(change: Partial<Of>): Of {
    const billed = addBills(others, addBills(spent(), { writes: alongside === undefined ? 1 : 2 }));
    const next = { ...record, ...change, billed, worked_ms: othersMs + now() - startedMs };
    if (change.error === undefined) delete next.error;
    return finished(next, now());
  }

  async function write(dueMs: number | undefined): Promise<Timestamp> {
    if (updateTime === undefined) return (await ref.create(record)).writeTime;
    const guard = { lastUpdateTime: updateTime };
    if (alongside === undefined) return (await ref.update(fieldsOf(record), guard)).writeTime;
    const batch = db.batch();
    batch.update(ref, fieldsOf(record), guard);
    alongside(batch, record.outcome, dueMs);
    const [first] = await batch.commit();
    return first?.writeTime ?? updateTime;
  }

  /** Writes the record. @throws Overtaken */
  async function save(change: Partial<Of>, { dueMs, billed, workedMs = 0 }: SaveOptions = {}): Promise<void> {
    others = addBills(others, billed ?? noBill());
    othersMs += workedMs;
    record = changed(change);
    // Parallel counts all report; only one may save.
    savedMs = Infinity;
    updateTime = await unlessOvertaken(write(dueMs), updateTime === undefined);
    savedMs = now();
  }

  return {
    record: () => record,
    /** Does the step's work. A failure goes into the record, unless the step is tried again. @throws Recorded, or what the work throws */
    async attempt<Result>({ retries }: StepOptions, work: () => Promise<Result>): Promise<Result> {
      try {
        return await work();
      } catch (cause) {
        const facts = { ...key, run: begun.run, kind: begun.kind, error: describeError(cause) };
        // In a deleted season a record would stay for ever.
        if (isOutdated(cause)) log.info("a step has nothing left to do", facts);
        else if (retries === true && isBeaten(cause)) log.warn("a step will be tried again", facts);
        else {
          const failed = { outcome: "failed", error: facts.error } as Partial<Of>;
          await save(failed, { dueMs: now() + endRetryMs }).catch((error: unknown) => {
            throw error instanceof Overtaken ? new Overtaken(error.message, { cause }) : error;
          });
          log.error("a step of a job failed", facts);
          throw new Recorded(facts.error, { cause });
        }
        throw cause;
      }
    },
    /** Notes the progress; writes it if the last write was long ago. */
    async report(change: Partial<Of>): Promise<void> {
      record = { ...record, ...change };
      if (now() - savedMs >= progressEveryMs) await save({});
    },
    save,
    /** Makes sure that the record is as this step left it, up to a transaction's end. Cost: 1 read. @throws Overtaken */
    async require(transaction: Transaction): Promise<void> {
      const found = await transaction.get(ref);
      if (found.updateTime?.isEqual(updateTime ?? never) !== true) throw new Overtaken();
    },
    /** Adds the record with a change to a transaction, which fails if it is not as this step left it. Cost: 1 write. */
    write(transaction: Transaction, change: Partial<Of>): void {
      transaction.update(ref, fieldsOf(changed(change)), { lastUpdateTime: updateTime ?? never });
    },
  };
}
