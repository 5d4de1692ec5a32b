/** `index_entries/{player}`: what the inverted index counts for a player. */
import { z } from "zod";

export const storedIndexEntry = z.object({
  /** Null where the player's score is unusable. */
  score: z.number().nullable(),
  /** Why the score cannot be ranked; only with a null score. */
  unusable: z.string().exactOptional(),
});

export type IndexEntry = z.infer<typeof storedIndexEntry>;

/** Reads an index entry. @throws if the document is not one, which only a hand-made document can cause. */
export function readIndexEntry(data: Record<string, unknown> | undefined): IndexEntry | undefined {
  return data === undefined ? undefined : storedIndexEntry.parse(data);
}
