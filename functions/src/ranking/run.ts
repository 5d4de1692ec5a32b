/**
 * The ranking run: folds pending shards into the next generation and publishes it, in one guarded commit (publish.ts).
 * So runs may overlap, start twice, come late or die between any two steps.
 */
import { type QueryDocumentSnapshot, Timestamp } from "../documents/firestore.ts";
import { inChunks } from "../documents/reads.ts";
import { runPath, type SeasonKey, seasonPath, shardPath } from "../documents/paths.ts";
import { pendingShards } from "../documents/queries.ts";
import { type Bill, emptyRecord, finished, type RankingRecord } from "../documents/ranking-record.ts";
import { readShard } from "../documents/shard.ts";
import { documentSize } from "../model/document-size.ts";
import { FirerankError, isBoardNotFound } from "../model/errors.ts";
import {
  lateCommitMsMax,
  publishAttemptsMax,
  shardBytesBesideSegmentsMax,
  shardBytesPerCompactionMax,
  shardBytesPerPublicationMax,
  shardsPerCompactionMax,
  shardsPerPublicationMax,
  shardsPerReadMax,
} from "../model/limits.ts";
import { lastSlotEnd } from "../model/slot.ts";
import { type Board, boardCacheOf } from "../seasons/board.ts";
import { isEnded } from "../seasons/open-now.ts";
import { keepInterval, parkSeason, restSeason } from "../seasons/dormancy.ts";
import { describeError } from "../world/describe-error.ts";
import { addBills } from "../world/meter.ts";
import { isBeaten, isOvertaken, isTooBig, mayShrink } from "../world/retryable.ts";
import { tryAgain } from "../world/try-again.ts";
import { planPublication } from "./publication.ts";
import { publish } from "./publish.ts";
import { daysOf, keepBaseline } from "./baselines.ts";
import { readAndFold, type Room, type Snapshot, type What } from "./read.ts";
import { addShard, noChanges, shardDocuments, shardsFromOf } from "./shards.ts";
import type { Services } from "../world/services.ts";

interface RunOptions {
  /** Also folds shards whose slot has not ended. Writers may still use them: on a busy board such a run reads twice. */
  includeOpenSlot?: boolean;
  /** Also looks for shards in slots that ended long ago. */
  fromStart?: boolean;
}

/**
 * Runs until no shard is pending, in as many generations as the backlog needs.
 *
 * Cost of a generation: reads the published pages, the folded shards, the top, its players and
 * 1 for each 1,000 of these; writes the pages, the top, the season and the run record; deletes the folded shards. A
 * generation takes at most 1,000 shard documents, or 4 MiB of them; a slot that alone has more is joined first
 * ({@link joinShards}). Where the ranking was repaired or restored less than a minute ago, up to 20 are read twice; where the
 * interval is longer than ten minutes, 1 read in the end that is not in the record. With nothing pending: 1 read, and
 * what falling asleep costs when it is time (seasons/dormancy.ts). The board costs 2 reads a minute.
 * @returns the record of the last generation it published, or one that says there was nothing to do.
 * @throws `leaderboard_not_found`; `contention` when other writers were first at each attempt, or Firestore refused each
 * as too big; an error when the published ranking is damaged. A failed run leaves a record too.
 */
export async function publishRanking(
  services: Services,
  key: SeasonKey,
  { includeOpenSlot = false, fromStart = false }: RunOptions = {},
): Promise<RankingRecord> {
  const board = await boardToRank(services, key);
  const bytes =
    board.definition.segments === undefined ? shardBytesPerPublicationMax : shardBytesBesideSegmentsMax;
  const run: Run = {
    services,
    key,
    board,
    includeOpenSlot,
    shardsFrom: fromStart ? null : shardsFromIn(board),
    joinedMs: -Infinity,
    room: { documents: shardsPerPublicationMax, bytes },
    overfull: 0,
  };
  let last: RankingRecord | undefined;
  while (run.board.season === undefined || !isEnded(run.board.season)) {
    const { record, more } = await services.meter.measure((spent) => publishOnce(run, spent));
    if (record.outcome === "published") last = record;
    if (!more) {
      if (last === undefined) await restSeason(services, run.board, run.shardsFrom);
      else await keepInterval(services, run.board);
      return last ?? record;
    }
    // A backlog may take longer than an instance may remember a board.
    run.board = await boardToRank(services, key);
  }
  return last ?? emptyRecord(key, services.now());
}

async function boardToRank(services: Services, key: SeasonKey): Promise<Board> {
  return boardCacheOf(services)
    .load(key)
    .catch(async (error: unknown) => {
      // Without a definition the schedule would request runs for ever.
      if (isBoardNotFound(error)) await parkSeason(services, key);
      throw error;
    });
}

/** What goes through the generations of one run, and what all of them measured. */
interface Run extends Pick<What, "key" | "shardsFrom" | "joinedMs" | "room"> {
  services: Services;
  /** At most a minute old as each generation begins. */
  board: Board;
  includeOpenSlot: boolean;
  /** Generations that could not delete all documents of their slot. */
  overfull: number;
}

