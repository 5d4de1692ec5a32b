/**
 * A shard document: the changes of one slot that one process has counted, as numbers of players for each mark. Each commit
 * that changes marks adds to one (counting/commit-players.ts). Runs and live ranks read shard documents; the run that
 * folds one deletes it (ranking/publish.ts).
 */
import { z } from "zod";
import { fieldToMark, type MarkCounted } from "../model/segments.ts";
import { Timestamp } from "./firestore.ts";

/** A sum of changes; anything but a number counts as 0. */
const sum = z.number().catch(0);

export const storedShard = z.object({
  slot_ends_at: z.instanceof(Timestamp),
  /**
   * By how many the players of each mark grew or shrank; the key is the mark (see `markToField`). Entries are checked
   * one by one.
   */
  player_count: z
    .custom<Record<string, unknown>>((value) => typeof value === "object" && value !== null)
    // A value that is no map counts as one unreadable entry.
    .catch(({ value }) => (value === undefined ? {} : { "": value })),
  unusable: sum,
  /** How many changes of marks this document sums up. */
  marks: sum,
});

/** The fields that writers of a shard document set. A sum of 0 is left out. */
export type ShardFields = Pick<Shard, "slot_ends_at"> & Partial<Shard>;
type Shard = z.infer<typeof storedShard>;

/** Whether a document among the shards is a shard document. A document that somebody else put there is ignored. */
export function isShard(data: Record<string, unknown>): boolean {
  return storedShard.safeParse(data).success;
}

/** The content of a shard document, see {@link readShard}. */
export type ShardContent = ReturnType<typeof readShard>;

/** A change of the index: `delta` more players have the mark whose key is `field`; below 0, fewer players. */
export interface MarkChange {
  field: string;
  mark: MarkCounted;
  delta: number;
}

/**
 * Reads a shard document. `changes`: by how many the players of each mark grew or shrank. `unreadable`: how many
 * entries were ignored, as their key is no mark or their count no whole number. @throws ZodError if the document has no
 * slot.
 */
export function readShard(data: Record<string, unknown>) {
  const { slot_ends_at: slotEndsAt, player_count: counts, ...sums } = storedShard.parse(data);
  const changes: MarkChange[] = [];
  let unreadable = 0;
  for (const [field, delta] of Object.entries(counts)) {
    const mark = fieldToMark(field);
    if (mark === undefined || !Number.isSafeInteger(delta)) unreadable += 1;
    else if (delta !== 0) changes.push({ field, mark, delta: delta as number });
  }
  return { slotEndMs: slotEndsAt.toMillis(), changes, unreadable, ...sums };
}
