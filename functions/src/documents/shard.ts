/** A shard document: changes of one slot that one process has counted, as players at each score. */
import { z } from "zod";
import { fieldToMark, type MarkCounted } from "../model/segments.ts";
import { Timestamp } from "./firestore.ts";

/** A sum of changes; anything but a number counts as 0. */
const sum = z.number().catch(0);

export const storedShard = z.object({
  slot_ends_at: z.instanceof(Timestamp),
  /** Players more or fewer for each mark, which is a field name (see `markToField`). Entries are checked one by one. */
  player_count: z
    .custom<Record<string, unknown>>((value) => typeof value === "object" && value !== null)
    // What is no map is one entry that cannot be read.
    .catch(({ value }) => (value === undefined ? {} : { "": value })),
  unusable: sum,
  /** Players of whom something else is counted: how many changes the sums are of. */
  marks: sum,
});

/** What writers of a shard document set. A sum of 0 is left out. */
export type ShardFields = Pick<Shard, "slot_ends_at"> & Partial<Shard>;
type Shard = z.infer<typeof storedShard>;

/** Whether a document among the shards is one: another, which somebody else has put there, is passed by. */
export function isShard(data: Record<string, unknown>): boolean {
  return storedShard.safeParse(data).success;
}

/** What {@link readShard} finds in a shard document. */
export type ShardContent = ReturnType<typeof readShard>;

/** A change of the index: `delta` players more, or fewer, have a mark, whose key is `field`. */
export interface MarkChange {
  field: string;
  mark: MarkCounted;
  delta: number;
}

/**
 * Reads a shard document. `changes`: players more or fewer of each mark. `unreadable`: entries ignored, whose key is
 * no mark or whose count no whole number. @throws ZodError where it has no slot.
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
