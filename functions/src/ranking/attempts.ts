/** What a run learns from an attempt that failed: which documents to leave in place, how much to take, and whether to go on. */
import type { QueryDocumentSnapshot } from "../documents/firestore.ts";
import { runPath, seasonPath } from "../documents/paths.ts";
import { type Bill, emptyRecord, finished } from "../documents/ranking-record.ts";
import { FirerankError } from "../model/errors.ts";
import { publishAttemptsMax } from "../model/limits.ts";
import { describeError } from "../world/describe-error.ts";
import { addBills } from "../world/meter.ts";
import { isBeaten, isOvertaken, isTooBig, mayShrink } from "../world/retryable.ts";
import { waitAfter } from "../world/try-again.ts";
import type { Attempts, Run } from "./state.ts";

export function beginAttempts({ services, board }: Run, spent: () => Bill): Attempts {
  const record = emptyRecord(board.key, services.now());
  return { record, spent, seen: new Map(), changed: new Set(), wasBeaten: false };
}

/**
 * Whether a shard document must stay where it is, with its opposite beside it. Once a writer has been faster, these are the
 * documents that may still be written: of slots that have not ended, and those that changed during an earlier attempt. So
 * no writer makes a run fail there again.
 */
export function staysInPlace(attempts: Attempts, document: QueryDocumentSnapshot, isOpen: boolean): boolean {
  const { seen, changed, wasBeaten } = attempts;
  const { path } = document.ref;
  if (seen.get(path)?.isEqual(document.updateTime) === false) changed.add(path);
  seen.set(path, document.updateTime);
  return changed.has(path) || (isOpen && wasBeaten);
}

/**
 * Prepares the next attempt, and waits: after a commit that was too big or took too long it takes a quarter, one document
 * at least.
 * @throws the error, if it is not for another attempt to cure or this was the last: the run has failed, and leaves a record.
 * What a caller can do about it is a `contention`.
 */
export async function giveWay(run: Run, attempts: Attempts, error: unknown): Promise<void> {
  const { services, board } = run;
  const { record } = attempts;
  const mayPass = isBeaten(error) || (isTooBig(error) && run.deletesMax > 1);
  if (!mayPass || record.attempts === publishAttemptsMax) {
    await recordFailure(run, attempts, error);
    throw isBeaten(error) || isTooBig(error) ? givenUp(run, error) : error;
  }
  attempts.wasBeaten ||= isOvertaken(error);
  if (mayShrink(error)) {
    run.deletesMax = Math.max(1, Math.floor(run.deletesMax / 4));
    run.deletedBytesMax = Math.floor(run.deletedBytesMax / 4);
  }
  const what = isTooBig(error)
    ? "the commit was too big; taking less"
    : "another writer was first; reading again";
  // The status of who came second, ALREADY_EXISTS, would look like a fault.
  const cause = isOvertaken(error) ? {} : { error: describeError(error) };
  services.log.info(what, { ...board.key, attempt: record.attempts, ...cause });
  await waitAfter(services, record.attempts);
  record.attempts += 1;
}

function givenUp({ board }: Run, error: unknown): FirerankError {
  const why = isTooBig(error)
    ? `Firestore refused each commit, though each was smaller than the one before. ${String(error)}`
    : "each time another run or writer was first, or the database did not answer. An attempt whose answer was lost may have published.";
  const what = `A ranking run of ${seasonPath(board.key)} tried ${publishAttemptsMax} times, and ${why}`;
  return new FirerankError("contention", `${what} Nothing is lost: ask again.`, {}, error);
}

async function recordFailure({ services, board }: Run, attempts: Attempts, error: unknown): Promise<void> {
  const { db, log, now, newId } = services;
  const { record, spent } = attempts;
  const { key } = board;
  const billed = addBills(spent(), { writes: 1 });
  const failed = finished({ ...record, outcome: "failed", error: describeError(error), billed }, now());
  log.error("a ranking run failed", { ...failed });
  try {
    await db.doc(runPath(key, newId())).set(failed);
  } catch (second) {
    log.error("the record of a failed run could not be written", { ...key, error: describeError(second) });
  }
}
