/** Where the counts of the simulated board come from. */
import { leaderboardPath, type SeasonKey } from "../../functions/src/documents/paths.ts";
import type { Store } from "../memory/store.ts";

/** The board's source, as its definition says now. */
export function sourceOf(store: Store, { leaderboard }: SeasonKey): unknown {
  return store.get(leaderboardPath(leaderboard))?.data["source"];
}
