/**
 * Writes the standings of a range of players, in the total order as of one read time, into one document for each 1,000.
 * At one read time there is one result, so two tasks may write a range, twice or in parts: each document is created once,
 * and whoever finds it there goes on behind it.
 */
import { type DocumentSnapshot, type Firestore, Timestamp } from "../documents/firestore.ts";
import {
  type ClosingRange,
  closingRangeProgress,
  type ClosingRangeProgress,
} from "../documents/closing-record.ts";
import {
  closingRangePath,
  type SeasonKey,
  standingsMetadataPath,
  standingsPath,
} from "../documents/paths.ts";
import type { Bill } from "../documents/ranking-record.ts";
import { isReadyForTable } from "../counting/count-players.ts";
import { type ListKey, listedPlayers } from "../documents/queries.ts";
import { storedStandings } from "../documents/standings.ts";
import { progressEveryMs, standingsPerDocument } from "../model/limits.ts";
import { getAt, inChunks } from "../documents/reads.ts";
import type { Board } from "../seasons/read-board.ts";
import { isCut, type Packed, packStandings, type Standing, standingFields, standingOf } from "./pack.ts";
import { addBills, noBill } from "../world/meter.ts";
import { grpc, grpcCode } from "../world/retryable.ts";
import type { Services } from "../world/services.ts";

/** A range of the record of a closing, and its index there. */
export interface RangeToWrite extends ClosingRange {
  index: number;
  pass: number;
  readAt: Timestamp;
  /** Whether the closing completes documents first, where some are incomplete; else they are written as they are. */
  mayComplete: boolean;
}

interface WriteOptions {
  /** Whether the rest is left to the next step. */
  isOver: () => boolean;
  documentsPerRead?: number;
  /** What a task of the range has been billed so far. */
  spent?: () => Bill;
  onProgress?: (progress: ClosingRangeProgress) => Promise<void>;
}

/**
 * One step of a range, until all its players are written or the time is over. Cost: 1 read to take it up, 1 a player
 * and 1 more in all; 1 write for each 1,000 players and 1 where some have metadata; 1 in ten seconds. Memory: the
 * names and metadata of two chunks of players.
 */
export async function writeRange(
  services: Services,
  board: Pick<Board, "key" | "definition">,
  range: RangeToWrite,
  { isOver, documentsPerRead = standingsPerDocument, spent, onProgress }: WriteOptions,
): Promise<ClosingRangeProgress> {
  const { db, now } = services;
  const { key } = board;
  const startedMs = now();
  const ref = db.doc(closingRangePath(key, range.index));
  const found = await ref.get();
  const begun = progressIn(found, range.pass);
  let progress = begun;
  let toldMs = now();
  async function report(change: Partial<ClosingRangeProgress>, isStopping: boolean): Promise<void> {
    // A task that stops leaves the range free at once: the next task need not wait.
    progress = { ...progress, ...change, told_at: Timestamp.fromMillis(isStopping ? 0 : now()) };
    if (!isStopping && now() - toldMs < progressEveryMs) return;
    toldMs = now();
    // Including the write itself, where there is a bill.
    const own = spent && {
      billed: addBills(begun.billed, addBills(spent(), { writes: 1 })),
      worked_ms: begun.worked_ms + now() - startedMs,
    };
    await ref.set({ ...progress, ...own });
  }
  const after = await keyBefore(db, key, range.first, begun.documents);
  const chunks = chunksOfRange(db, board, range, after, documentsPerRead);
  let waiting: Standing[] = [];
  for (;;) {
    while (waiting.length < standingsPerDocument) {
      const { value: chunk } = await chunks.next();
      if (chunk === undefined) break;
      if (range.mayComplete && chunk.some((found) => !isReadyForTable(found.data(), board.definition))) {
        await report({ ended: true, is_incomplete: true }, true);
        return progress;
      }
      waiting = waiting.concat(standingsOf(services, key, chunk));
    }
    if (waiting.length === 0) break;
    const packed = packStandings(waiting);
    await createDocument(db, key, range.first + progress.documents, packed);
    const count = packed.standings.players.length;
    waiting = waiting.slice(count);
    const isLast = isOver();
    await report({ documents: progress.documents + 1, players: progress.players + count }, isLast);
    await onProgress?.(progress);
    if (isLast) return progress;
  }
  await report({ ended: true }, true);
  return progress;
}

/** The progress of a pass as a document has it; without one nothing is written, and nobody is at it. */
export function progressIn(found: DocumentSnapshot, pass: number): ClosingRangeProgress {
  const { data: progress } = closingRangeProgress.safeParse(found.data());
  if (progress?.pass === pass) return progress;
  const told_at = Timestamp.fromMillis(0);
  return { pass, documents: 0, players: 0, ended: false, told_at, billed: noBill(), worked_ms: 0 };
}

async function keyBefore(
  db: Firestore,
  key: SeasonKey,
  first: number,
  documents: number,
): Promise<ListKey | undefined> {
  if (documents === 0) return undefined;
  const found = await db.doc(standingsPath(key, first + documents - 1)).get();
  const { players, scores, achieved_at: times } = storedStandings.parse(found.data());
  return [scores.at(-1) ?? NaN, times.at(-1), players.at(-1) ?? ""];
}

/** The players of a range after a place, in chunks. The next one is read while one is written. */
async function* chunksOfRange(
  db: Firestore,
  { key, definition }: Pick<Board, "key" | "definition">,
  { from, before, readAt }: RangeToWrite,
  after: ListKey | undefined,
  playersPerRead: number,
): AsyncGenerator<readonly DocumentSnapshot[], undefined> {
  const ends = before && { before: before as unknown as ListKey };
  const begins = from && { from: from as unknown as ListKey };
  const stretch = { ...(after === undefined ? begins : { after }), ...ends };
  const query = listedPlayers(db, key, definition, stretch).select(...standingFields);
  const chunks = inChunks(query, playersPerRead, (some) => getAt(db, readAt, some));
  let reading = chunks.next();
  for (;;) {
    const { value: documents } = await reading;
    if (documents === undefined) return undefined;
    reading = chunks.next();
    // The read starts before it is awaited: a failure is reported where it is awaited.
    reading.catch(() => undefined);
    yield documents;
  }
}

/** What the standings show of some players; where that is less than their documents hold, the log says so. */
function standingsOf({ log }: Services, key: SeasonKey, documents: readonly DocumentSnapshot[]): Standing[] {
  let cut = 0;
  const standings = documents.flatMap((document) => {
    const data = document.data();
    const standing = standingOf(document.id, data, {});
    if (standing !== undefined && isCut(standing, data)) cut += 1;
    return standing ?? [];
  });
  if (cut > 0)
    log.warn("names or metadata are too long for the standings and were cut", { ...key, players: cut });
  return standings;
}

/** Creates a document of the standings. If it is there already, another task has written it from the same players. */
async function createDocument(
  db: Firestore,
  key: SeasonKey,
  n: number,
  { standings, metadata }: Packed,
): Promise<void> {
  const batch = db.batch();
  batch.create(db.doc(standingsPath(key, n)), standings);
  if (metadata !== undefined) batch.set(db.doc(standingsMetadataPath(key, n)), metadata);
  await batch.commit().catch((error: unknown) => {
    if (grpcCode(error) !== grpc.alreadyExists) throw error;
  });
}
