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
 *    the event was.
 *
 * A repair takes the marks as they are at one time T. So corrections wait while one is under way, and a write up to T
 * corrects nothing more (documents/repair-note.ts).
 */
import type { DocumentSnapshot, Timestamp } from "../documents/firestore.ts";
import { countedIn, isOurs, type Version, versionName } from "../documents/mark.ts";
import { playerPath, receiptPath, repairNotePath, type SeasonKey, seasonPath } from "../documents/paths.ts";
import { writtenSize } from "../documents/player.ts";
import { readRepairNote } from "../documents/repair-note.ts";
import { readSeason } from "../documents/season.ts";
import { FirerankError } from "../model/errors.ts";
import { playersBytesPerCommitMax, readTimeKeptMs, transactionMsMax } from "../model/limits.ts";
import { boardIfAny } from "../seasons/board.ts";
import { isEnded } from "../seasons/open-now.ts";
import { recentStretch } from "../seasons/stretch.ts";
import type { TopServices } from "../top/gate-memory.ts";
import { keepTopLive } from "../top/keep-live.ts";
import {
  type CountingServices,
  commitPlayers,
  type PlayersTransaction,
  writeReceipt,
} from "./commit-players.ts";
import { boardOf, bringIntoLine, isInLine } from "./count-players.ts";
import { type Attempt, createLanes, type Lanes, type PlayerJob } from "./lanes.ts";

/** A write of a player's document: its versions before and after, undefined where there was none. */
export interface PlayerWrite {
  before: Version | undefined;
  after: Version | undefined;
  /** When its event says that it happened, in milliseconds since 1970. */
  atMs: number;
}

/** A foreign write that changed marks, or left a document that is not counted as it asks for. */
interface FollowJob extends PlayerJob, PlayerWrite {}

/** What became of it. */
interface Followed {
  /** Why the document cannot be ranked, where that is new. */
  problem?: string | undefined;
  /** Whether it has to come again, after the repair that is under way. */
  waits?: boolean;
}

export type FollowLanes = Lanes<SeasonKey, FollowJob, Followed>;

/** The world with the events that wait in this process. */
export interface FollowServices extends CountingServices, TopServices {
  follows: FollowLanes;
}

/** The lanes of a process: events of a season share commits, as a million direct writes must not meet in one document. */
export function createFollowLanes(services: CountingServices): FollowLanes {
  return createLanes<SeasonKey, FollowJob, Followed>({
    ...services,
    keyOf: seasonPath,
    documentsOf: () => 1,
    perPlayerMax: 1,
    commit: (key, jobs, attempt) => commitFollowed(services, key, jobs, attempt),
    tooMany: ({ player }) => new Error(`too many events of player ${player} wait; this one comes again`),
  });
}

/**
 * Handles one event. An event of a season that has ended or was deleted changes nothing, however late it arrives.
 *
 * @param write as its event has it. Its times may be of another copy of the client library.
 *
 * Cost: nothing for a write of ours, and for a foreign one that concerns neither index nor top. Else 2 reads a minute
 * for the board; 1 read for the player, 2 for the receipt and the note of a repair where a mark was changed; up to 3
 * writes: the player, the receipt, the shard document, which events that come together share. For the top:
 * {@link keepTopLive}.
 * @throws Firestore's errors; `contention` while a repair is under way. The event then comes again.
 */
export async function followPlayer(
  services: FollowServices,
  key: SeasonKey,
  player: string,
  write: PlayerWrite,
): Promise<void> {
  const { before, after } = write;
  const isOwn = isOurs(playerPath(key, player), before, after, transactionMsMax);
  const changesMarks = countedIn(before?.data) !== countedIn(after?.data);
  const isCounted = after === undefined || isInLine(after.data);
  if (isOwn && isCounted) return;
  if ((changesMarks && !isOwn) || !isCounted) {
    if (await hasEnded(services, key, after === undefined)) return;
    const [followed] = await services.follows.add(key, [{ player, ...write }]);
    if (followed?.status === "rejected") throw followed.reason;
    const { problem, waits = false } = followed?.value ?? {};
    if (waits)
      throw new FirerankError(
        "contention",
        `A repair of ${seasonPath(key)} is under way; the event comes again.`,
      );
    if (problem !== undefined)
      services.log.error(`player ${player} is not ranked: ${problem}`, { ...key, player, problem });
  }
  await keepTopLive(services, key, { before: before?.data, after: after?.data });
}

/**
 * Whether a season takes no more changes: it is closed, being deleted, or gone. A season that is not in memory may have
 * been opened since, or a trusted server's first document is just about to open it.
 */
async function hasEnded(services: FollowServices, key: SeasonKey, isDeletion: boolean): Promise<boolean> {
  const board = await boardIfAny(services, key, () => services.boards.load(key));
  // Whoever deletes a whole board deletes its players: corrections would be left of it, for a board to come.
  if (board === undefined) return isDeletion && !(await services.db.doc(seasonPath(key)).get()).exists;
  if (board.season !== undefined) return isEnded(board.season);
  // The season before the present one is the newest of those that have ended, so it has not been deleted.
  if (recentStretch(key.leaderboard, board, key.season, services.now()) !== undefined) return false;
  const document = await services.db.doc(seasonPath(key)).get();
  return !document.exists || isEnded(readSeason(document.data()));
}

