/** A shard document: changes of the players at each score, of one slot, that no generation has yet. */
import { z } from "zod";
import { fieldToScore } from "../model/score.ts";
import { Timestamp } from "./firestore.ts";

/** A sum of changes; what is no number counts as none. */
const sum = z.number().catch(0);

const storedShard = z.object({
  slot_ends_at: z.instanceof(Timestamp),
  /** Players more or fewer, by the score as a field's name (see `scoreToField`). Its entries are checked one by one. */
  player_count: z
    .custom<Record<string, unknown>>((value) => typeof value === "object" && value !== null)
    .default({}),
  /** Players' documents that cannot be ranked. */
  unusable: sum,
  /** Transactions that wrote to it; nothing where no trigger did. */
  writes: z.number().optional().catch(undefined),
  /** Attempts of these beyond the first of each. */
  retries: sum,
});

/** What whoever writes a shard document sets; a sum of none is left out. */
export type ShardFields = Pick<Shard, "slot_ends_at"> & Partial<Shard>;
type Shard = z.infer<typeof storedShard>;

/** A shard document as it is read. */
export interface ReadShard {
  slotEndMs: number;
  /** How many players each score has more or fewer. */
  changes: (readonly [score: number, delta: number])[];
  /** Keys that are no score, or counts that are no whole number; passed over. */
  unreadable: number;
  unusable: number;
  writes: number | undefined;
  retries: number;
}

/** Reads a shard document. @throws ZodError where it says no slot. */
export function readShard(data: Record<string, unknown>): ReadShard {
  const { slot_ends_at: slotEndsAt, player_count: counts, ...sums } = storedShard.parse(data);
  const changes: ReadShard["changes"] = [];
  let unreadable = 0;
  for (const [field, delta] of Object.entries(counts)) {
    const score = fieldToScore(field);
    if (score === undefined || !Number.isSafeInteger(delta)) unreadable += 1;
    else if (delta !== 0) changes.push([score, delta as number]);
  }
  return { slotEndMs: slotEndsAt.toMillis(), changes, unreadable, ...sums, writes: sums.writes };
}