/** What the attempts at one generation share; `spent` is their bill so far. */
interface Attempts {
  record: RankingRecord;
  spent: () => Bill;
  /** The shard documents found so far, with the update time found last. */
  found: Map<string, Timestamp>;
  /** Those that changed between two attempts. */
  changed: Set<string>;
  wasBeaten: boolean;
}

async function publishOnce(run: Run, spent: () => Bill) {
  const { services, key } = run;
  const { log, now } = services;
  const record = emptyRecord(key, now());
  const attempts: Attempts = { record, spent, found: new Map(), changed: new Set(), wasBeaten: false };
  try {
    const result = await tryAgain(
      services,
      (attempt) => {
        attempts.record.attempts = attempt;
        return tryToPublish(run, attempts);
      },
      {
        mayPass: (error) => isBeaten(error) || (isTooBig(error) && run.room.documents > 1),
        onFailure(error, attempt) {
          attempts.wasBeaten ||= isOvertaken(error);
          if (mayShrink(error)) run.room = smaller(run.room);
          const what = isTooBig(error)
            ? "the commit was too big; taking less"
            : "another writer was first; reading again";
          // The status of who came second, ALREADY_EXISTS, would look like a fault.
          const cause = isOvertaken(error) ? {} : { error: describeError(error) };
          log.info(what, { ...key, attempt, ...cause });
        },
      },
    );
    if (result.record.outcome === "published") log.info("published a ranking", { ...result.record });
    return result;
  } catch (error) {
    await recordFailure(services, attempts, error);
    if (!isTooBig(error) && !isBeaten(error)) throw error;
    const why = isTooBig(error)
      ? `Firestore refused each commit, though each was smaller than the one before. ${String(error)}`
      : "each time another run or writer was first, or the database did not answer. An attempt whose answer was lost may have published.";
    const what = `A ranking run of ${seasonPath(key)} tried ${publishAttemptsMax} times, and ${why}`;
    throw new FirerankError("contention", `${what} Nothing is lost: ask again.`, {}, error);
  }
}

/** Generations of one run that may leave documents of their slot, as a larger commit was refused. The next run goes on. */
const overfullMax = 3;

async function tryToPublish(run: Run, attempts: Attempts) {
  const { services, board } = run;
  const { now, log, slotMs } = services;
  const slotsEndedByMs = run.includeOpenSlot ? undefined : lastSlotEnd(now(), slotMs);
  const snapshot = await readPending(run, attempts, slotsEndedByMs);
  if (snapshot === undefined)
    return { record: finished({ ...attempts.record, billed: attempts.spent() }, now()), more: false };
  const { unreadable: count } = snapshot.sums;
  if (count > 0)
    log.error("shard documents hold keys that are not scores; they were skipped", { ...board.key, count });
  const facts = { ...boundsOf(services, snapshot, slotsEndedByMs), nowMs: now() };
  if (snapshot.midnights !== undefined) await keepBaseline(services, run.key, snapshot.midnights);
  const { record } = await publish(services, board, snapshot, (top, overtaken) => {
    const started = { ...attempts.record, top_overtaken: overtaken };
    return planPublication(board, { ...snapshot, top }, { ...facts, spent: attempts.spent() }, started);
  });
  if (!snapshot.isOverfull) return { record, more: snapshot.more };
  // What stays of the slot is zero as a sum. Once joined it is deleted.
  run.overfull += 1;
  run.joinedMs = -Infinity;
  return { record, more: run.overfull < overfullMax };
}

/**
 * The pending changes, read and folded; undefined if there are none. A slot of too many shard documents is joined first.
 *
 * Once a writer has been faster, an attempt leaves those documents in place that may still be written: those of slots
 * that have not ended, and any that changed during an earlier attempt. A document beside them reverses what was taken. So
 * no writer can make the run fail there again.
 */
async function readPending(
  run: Run,
  attempts: Attempts,
  slotsEndedByMs: number | undefined,
): Promise<Snapshot | undefined> {
  const { services, board } = run;
  const { found, changed } = attempts;
  function isOpen(document: QueryDocumentSnapshot): boolean {
    return (document.get("slot_ends_at") as Timestamp).toMillis() > services.databaseMs(document.readTime);
  }
  function stays(document: QueryDocumentSnapshot): boolean {
    const { path } = document.ref;
    if (found.get(path)?.isEqual(document.updateTime) === false) changed.add(path);
    found.set(path, document.updateTime);
    return changed.has(path) || (isOpen(document) && attempts.wasBeaten);
  }
  const wasRefused = run.room.documents < shardsPerPublicationMax;
  const ofBoard = { definition: board.definition, days: daysOf(services, board) };
  const what = { ...run, ...ofBoard, slotsEndedByMs, wasRefused, isOpen, stays };
  const read = await readAndFold(services.db, what);
  if (read === "nothing pending") return undefined;
  if (!("tooManyInSlot" in read)) return read;
  const joined = await joinShards(services, run.key, read.tooManyInSlot);
  run.joinedMs = read.tooManyInSlot;
  attempts.record.shards_joined += joined;
  return readPending(run, attempts, slotsEndedByMs);
}

