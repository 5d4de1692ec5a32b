/** The source of the simulated board's counts. */
import { leaderboardPath, type SeasonKey } from "../../functions/src/documents/paths.ts";
import type { Store } from "../memory/store.ts";

/** The board's source, according to its current definition. */
export function sourceOf(store: Store, { leaderboard }: SeasonKey): unknown {
  return store.get(leaderboardPath(leaderboard))?.data["source"];
}
