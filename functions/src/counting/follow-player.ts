/**
 * The net for direct writes: what happens after a write to a player's document, as its event says.
 *
 * A commit of ours has counted what it wrote, so its event ends here, without a read. A trusted server may write
 * players' documents by itself. Such a write may overwrite, delete or copy a mark that the index goes on counting:
 *
 * 1. **The correction**, once for each such write: −1 for the mark before it, +1 for the mark after it. A receipt, named
 *    after the version that was written or destroyed, and created in the same transaction, makes it once, however often
 *    the event comes.
 * 2. **Bringing into line**, in the same transaction: the document as it is now gets the mark that it asks for, whatever
 *    the event was. What the mark before said of midnights (documents/history.ts) comes back, if this write was the last.
 *
 * A repair takes the marks as they are at one time T. So corrections wait while one is under way, and a write up to T
 * corrects nothing more (documents/repair-record.ts).
 */
import { isDeepStrictEqual } from "node:util";
import { erasurePath, isErased } from "../documents/erasure.ts";
import type { DocumentSnapshot, Timestamp } from "../documents/firestore.ts";
import { unknownUntil } from "../documents/history.ts";
import {
  countedIn,
  hasMark,
  historyIn,
  isOurs,
  nextHistory,
  type Version,
  versionName,
} from "../documents/mark.ts";
import {
  playerPath,
  playerStatusPath,
  receiptPath,
  repairNotePath,
  type SeasonKey,
  seasonPath,
} from "../documents/paths.ts";
import { readPlayerStatus, statusAlone } from "../documents/player.ts";
import { asOf, documentsAt } from "../documents/reads.ts";
import { readRepairNote } from "../documents/repair-record.ts";
import type { Calendar } from "../model/calendar.ts";
import { FirerankError } from "../model/errors.ts";
import { readTimeKeptMs, transactionMsMax } from "../model/limits.ts";
import { statusNamed } from "../model/player-status.ts";
import { isOverfull } from "../model/segments.ts";
import { boardCacheOf, boardIfAny, calendarOf, keepsHistory } from "../seasons/board.ts";
import type { Board } from "../seasons/read-board.ts";
import { keepTopLive } from "../top/keep-live.ts";
import { isRefused } from "../world/retryable.ts";
import {
  commitPlayers,
  type LastMarked,
  hasOwnId,
  type PlayersTransaction,
  writeReceipt,
} from "./commit-players.ts";
import { boardOf, bringIntoLine, isInLine, logRefused } from "./count-players.ts";
import { hasStatusesAlone, withStatuses } from "./kept-status.ts";
import type { PlayerWrite } from "./changed-player.ts";
import { isOfAnother, seasonWritten } from "./season-written.ts";
import { mayBePassedOver, tellPassedOver, tellUnranked } from "./tell-unranked.ts";
import type { Services } from "../world/services.ts";

/**
 * Handles one event. An event of a season that has ended or was deleted changes nothing, however late it arrives.
 *
 * @param write as its event has it. Its times may be of another copy of the client library.
 *
 * Cost: nothing for a write of ours, and for a direct one that concerns neither index, top nor history; that one costs
 * the board where the document names more than 4 segments, or fields that may have to be told of. Else 2 reads a minute for
 * the board; 1 read for the player, 1 for the board's status of the player where the document names none, 2 for the receipt
 * and the note of a repair where a mark was changed; up to 3 writes: the player, the receipt, the shard document. For the
 * top: {@link keepTopLive}. Where somebody who is not active was deleted from `all_time`: {@link keepStatus}.
 * @throws Firestore's errors; `contention` while a repair is under way, or before the season begins. The event then
 * comes again.
 */
export async function followPlayer(
  services: Services,
  key: SeasonKey,
  player: string,
  write: PlayerWrite,
): Promise<void> {
  const { before, after } = write;
  const path = playerPath(key, player);
  const beganMs = services.now();
  const isOwn = isOurs(path, before, after, transactionMsMax);
  const isCounted = after === undefined || (await isCountedRight(services, key, player, isOwn, after));
  if (isOwn && isCounted) return;
  const isForgotten = !isDeepStrictEqual(historyIn(before?.data), historyIn(after?.data));
  const isChanged = isForgotten || countedIn(before?.data) !== countedIn(after?.data);
  const name = !isOwn && isChanged ? receiptOf(path, write) : undefined;
  let inShards = false;
  if (name !== undefined || !isCounted) {
    if (await seasonCountsNoMore(services, key, player, write, isOwn)) return;
    const board = await boardOf(services, key);
    const mayForget = !isOwn && (board === undefined || keepsHistory(board));
    const createdMs = board?.createdMs ?? 0;
    const handled = { ...write, key, path, name, mayForget, calendar: calendarOf(board), createdMs };
    const followed = await count(services, player, handled, { board, beganMs });
    if (followed === undefined) return;
    inShards = followed.inShards;
    if (!isOwn) tellPassedOver(services, key, player, write, board);
  } else if (mayBePassedOver(write)) {
    tellPassedOver(services, key, player, write, await boardIfAny(services, key));
  }
  if (mayTakeStatus(key, write) && !(await seasonCountsNoMore(services, key, player, write, isOwn)))
    await keepStatus(services, key, player);
  await keepTopLive(services, key, [{ before: before?.data, after: after?.data }], inShards);
}

