/**
 * Players from records into the database, 200 a transaction, several transactions at once.
 *
 * A transaction writes the players' documents and indexes them, so that there is no moment in which they are there and
 * not counted, and the triggers that they set off find nothing to do. Everything is decided by what the documents
 * say, so doing a part again changes nothing: an import may be killed at any moment and done again from before
 * that.
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
  /** Records that need not be looked at again. */
  from: number;
  /** When the import began: the time of scores that come without one, a microsecond later for each record. */
  startedMs: number;
  ramp: Ramp;
  /** Told after each transaction up to where all records are in. */
  onProgress: (reached: number) => void;
}

/** What an import did. */
export interface Imported {
  /** Players whose document was written. */
  written: number;
  /** Players whose document said the same already. */
  unchanged: number;
}

/**
 * Imports records into an open season.
 *
 * Cost: 2 reads a player, 2 writes for each whose document and score change, and 1 to a shard document for each 200
 * players; up to 15 of these share a document. On boards of the source `count` 1 write.
 * @throws what a transaction failed with at last; everything up to the last reported progress is in.
 */
export async function importPlayers(services: Services, work: ImportWork): Promise<Imported> {
  const batches = batchesOf(work.records, playersPerIndexingMax);
  const mark = createWatermark(work.from);
  const imported: Imported = { written: 0, unchanged: 0 };
  let failure: { error: unknown } | undefined;

  async function runLane(lane: number): Promise<void> {
    for (let count = 0; failure === undefined; count++) {
      // Lanes take turns: a generator answers its calls one after the other.
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
 * The shard of a lane's batch. Lanes do not share documents, as one document takes about one write a second; a lane
 * begins another before the first is full; and the numbers are beyond those of the triggers.
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

/** The start, a microsecond later for each record: among equals who come without a time, the first in the file was first. */
function timeOf(startedMs: number, index: number): Timestamp {
  const microseconds = startedMs * 1_000 + index;
  return new Timestamp(Math.floor(microseconds / 1e6), (microseconds % 1e6) * 1_000);
}
