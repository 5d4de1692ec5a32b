/** The source of the simulated board's counts. */
import {
  leaderboardPath,
  pagePath,
  type SeasonKey,
  seasonPath,
} from "../../functions/src/documents/paths.ts";
import type { Store } from "../memory/store.ts";

/** The board's source, according to its current definition. */
export function sourceOf(store: Store, { leaderboard }: SeasonKey): unknown {
  return store.get(leaderboardPath(leaderboard))?.data["source"];
}

/** Whether the index may lack changes: the board is counted, or has been since the last full rebuild. */
export function isIndexLeft(store: Store, key: SeasonKey): boolean {
  const season = store.get(seasonPath(key))?.data;
  const page = store.get(pagePath(key, 0))?.data;
  return (
    sourceOf(store, key) === "count" || page?.["source"] === "count" || "left_to_counts_at" in (season ?? {})
  );
}
