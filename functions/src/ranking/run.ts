/**
 * The ranking run: folds pending shards into the next generation and publishes it.
 *
 * One run may overlap another, start twice, come late or die between any two steps. All it changes, it changes
 * in one atomic commit (publish.ts) that stands only if the ranking it read is still the published one (page 0 is
 * the guard) and every shard document it folded is still as it was (each deletion has a precondition). So a change is
 * in the pages or in a shard document, never in both and never in neither, and readers see whole generations.
 */
import { Timestamp } from "../firestore.ts";
import { publishAttemptsMax } from "../model/limits.ts";
import { runPath, type SeasonKey } from "../model/paths.ts";
import { intervalMs, lastSlotEnd } from "../model/slot.ts";
import { isBeaten } from "../retryable.ts";
import type { Board } from "../seasons/board.ts";
import { restSeason } from "../seasons/dormancy.ts";
import type { Services } from "../services.ts";
import { planPublication } from "./publication.ts";
import { publish } from "./publish.ts";
import { readAndFold, type Snapshot } from "./read.ts";
import { readCounts } from "./read-counts.ts";
import { type Bill, emptyRecord, finished, type RankingRecord } from "./run-record.ts";
import { addWrites, peakPerSecond, type WritesOfSlot } from "./shard-sums.ts";

export interface RunOptions {
  /** Also folds shards whose slot has not ended. Writers may still be at them: a busy board makes such a run try again. */
  includeOpenSlot?: boolean;
}

/**
 * Runs until no shard is pending, in as many generations as the backlog needs.
 *
 * Cost of a generation, with the source `index`: reads the published pages, the folded shards, the top, its players and 1 for each
 * 1,000 of these; writes the pages, the top, the season and the run record; deletes the folded shards. With nothing
 * pending: 1 read, and what falling asleep costs when it is time (seasons/dormancy.ts). With the source
 * `count`: see read-counts.ts; where the counts are as published nothing is written but when the next run is due. The board costs 2 reads a minute.
 * @returns the record of the last generation it published, or one that says there was nothing to do.
 * @throws `leaderboard_not_found`; an error when the published ranking is damaged, or when another writer was first
 * at each attempt. A failed run leaves a record too.
 */
export async function runRanking(
  services: Services,
  key: SeasonKey,
  { includeOpenSlot = false }: RunOptions = {},
): Promise<RankingRecord> {
  const board = await services.boards.load(key);
  const writesOfSlot: WritesOfSlot = new Map();
  let last: RankingRecord | undefined;
  for (;;) {
    const { record, more } = await publishOnce(services, { board, includeOpenSlot, writesOfSlot });
    if (record.outcome === "published") last = record;
    if (more) continue;
    if (last === undefined) await restSeason(services, board);
    return last ?? record;
  }
}

/** What stays the same through the generations of one run; it remembers what all of them measured. */
interface Run {
  board: Board;
  includeOpenSlot: boolean;
  writesOfSlot: WritesOfSlot;
}

async function publishOnce(services: Services, run: Run): Promise<{ record: RankingRecord; more: boolean }> {
  const { log, now, sleep, random } = services;
  const { key } = run.board;
  const bill: Bill = { reads: 0, writes: 0, deletes: 0 };
  let record = emptyRecord(key, now());
  for (let attempt = 1; ; attempt++) {
    record = { ...record, attempts: attempt };
    try {
      const result = await tryToPublish(services, run, record, bill);
      if (result.record.outcome === "published") log.info("published a ranking", { ...result.record });
      return result;
    } catch (error) {
      const beaten = isBeaten(error);
      if (!beaten || attempt === publishAttemptsMax) throw await asFailed(services, record, bill, error);
      log.info("another writer was first; reading again", { ...key, attempt, error: String(error) });
      await sleep(2 ** attempt * 25 * (1 + random()));
    }
  }
}

async function tryToPublish(
  services: Services,
  { board, includeOpenSlot, writesOfSlot }: Run,
  record: RankingRecord,
  bill: Bill,
): Promise<{ record: RankingRecord; more: boolean }> {
  const { db, now, log, random } = services;
  const { key, definition } = board;
  const slotMs = intervalMs(definition.ranking_interval_minutes);
  const counts = definition.source === "count";
  const slotsEndedByMs = includeOpenSlot || counts ? undefined : lastSlotEnd(now(), slotMs);
  const snapshot = counts
    ? await readCounts(db, { key, definition, random }, bill)
    : await readAndFold(db, { key, definition, slotsEndedByMs }, bill);
  if (snapshot === undefined) {
    const nothing = finished({ ...record, billed: bill }, now());
    if (counts) log.info("counted a ranking that is as it was", { ...nothing });
    return { record: nothing, more: false };
  }
  if (snapshot.sums.unreadable > 0) {
    log.error("shard documents hold keys that are no scores; they were passed over", {
      ...key,
      count: snapshot.sums.unreadable,
    });
  }
  const asOf = asOfFolded(snapshot, slotsEndedByMs, slotMs);
  const writes = addWrites(writesOfSlot, snapshot.sums.writesOfSlot);
  const times = { asOf, slotMs, nowMs: now() };
  const peak = peakPerSecond(writes, slotMs);
  const publication = await publish(services, board, snapshot, bill, (top, overtaken) => {
    const started = { ...record, top_overtaken: overtaken };
    return planPublication(board, { ...snapshot, top }, times, peak, started, bill);
  });
  for (const [slot, count] of writes) writesOfSlot.set(slot, count);
  bill.writes = publication.record.billed.writes;
  bill.deletes = publication.record.billed.deletes;
  return { record: publication.record, more: snapshot.more };
}

/** Until when every change is in: a part of a backlog, folded oldest first, has all slots but those from its newest on. */
function asOfFolded(
  { readAt, more, sums }: Snapshot,
  slotsEndedByMs: number | undefined,
  slotMs: number,
): Timestamp {
  if (more) return Timestamp.fromMillis(sums.newestSlotEndMs - slotMs);
  return slotsEndedByMs === undefined ? readAt : Timestamp.fromMillis(slotsEndedByMs);
}

/** Leaves a record of a run that failed, so that the owner sees it, and gives the error back. */
async function asFailed(
  { db, log, now, newId }: Services,
  record: RankingRecord,
  bill: Bill,
  error: unknown,
): Promise<unknown> {
  const key = { leaderboard: record.leaderboard, season: record.season };
  const billed = { ...bill, writes: bill.writes + 1 };
  const failed = finished({ ...record, outcome: "failed", error: String(error), billed }, now());
  log.error("a ranking run failed", { ...failed });
  try {
    await db.doc(runPath(key, newId())).set(failed);
  } catch (second) {
    log.error("the record of a failed run could not be written", { ...key, error: String(second) });
  }
  return error;
}