/** What has come of an event. */
interface Followed {
  /** Why the document cannot be ranked, where that is new. */
  problem: string | undefined;
  /** Whether shards name the scores before and after the write: then it is the last one, and marks have changed with it. */
  inShards: boolean;
}

/** Corrects the index, and brings the document into line. @returns undefined if the season has ended meanwhile. */
async function count(
  services: Services,
  player: string,
  handled: Handled,
  { board, beganMs }: { board: Board | undefined; beganMs: number },
): Promise<Followed | undefined> {
  const { key } = handled;
  const handle = (mends: boolean) =>
    commitPlayers(services, [board], (players) => {
      players.letIn(beganMs);
      return follow(services, players, handled, mends);
    });
  let followed: Followed;
  try {
    followed = await handle(true);
  } catch (error) {
    // It has ended since this instance has read it.
    if (error instanceof FirerankError && error.code === "season_closed") return undefined;
    if (!isRefused(error)) throw error;
    logRefused(services, key, player, error);
    // What the write did to the mark before is corrected all the same.
    followed = await handle(false);
  }
  const { problem } = followed;
  if (problem !== undefined)
    services.log.error(`player ${player} is not ranked: ${problem}`, { ...key, player, problem });
  return followed;
}

/** Whether the season counts no more changes. Where that, or a missing board, is news to a server, the log says so. */
async function seasonCountsNoMore(
  services: Services,
  key: SeasonKey,
  player: string,
  write: PlayerWrite,
  isOwn: boolean,
): Promise<boolean> {
  const { countsNoMore, problem } = await seasonWritten(services, key, player, write);
  if (problem !== undefined && !isOwn && write.after !== undefined)
    tellUnranked(services, key, player, {
      problem,
      isBoard: boardCacheOf(services).withoutBoard(key) === undefined,
    });
  return countsNoMore;
}

/**
 * Whether a deletion may have taken a status with it that only `all_time` tells: submissions to a board with `all_time` look
 * nowhere else. Pure.
 */
function mayTakeStatus(key: SeasonKey, { before, after }: PlayerWrite): boolean {
  const wasActive = statusNamed(before?.data["status"]) === "active";
  return after === undefined && !wasActive && hasStatusesAlone(key);
}

/**
 * Gives a player whose document is gone one with the status that the board keeps for the player, if the board keeps one: so a
 * ban holds though a server has deleted the document. Cost: 3 reads, and 1 write if so.
 */
function keepStatus({ db, now }: Services, key: SeasonKey, player: string): Promise<void> {
  const { leaderboard } = key;
  const paths = [
    playerPath(key, player),
    playerStatusPath(leaderboard, player),
    erasurePath(player),
  ] as const;
  return db.runTransaction(async (transaction) => {
    const [document, kept, erasure] = await documentsAt(db, paths, transaction);
    const status = readPlayerStatus(kept.data());
    if (document.exists || status === "active" || isErased(erasure, leaderboard, now())) return;
    transaction.create(document.ref, statusAlone(status));
  });
}

/** Whether a document is counted as it asks for, and found by its player's id. Cost: {@link boardToCountBy}. */
async function isCountedRight(
  services: Services,
  key: SeasonKey,
  player: string,
  isOwn: boolean,
  version: Version,
): Promise<boolean> {
  if (!hasOwnId(key, player, version.data)) return false;
  return isInLine(version.data, await boardToCountBy(services, key, isOwn, version));
}

/**
 * What says which segments of a document are counted, if it names more than that. Our own commits went by the board, and
 * the mark says how; after a direct write the board says it. Cost: 2 reads a minute for the board, or nothing.
 */
async function boardToCountBy(services: Services, key: SeasonKey, isOwn: boolean, { data }: Version) {
  return isOwn || !isOverfull(data["segments"]) ? undefined : (await boardIfAny(services, key))?.definition;
}

/** The name of a direct write's receipt. Pure. */
function receiptOf(path: string, { before, after }: PlayerWrite): string | undefined {
  if (after !== undefined) return `written-${versionName(path, after.updateTime)}`;
  return before && `destroyed-${versionName(path, before.updateTime)}`;
}

/** A write that is handled: of whose document, and its receipt, if it has to be corrected. */
interface Handled extends PlayerWrite {
  key: SeasonKey;
  path: string;
  name: string | undefined;
  /** Whether it is a direct write on a board whose marks may keep what they were at midnights. */
  mayForget: boolean;
  /** The board's; undefined where there is none. */
  calendar: Calendar | undefined;
  /** When the board was created; 0 where there is none. */
  createdMs: number;
}

/**
 * Corrects the index under the write's receipt, and brings the document into line.
 * @throws `contention` where it has to wait for a repair.
 * @param mends unless Firestore refuses to write the document.
 */
