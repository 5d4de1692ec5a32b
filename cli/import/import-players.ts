/**
 * Writes players from records to the database, 200 a transaction, several transactions in parallel.
 *
 * A transaction writes the players' documents and counts them, so the trigger finds nothing to do. The documents decide
 * everything, so repeating a part changes nothing: an import may be killed at any moment and repeated from an earlier
 * point. The top is renewed once, at the end.
 */
import { Timestamp } from "../../functions/src/documents/firestore.ts";
import type { SeasonKey } from "../../functions/src/documents/paths.ts";
import { countPlayers } from "../../functions/src/counting/count-players.ts";
import { playersPerCountMax } from "../../functions/src/model/limits.ts";
import type { Services } from "../../functions/src/operations/services.ts";
import { renewTop } from "../../functions/src/top/renew.ts";
import { asRetryable } from "../../functions/src/world/retryable.ts";
import { tryAgain, type TryAgainOptions } from "../../functions/src/world/try-again.ts";
import { type Batch, batchesOf, type NumberedRecord } from "./batches.ts";
import { mergePlayer } from "./merge-player.ts";
import type { Ramp } from "./ramp.ts";
import { createWatermark } from "./watermark.ts";

/** Transactions at the same time: enough to keep an emulator busy, few enough to hold little memory. */
const importLanes = 8;

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
 * Cost: 1 read a player, 1 write for each whose document changes, and 1 to a shard document for each 200 players; for
 * the top {@link renewTop}.
 * @throws the last error of a transaction; everything up to the last reported progress is imported.
 */
export async function importPlayers(services: Services, work: ImportWork): Promise<Imported> {
  const batches = batchesOf(work.records, playersPerCountMax);
  const mark = createWatermark(work.from);
  const imported: Imported = { written: 0, unchanged: 0 };
  let failure: { error: unknown } | undefined;

  async function runLane(): Promise<void> {
    while (failure === undefined) {
      // Lanes take turns: a generator handles its calls one by one.
      const { value: batch } = await batches.next();
      if (batch === undefined) return;
      const piece = mark.begin(batch.upTo);
      try {
        await work.ramp(batch.records.size);
        const written = await writeBatch(services, work, batch);
        imported.written += written;
        imported.unchanged += batch.records.size - written;
        piece.end();
        work.onProgress(mark.reached());
      } finally {
        batch.end();
      }
    }
  }

  const lanes = Array.from({ length: importLanes }, () =>
    runLane().catch((error: unknown) => {
      failure ??= { error };
    }),
  );
  await Promise.all(lanes);
  if (failure !== undefined) throw failure.error;
  if (imported.written > 0)
    await tryAgain(services, async () => renewTop(services, await services.boards.load(work.key)), patience);
  return imported;
}

/** A killed import leaves locks for up to a minute. */
const patience: TryAgainOptions = {
  mayPass: (error) => asRetryable(error, "") !== undefined,
  firstWaitMs: 500,
};

async function writeBatch(
  services: Services,
  { key, startedMs }: ImportWork,
  { records }: Batch,
): Promise<number> {
  const rewrite = (player: string, data: Record<string, unknown> | undefined) => {
    const found = records.get(player);
    return found === undefined ? undefined : mergePlayer(data, found.record, timeOf(startedMs, found.index));
  };
  const { rewritten } = await tryAgain(
    services,
    () => countPlayers(services, key, [...records.keys()], { rewrite }),
    patience,
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
