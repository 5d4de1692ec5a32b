/**
 * Where the search for pending shards begins. Without a bound it would read past the index entries of thousands of
 * deleted documents.
 *
 * What bounds a search must come from the snapshot of the pages that the changes are added to. A bound in memory may be
 * from before a repair, which has subtracted all shards, or from before a restore from a backup: whatever is pending
 * before it would then be left out, and the ranks below would be wrong. So memory may only make a search longer.
 */
import type { Timestamp } from "../documents/firestore.ts";
import type { Page } from "../documents/page.ts";
import { stragglerGenerations } from "../model/limits.ts";

/**
 * Where to search after a generation: where it ended, as no change can have been added to an older slot since. Now and
 * then it is the very beginning (null), in case there is something that Firerank did not write. Pure.
 */
export function shardsFromOf(generation: number, from: Timestamp | null | undefined): Timestamp | null {
  return generation % stragglerGenerations === 0 ? null : (from ?? null);
}

/** The earlier of what page 0 says, or the very beginning without it, and what the caller remembers. Pure. */
export function searchFrom(
  page: Pick<Page, "generation" | "shards_from"> | undefined,
  remembered: Timestamp | null,
): Timestamp | null {
  if (page === undefined || remembered === null) return null;
  const published = shardsFromOf(page.generation, page.shards_from);
  return published === null || published < remembered ? published : remembered;
}