async function follow(
  services: Services,
  players: PlayersTransaction,
  write: Handled,
  mends: boolean,
): Promise<Followed> {
  const { key, path, name, before, after } = write;
  const others = name === undefined ? [] : [receiptPath(key, name), repairNotePath(key)];
  const [document, receipt, note] = await documentsAt(services.db, [path, ...others], players);
  const nothingYet = [{ found: document, fields: undefined }];
  const [completed] = mends ? await withStatuses(services, players, key, nothingYet) : [];
  const wasCorrected = receipt?.exists !== false || isOfAnother(write, write.createdMs, document);
  let repairedMs: number | undefined;
  if (name !== undefined && note !== undefined && !wasCorrected) {
    const { holder, stands_until: until, repaired_at: repairedAt } = readRepairNote(note.data());
    const isUnderWay = holder !== null && until !== null;
    if (isUnderWay && services.now() < until.toMillis())
      throw new FirerankError(
        "contention",
        `A repair of ${seasonPath(key)} is under way; the event comes again.`,
      );
    const isRepaired = repairedAt !== null && !(await isAfter(services, write, repairedAt, note.readTime));
    if (isUnderWay) players.transaction.update(note.ref, { holder: null, stands_until: null });
    if (isRepaired) repairedMs = services.databaseMs(repairedAt);
    else {
      players.correct(key, countedIn(before?.data), countedIn(after?.data));
      writeReceipt(services, players.transaction, key, name);
    }
  }
  const last = name === undefined || !wasCorrected ? lastMarked(write, document, repairedMs) : undefined;
  // A mark that is not ours may look right. What a repetition of the event would write again is there already.
  const isForgotten = isDeepStrictEqual(historyIn(last?.data), historyIn(document.data()));
  const isWritten = last && name !== undefined && !(repairedMs !== undefined && isForgotten);
  if (!mends) return { problem: undefined, inShards: false };
  const fields = isWritten ? { ...completed?.fields } : completed?.fields;
  const { draft, changed, problem } = bringIntoLine(players, key, document, fields, last);
  if (draft !== undefined) players.write(draft);
  const isMarked = changed || (name !== undefined && !wasCorrected);
  return { problem, inShards: isMarked && isLast(write, document) };
}

/** Whether a document is as an event's write has left it. Pure. */
function isLast({ path, after }: Handled, { updateTime }: DocumentSnapshot): boolean {
  const written = after && versionName(path, after.updateTime);
  return written === (updateTime && versionName(path, updateTime));
}

/**
 * What the mark takes its history from after a direct write: from the version before, if that write is the last one. If
 * it is not, and has changed the mark, nobody knows, as there are versions that this event does not have. After a repair
 * the marks are the truth, but one that the write has copied is so from the repair's time on. Of a write that took the mark
 * away, the mark after it said so itself.
 */
function lastMarked(
  write: Handled,
  document: DocumentSnapshot,
  repairedMs: number | undefined,
): LastMarked | undefined {
  const { name, before, after, mayForget, calendar } = write;
  // Who was deleted begins anew, whoever did it.
  if (!mayForget || !document.exists || after === undefined) return undefined;
  if (repairedMs === undefined || calendar === undefined) {
    if (isLast(write, document)) return { data: before?.data };
    return name === undefined ? undefined : unmarked;
  }
  if (!hasMark(after.data)) return undefined;
  const data = document.data();
  const known = isLast(write, document)
    ? nextHistory(before?.data, countedIn(after.data), { atMs: repairedMs, calendar })
    : unknownUntil(historyIn(data), repairedMs, calendar);
  return { data: { ...data, counted: { ...(data?.["counted"] as object | undefined), before: known } } };
}

/** Contents with a score and no mark: nobody knows what was counted. */
const unmarked: LastMarked = { data: { score: 0 } };

/**
 * Whether a write came after a time. When a document was deleted no version says: if the one that was destroyed is
 * newer, the deletion is too; else the document is read as of that time, and if that version was there, it was deleted
 * later. After an hour Firestore does not keep that time any more, and the event's own time says it.
 * @param now the database's time.
 * Cost: nothing, or 1 read.
 */
async function isAfter(
  { db }: Services,
  { path, before, after, atMs }: Handled,
  time: Timestamp,
  now: Timestamp,
): Promise<boolean> {
  const isLater = (one: Pick<Timestamp, "seconds" | "nanoseconds">) =>
    one.seconds === time.seconds ? one.nanoseconds > time.nanoseconds : one.seconds > time.seconds;
  if (after !== undefined) return isLater(after.updateTime);
  if (before === undefined || isLater(before.updateTime)) return true;
  if (now.toMillis() - time.toMillis() > readTimeKeptMs) return atMs > time.toMillis();
  const { updateTime } = await asOf(db, time, (transaction) => transaction.get(db.doc(path)));
  return updateTime !== undefined && versionName(path, updateTime) === versionName(path, before.updateTime);
}
