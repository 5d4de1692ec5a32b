/** Records of a file in batches: a player is at most once in a batch, and never in two batches at a time. */
import type { PlayerRecord } from "../records/player-record.ts";

/** A record with its 0-based number among the file's records with a value, valid or not. */
export interface NumberedRecord {
  index: number;
  record: PlayerRecord;
}

export interface Batch {
  /** By player, the last record of each. */
  records: Map<string, NumberedRecord>;
  /** The number of such records up to and including this batch. */
  upTo: number;
  /** Must be called when the batch is written, or has failed. */
  end(): void;
}

/**
 * Makes batches of records, which may then be written in parallel. If a player comes a second time, the earlier batch
 * ends before the later one begins, so a player's last line always wins. Memory: the players of the unfinished batches.
 */
export async function* batchesOf(
  records: AsyncIterable<NumberedRecord>,
  size: number,
): AsyncGenerator<Batch, undefined> {
  const underWay = new Map<string, Promise<void>>();
  let batch = new Map<string, NumberedRecord>();
  let upTo = 0;

  function close(): Batch {
    const closed = batch;
    batch = new Map();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    for (const player of closed.keys()) underWay.set(player, promise);
    const end = () => {
      for (const player of closed.keys()) underWay.delete(player);
      resolve(undefined);
    };
    return { records: closed, upTo, end };
  }

  for await (const numbered of records) {
    const { player } = numbered.record;
    await underWay.get(player);
    batch.set(player, numbered);
    upTo = numbered.index + 1;
    if (batch.size === size) yield close();
  }
  if (batch.size > 0) yield close();
  return undefined;
}
