/**
 * The record of a closing, an audit or a repair in progress. It carries the work from one step to the next. Each write
 * requires that the record is as this step left it. So if two steps overlap, one finds itself overtaken and stops.
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
  /** How long the step may take before it leaves the rest to the next step. */
  budgetMs?: number;
  /** Documents of one query; tests of the steps use few. */
  documentsPerRead?: number;
  /** Whether the caller repeats the same step if the database was too busy or unavailable, as a task's queue does. */
  retries?: boolean;
}

/** A function that says whether a step has worked for `budgetMs`, counted from now. */
export function createBudget({ now }: Services, budgetMs: number): () => boolean {
  const startedMs = now();
  return () => now() - startedMs >= budgetMs;
}

/**
 * Another step does the work now, or the season is gone: this step has nothing left to do. With a `cause`, the step
 * failed before it found itself overtaken. Then the record's last writer may be this step itself, if the answer to its
 * write was lost, so the failure must be reported or nobody goes on.
 */
export class Overtaken extends Error {}

/** Whether a step has nothing left to do: another step does its work, or the season is being deleted or gone. */
export function isOutdated(error: unknown): boolean {
  return error instanceof Overtaken || (error instanceof FirerankError && error.code === "season_not_found");
}

/** A failure that was written to the record and to the log; `cause` is the original error. */
export class Recorded extends Error {}

/**
 * The result of a write with a precondition. @throws Overtaken if another writer was first
 * @param creates whether the write creates a document. Then only an existing document means that another writer was
 *   first; any other refusal, such as of a busy database, is a failure.
 */
export async function unlessOvertaken<Result>(write: Promise<Result>, creates = false): Promise<Result> {
  try {
    return await write;
  } catch (error) {
    const wasFirst = creates ? grpcCode(error) === grpc.alreadyExists : isOvertaken(error);
    throw wasFirst ? new Overtaken(String(error)) : error;
  }
}

/** The fields that update a record's document. An error that the record no longer has is deleted. */
function updateOf(record: StepsRecord): object {
  return { error: FieldValue.delete(), ...record };
}

interface SaveOptions {
  /** When the job's next step is due; by default, when the schedule should stop waiting for this step. */
  dueMs?: number;
  /** The bill of other tasks of the job, and how long they worked. */
  billed?: Bill;
  workedMs?: number;
}

/** An update time that no document has. */
const never = Timestamp.fromMillis(0);

interface TakenUp<Of> {
  /** The record as it was read, or a new record. */
  begun: Of;
  updateTime: Timestamp | undefined;
  spent: () => Bill;
  alongside?:
    ((batch: WriteBatch, outcome: StepsRecord["outcome"], dueMs: number | undefined) => void) | undefined;
}

export type Progress<Of extends StepsRecord> = ReturnType<typeof progressOf<Of>>;

/** A record whose work this step takes up. Nothing is written before `save`. Cost: 1 write each time. */
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
    if (alongside === undefined) return (await ref.update(updateOf(record), guard)).writeTime;
    const batch = db.batch();
    batch.update(ref, updateOf(record), guard);
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
    /**
     * Does the step's work. A failure is written to the record, unless the step will be tried again.
     * @throws Recorded, or what the work throws
     */
    async attempt<Result>({ retries }: StepOptions, work: () => Promise<Result>): Promise<Result> {
      try {
        return await work();
      } catch (cause) {
        const facts = { ...key, run: begun.run, kind: begun.kind, error: describeError(cause) };
        // A record that is written to a deleted season would stay for ever.
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
    /** Changes the record, and writes it if the last write was long ago. */
    async report(change: Partial<Of>): Promise<void> {
      record = { ...record, ...change };
      if (now() - savedMs >= progressEveryMs) await save({});
    },
    save,
    /** Makes a transaction fail if the record is not as this step left it. Cost: 1 read. @throws Overtaken */
    async require(transaction: Transaction): Promise<void> {
      const found = await transaction.get(ref);
      if (found.updateTime?.isEqual(updateTime ?? never) !== true) throw new Overtaken();
    },
    /** Writes the record in a transaction, which fails if the record is not as this step left it. Cost: 1 write. */
    write(transaction: Transaction, change: Partial<Of>): void {
      transaction.update(ref, updateOf(changed(change)), { lastUpdateTime: updateTime ?? never });
    },
  };
}
