/**
 * The ranking run: folds pending shards into the next generation and publishes it.
 *
 * One run may overlap another, start twice, come late or die between any two steps. All it changes, it changes
 * in one atomic commit that stands only if the ranking it read is still the published one (page 0 is the
 * guard) and every shard document it folded is still as it was (each deletion has a precondition). So a change is
 * in the pages or in a shard document, never in both and never in neither, and readers see whole generations.
 */
import { type DocumentReference, FieldValue, Timestamp, type WriteBatch } from "../firestore.ts";
import { publishAttemptsMax, rowsMax } from "../model/limits.ts";
import { pagePath, runPath, type SeasonKey, seasonPath, topPath } from "../model/paths.ts";
import type { RankingSummary } from "../model/season.ts";
import { intervalMs, lastSlotEnd, slotEnd } from "../model/slot.ts";
import { grpc, grpcCode } from "../retryable.ts";
import type { Board } from "../seasons/board.ts";
import type { Services } from "../services.ts";
import { buildTop, type Top } from "../standings/top.ts";
import { mergeRows } from "./merge.ts";
import { packPages, type Page } from "./pages.ts";
import { readAndFold, type Snapshot } from "./read.ts";
import { isExact, type Rows } from "./rows.ts";
import { type Bill, emptyRecord, finished, type RankingRecord } from "./run-record.ts";

export interface RunOptions {
  /** Also folds shards whose slot has not ended. Writers may still be at them: a busy board makes such a run try again. */
  includeOpenSlot?: boolean;
}

/** The next generation, ready to be written. */
interface Publication {
  key: SeasonKey;
  pages: Page[];
  top: Top;
  summary: RankingSummary;
  nextRunAt: Timestamp;
  record: RankingRecord;
}

/**
 * Runs until no shard is pending, in as many generations as the backlog needs.
 *
 * Cost of a generation: reads the published pages, the folded shards, the top players and 1 for each 1,000 of
 * these; writes the pages, the top, the season and the run record; deletes the folded shards. With nothing
 * pending: 1 read. The board costs 2 reads a minute.
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
  let last: RankingRecord | undefined;
  for (;;) {
    const { record, more } = await publishOnce(services, board, includeOpenSlot);
    if (record.outcome === "published") last = record;
    if (!more) return last ?? record;
  }
}

async function publishOnce(
  services: Services,
  board: Board,
  includeOpenSlot: boolean,
): Promise<{ record: RankingRecord; more: boolean }> {
  const { log, now, sleep, random } = services;
  const bill: Bill = { reads: 0, writes: 0, deletes: 0 };
  let record = emptyRecord(board.key, now());
  for (let attempt = 1; ; attempt++) {
    record = { ...record, attempts: attempt };
    try {
      const result = await tryToPublish(services, board, includeOpenSlot, record, bill);
      if (result.record.outcome === "published") log.info("published a ranking", { ...result.record });
      return result;
    } catch (error) {
      const beaten = isBeaten(error);
      if (!beaten || attempt === publishAttemptsMax) throw await asFailed(services, record, bill, error);
      log.info("another writer was first; reading again", { ...board.key, attempt, error: String(error) });
      await sleep(2 ** attempt * 25 * (1 + random()));
    }
  }
}

async function tryToPublish(
  services: Services,
  board: Board,
  includeOpenSlot: boolean,
  record: RankingRecord,
  bill: Bill,
): Promise<{ record: RankingRecord; more: boolean }> {
  const { db, now, log } = services;
  const { key, definition } = board;
  const slotMs = intervalMs(definition.ranking_interval_minutes);
  const slotsEndedByMs = includeOpenSlot ? undefined : lastSlotEnd(now(), slotMs);
  const snapshot = await readAndFold(db, { key, definition, slotsEndedByMs }, bill);
  if (snapshot === undefined) return { record: finished({ ...record, billed: bill }, now()), more: false };
  if (snapshot.sums.unreadable > 0) {
    log.error("shard documents hold keys that are no scores; they were passed over", {
      ...key,
      count: snapshot.sums.unreadable,
    });
  }
  const asOf = slotsEndedByMs === undefined ? snapshot.readAt : Timestamp.fromMillis(slotsEndedByMs);
  const publication = publicationOf(board, snapshot, { asOf, slotMs, nowMs: now() }, record, bill);
  await commit(services, publication, snapshot);
  bill.writes = publication.record.billed.writes;
  bill.deletes = publication.record.billed.deletes;
  return { record: publication.record, more: snapshot.more };
}

/** Decides, from what was read, all that is to be written. Pure. */
function publicationOf(
  { key, definition }: Board,
  snapshot: Snapshot,
  { asOf, slotMs, nowMs }: { asOf: Timestamp; slotMs: number; nowMs: number },
  started: RankingRecord,
  bill: Bill,
): Publication {
  const rows: Rows = mergeRows(snapshot.rows, rowsMax);
  const generation = snapshot.generation + 1;
  const nextPublishAt = Timestamp.fromMillis(slotEnd(nowMs, slotMs));
  const pages = packPages(definition.order, rows, {
    generation,
    unusable_scores: snapshot.sums.unusable,
    as_of: asOf,
    read_at: snapshot.readAt,
    next_publish_at: nextPublishAt,
  });
  const players = pages[0]?.players ?? 0;
  const shownRows = pages[0]?.rows ?? 0;
  const top = buildTop(topPath(key), definition, snapshot.top, {
    generation,
    as_of: snapshot.readAt,
    players,
  });
  const exact = isExact(rows);
  const pagesDeleted = Math.max(0, (snapshot.firstPage?.pages ?? 0) - pages.length);
  const record = finished(
    {
      ...started,
      outcome: "published",
      generation,
      read: {
        pages: snapshot.firstPage?.pages ?? 0,
        shards: snapshot.shards.length,
        top: snapshot.top.length,
      },
      wrote: {
        pages: pages.length,
        pages_deleted: pagesDeleted,
        shards_deleted: snapshot.shards.length,
        top: top.entries.length,
      },
      found: {
        shard_writes: snapshot.sums.writes,
        changes: snapshot.sums.changes,
        owed_rows: rows.scores.length - shownRows,
        unusable_scores: snapshot.sums.unusable,
        unreadable_changes: snapshot.sums.unreadable,
      },
      players,
      rows: shownRows,
      exact,
      lag_ms: Math.max(0, nowMs - snapshot.sums.newestSlotEndMs),
      billed: {
        reads: bill.reads,
        writes: bill.writes + pages.length + 3,
        deletes: bill.deletes + pagesDeleted + snapshot.shards.length,
      },
    },
    nowMs,
  );
  const summary: RankingSummary = {
    generation,
    players,
    rows: shownRows,
    pages: pages.length,
    exact,
    unusable_scores: snapshot.sums.unusable,
    as_of: asOf,
    published_at: Timestamp.fromMillis(nowMs),
    next_publish_at: nextPublishAt,
  };
  return { key, pages, top, summary, nextRunAt: nextPublishAt, record };
}

