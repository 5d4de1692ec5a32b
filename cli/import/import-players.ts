/**
 * Writes players from records to the database, 200 a transaction, several transactions in parallel.
 *
 * A transaction writes the players' documents and indexes them, so players are counted as soon as they exist, and their
 * triggers find nothing to do. The documents decide everything, so repeating a part changes nothing: an import may be
 * killed at any moment and repeated from an earlier point.
 */
import { Timestamp } from "../../functions/src/documents/firestore.ts";
import type { SeasonKey } from "../../functions/src/documents/paths.ts";
import { indexPlayers } from "../../functions/src/indexing/index-players.ts";
import {
  importBatchesPerShard,
  importLanes,
  playersPerIndexingMax,
  shardsMax,
} from "../../functions/src/model/limits.ts";
import type { Services } from "../../functions/src/operations/services.ts";
import { asRetryable } from "../../functions/src/world/retryable.ts";
import { tryAgain } from "../../functions/src/world/try-again.ts";
import { type Batch, batchesOf, type NumberedRecord } from "./batches.ts";
import { mergePlayer } from "./merge-player.ts";
import type { Ramp } from "./ramp.ts";
import { createWatermark } from "./watermark.ts";

export interface ImportWork {
  key: SeasonKey;
  records: AsyncIterable<NumberedRecord>;
  /** The number of records to skip. */
  from: number;
  /** When the import began: scores without a time get this time, a microsecond later for each record. */
  startedMs: number;
  ramp: Ramp;
  /** Called after each transaction with the number up to which all records are imported. */
  onProgress: (reached: number) => void;
}

/** What an import did. */
export interface Imported {
  /** Players whose document was written. */
  written: number;
  /** Players whose document was already the same. */
  unchanged: number;
}

/**
 * Imports records into an open season.
 *
 * Cost: 2 reads a player, 2 writes for each whose document and score change, and 1 to a shard document for each 200
 * players; up to 15 of these share a document. On boards of the source `count` 1 write.
 * @throws the last error of a transaction; everything up to the last reported progress is imported.
 */
export async function importPlayers(services: Services, work: ImportWork): Promise<Imported> {
  const batches = batchesOf(work.records, playersPerIndexingMax);
  const mark = createWatermark(work.from);
  const imported: Imported = { written: 0, unchanged: 0 };
  let failure: { error: unknown } | undefined;

  async function runLane(lane: number): Promise<void> {
    for (let count = 0; failure === undefined; count++) {
      // Lanes take turns: a generator handles its calls one by one.
      const { value: batch } = await batches.next();
      if (batch === undefined) return;
      const piece = mark.begin(batch.upTo);
      try {
        await work.ramp(batch.records.size);
        const written = await writeBatch(services, work, batch, shardOf(lane, count));
        imported.written += written;
        imported.unchanged += batch.records.size - written;
        piece.end();
        work.onProgress(mark.reached());
      } finally {
        batch.end();
      }
    }
  }

  const lanes = Array.from({ length: importLanes }, (_, lane) =>
    runLane(lane).catch((error: unknown) => {
      failure ??= { error };
    }),
  );
  await Promise.all(lanes);
  if (failure !== undefined) throw failure.error;
  return imported;
}

/**
 * The shard of a lane's batch. Lanes do not share documents, as one document takes about one write a second. A lane
 * starts another document before the first is full. The numbers are higher than those of the triggers.
 */
function shardOf(lane: number, count: number): number {
  return 2 * shardsMax + lane + importLanes * Math.floor(count / importBatchesPerShard);
}

async function writeBatch(
  services: Services,
  { key, startedMs }: ImportWork,
  { records }: Batch,
  shard: number,
): Promise<number> {
  const rewrite = (player: string, data: Record<string, unknown> | undefined) => {
    const found = records.get(player);
    return found === undefined ? undefined : mergePlayer(data, found.record, timeOf(startedMs, found.index));
  };
  const { rewritten } = await tryAgain(
    services,
    () => indexPlayers(services, key, [...records.keys()], { rewrite, shard }),
    { mayPass: (error) => asRetryable(error, "") !== undefined, firstWaitMs: 500 },
  );
  return rewritten;
}

/**
 * The start, a microsecond later for each record: among equals without a time, the first in the file counts as first.
 */
function timeOf(startedMs: number, index: number): Timestamp {
  const microseconds = startedMs * 1_000 + index;
  return new Timestamp(Math.floor(microseconds / 1e6), (microseconds % 1e6) * 1_000);
}