/** Where a run looks whether there are shards, as the board in memory says. A season falls asleep only without any. */
function shardsFromIn({ season }: Board): Timestamp | null {
  if (season?.dormant_at !== null) return null;
  return shardsFromOf(season.ranking.generation, season.ranking.shards_from);
}

/**
 * The time up to which every change is included: a part of a backlog, the oldest slots first, has all of its slots, and a
 * generation that ends a day says so. An
 * instance whose clock is ahead also takes the slot that was open when the database read, but nothing later. And where the
 * next search may begin: at the latest where changes can still be added, and not after documents that stay.
 */
function boundsOf(
  { databaseMs }: Services,
  { readAt, publishedMs, more, taken, sums, untilMs }: Snapshot,
  slotsEndedByMs = Infinity,
): { asOf: Timestamp; shardsFrom: Timestamp } {
  const foldedMs = Math.min(more ? sums.newestSlotEndMs : slotsEndedByMs, untilMs);
  const asOfMs = Math.max(foldedMs, publishedMs);
  const readMs = databaseMs(readAt);
  const kept = taken.map(({ slotEndMs }) => slotEndMs - 1);
  return {
    asOf: asOfMs > readMs ? readAt : Timestamp.fromMillis(asOfMs),
    shardsFrom: Timestamp.fromMillis(Math.min(foldedMs, readMs - lateCommitMsMax, ...kept)),
  };
}

/** What the next attempt deletes if a commit was too big, or took too long: a quarter, and one document at least. */
function smaller({ documents, bytes }: Room): Room {
  return { documents: Math.max(1, Math.floor(documents / 4)), bytes: Math.floor(bytes / 4) };
}

async function recordFailure(services: Services, attempts: Attempts, error: unknown): Promise<void> {
  const { db, log, now, newId } = services;
  const { record, spent } = attempts;
  const key = { leaderboard: record.leaderboard, season: record.season };
  const billed = addBills(spent(), { writes: 1 });
  const failed = finished({ ...record, outcome: "failed", error: describeError(error), billed }, now());
  log.error("a ranking run failed", { ...failed });
  try {
    await db.doc(runPath(key, newId())).set(failed);
  } catch (second) {
    log.error("the record of a failed run could not be written", { ...key, error: describeError(second) });
  }
}

/**
 * Joins the shard documents of one slot into few: it takes hundreds of instances, or dead ones, to have too many. One
 * commit writes the sum of some documents and deletes them, each only if it has not changed since it was read. So rows +
 * shards stay the same. Those that others change or delete meanwhile are left alone, together with those of the same
 * commit: on a busy board that is most of a slot that has not ended.
 *
 * Cost: 1 read and 1 delete a document joined, 1 write for each 6,000 different scores of up to 250 documents; documents
 * that are not joined 1 read. Memory: the changes of a commit.
 * @returns how many documents were joined.
 */
async function joinShards(services: Services, key: SeasonKey, slotEndMs: number): Promise<number> {
  const ofSlot = { from: Timestamp.fromMillis(slotEndMs - 1), byMs: slotEndMs };
  const query = pendingShards(services.db, key, ofSlot);
  let group: QueryDocumentSnapshot[] = [];
  let bytes = 0;
  let joined = 0;
  for await (const documents of inChunks(query, shardsPerReadMax)) {
    for (const document of documents) {
      const own = documentSize(document.ref.path, document.data());
      if (group.length === shardsPerCompactionMax || bytes + own > shardBytesPerCompactionMax) {
        joined += await joinGroup(services, key, slotEndMs, group);
        [group, bytes] = [[], 0];
      }
      group.push(document);
      bytes += own;
    }
  }
  return joined + (await joinGroup(services, key, slotEndMs, group));
}

/** Joins some documents in one commit, if that leaves fewer. Returns how many it joined. */
async function joinGroup(
  { db, newId, log }: Services,
  key: SeasonKey,
  slotEndMs: number,
  documents: readonly QueryDocumentSnapshot[],
): Promise<number> {
  const changes = noChanges(slotEndMs);
  for (const document of documents) addShard(changes, readShard(document.data()));
  const results = shardDocuments(changes);
  // A key that is not a score stays where it is, for the run that folds it to report.
  if (results.length >= documents.length || changes.sums.unreadable > 0) return 0;
  const batch = db.batch();
  for (const result of results) batch.create(db.doc(shardPath(key, newId(), slotEndMs)), result);
  for (const { ref, updateTime } of documents) batch.delete(ref, { lastUpdateTime: updateTime });
  try {
    await batch.commit();
    return documents.length;
  } catch (error) {
    if (!isBeaten(error) && !isTooBig(error)) throw error;
    const facts = { ...key, error: describeError(error) };
    log.info("shard documents could not be joined; they stay as they are", facts);
    return 0;
  }
}