/** Writes a publication in one atomic commit of at most 500 writes, with its guards. */
async function commit({ db, newId }: Services, publication: Publication, snapshot: Snapshot): Promise<void> {
  const { key, pages, top, summary, nextRunAt, record } = publication;
  const batch = db.batch();
  const [first, ...others] = pages;
  if (first !== undefined) writeFirstPage(batch, db.doc(pagePath(key, 0)), first, snapshot);
  for (const page of others) batch.set(db.doc(pagePath(key, page.page)), page);
  for (let page = pages.length; page < (snapshot.firstPage?.pages ?? 0); page++)
    batch.delete(db.doc(pagePath(key, page)));
  for (const { path, updateTime } of snapshot.shards)
    batch.delete(db.doc(path), { lastUpdateTime: updateTime });
  batch.set(db.doc(topPath(key)), top);
  batch.update(db.doc(seasonPath(key)), { ranking: summary, next_run_at: nextRunAt });
  batch.set(db.doc(runPath(key, newId())), record);
  await batch.commit();
}

/** Page 0 is the guard: it must be as it was read, or not be there yet. */
function writeFirstPage(
  batch: WriteBatch,
  ref: DocumentReference,
  page: Page,
  { firstPage }: Snapshot,
): void {
  if (firstPage === undefined) batch.create(ref, page);
  else {
    const absent = { lows: FieldValue.delete(), owed: FieldValue.delete() };
    batch.update(ref, { ...absent, ...page }, { lastUpdateTime: firstPage.updateTime });
  }
}

/** Whether a failure means that another writer was first, or that the database was busy: worth reading again. */
function isBeaten(error: unknown): boolean {
  const codes: (number | undefined)[] = [
    grpc.alreadyExists,
    grpc.notFound,
    grpc.failedPrecondition,
    grpc.aborted,
    grpc.deadlineExceeded,
    grpc.unavailable,
  ];
  return codes.includes(grpcCode(error));
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