/** One commit for some events of a season. @returns the results of those for which it had room. */
async function commitFollowed(
  services: CountingServices,
  key: SeasonKey,
  jobs: readonly FollowJob[],
  attempt: Attempt,
): Promise<Map<FollowJob, Followed>> {
  const board = await boardOf(services, key);
  const boards = board === undefined ? [] : [board];
  const options = attempt.isShared ? { maxAttempts: 1 } : {};
  return commitPlayers(services, boards, (players) => follow(services, key, players, jobs, attempt), options);
}

async function follow(
  services: CountingServices,
  key: SeasonKey,
  players: PlayersTransaction,
  jobs: readonly FollowJob[],
  attempt: Attempt,
): Promise<Map<FollowJob, Followed>> {
  const { db } = services;
  const names = [...new Set(jobs.map(({ player }) => player))];
  const corrections = correctionsOf(key, jobs);
  const receipts = [...corrections.keys()].map((name) => receiptPath(key, name));
  const paths = [
    ...names.map((player) => playerPath(key, player)),
    ...receipts,
    ...(receipts.length > 0 ? [repairNotePath(key)] : []),
  ];
  const found = await players.getAll(...paths.map((path) => db.doc(path)));
  const documents = fitting(found.splice(0, names.length));
  const fit = new Set(documents.map(({ id }) => id));
  for (const { id, exists } of found.splice(0, receipts.length)) if (exists) corrections.delete(id);
  for (const [name, { player }] of corrections) if (!fit.has(player)) corrections.delete(name);
  const [note] = found;
  const waiting = note === undefined ? [] : await correct(services, key, players, corrections, note);
  if (attempt.isOver()) throw new Error("the batch was given up");
  const results = new Map<string, Followed>(waiting.map(({ player }) => [player, { waits: true }]));
  for (const document of documents) {
    if (results.has(document.id)) continue;
    const { changed, problem } = bringIntoLine(players, key, document);
    results.set(document.id, { problem: changed ? problem : undefined });
  }
  return new Map(
    jobs.filter(({ player }) => fit.has(player)).map((job) => [job, results.get(job.player) ?? {}]),
  );
}

/** The first documents, as many as fit a commit; a trusted server's may have a megabyte each. Pure. */
function fitting(documents: readonly DocumentSnapshot[]): DocumentSnapshot[] {
  let bytes = 0;
  return documents.filter((document, i) => {
    bytes += 2 * writtenSize(document.ref.path, document.data() ?? {});
    return i === 0 || bytes <= playersBytesPerCommitMax;
  });
}

/** The foreign writes that changed a mark, each once, by the name of its receipt. Pure. */
function correctionsOf(key: SeasonKey, jobs: readonly FollowJob[]): Map<string, FollowJob> {
  const corrections = new Map<string, FollowJob>();
  for (const job of jobs) {
    const { player, before, after } = job;
    const path = playerPath(key, player);
    if (isOurs(path, before, after, transactionMsMax)) continue;
    if (countedIn(before?.data) === countedIn(after?.data)) continue;
    const name =
      after !== undefined
        ? `written-${versionName(path, after.updateTime)}`
        : before !== undefined
          ? `destroyed-${versionName(path, before.updateTime)}`
          : undefined;
    if (name !== undefined) corrections.set(name, job);
  }
  return corrections;
}

/**
 * Corrects the index, each write under its receipt.
 * @returns those that have to wait for a repair.
 */
async function correct(
  services: CountingServices,
  key: SeasonKey,
  players: PlayersTransaction,
  corrections: ReadonlyMap<string, FollowJob>,
  note: DocumentSnapshot,
): Promise<FollowJob[]> {
  if (corrections.size === 0) return [];
  const { holder, stands_until: until, repaired_at: repairedAt } = readRepairNote(note.data());
  const isUnderWay = holder !== null && until !== null;
  if (isUnderWay && services.now() < until.toMillis()) return [...corrections.values()];
  const others: [name: string, job: FollowJob][] = [];
  for (const [name, job] of corrections)
    if (repairedAt === null || (await isAfter(services, key, job, repairedAt, note.readTime)))
      others.push([name, job]);
  if (isUnderWay) players.transaction.update(note.ref, { holder: null, stands_until: null });
  for (const [name, { before, after }] of others) {
    players.correct(key, note.readTime, countedIn(before?.data), countedIn(after?.data));
    writeReceipt(services, players.transaction, key, name);
  }
  return [];
}

/**
 * Whether a write came after a time. When a document was deleted no version says: if the one that was destroyed is
 * newer, the deletion is too; else the document is read as of that time, and if that version was there, it was deleted
 * later. After an hour Firestore does not keep that time any more, and the event's own time says it.
 * @param now the database's time.
 * Cost: nothing, or 1 read.
 */
async function isAfter(
  { db }: CountingServices,
  key: SeasonKey,
  { player, before, after, atMs }: FollowJob,
  time: Timestamp,
  now: Timestamp,
): Promise<boolean> {
  const isLater = (one: Pick<Timestamp, "seconds" | "nanoseconds">) =>
    one.seconds === time.seconds ? one.nanoseconds > time.nanoseconds : one.seconds > time.seconds;
  if (after !== undefined) return isLater(after.updateTime);
  if (before === undefined || isLater(before.updateTime)) return true;
  if (now.toMillis() - time.toMillis() > readTimeKeptMs) return atMs > time.toMillis();
  const path = playerPath(key, player);
  const then = await db.runTransaction((transaction) => transaction.get(db.doc(path)), {
    readOnly: true,
    readTime: time,
  });
  const { updateTime } = then;
  return updateTime !== undefined && versionName(path, updateTime) === versionName(path, before.updateTime);
}
