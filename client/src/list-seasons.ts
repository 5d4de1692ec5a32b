/** The seasons of a board. */
import type { Seasons } from "./answers.ts";
import type { CallOptions } from "./call-options.ts";
import { call } from "./call.ts";
import type { Leaderboard } from "./leaderboard.ts";

/** Which seasons. */
export interface SeasonsRequest {
  /** Only the seasons of this span; `custom` for those that an admin opened. By default all. */
  span?: "all_time" | "daily" | "weekly" | "monthly" | "custom" | undefined;
  /** As stored: a season that has just ended stays `open` until its closing begins. */
  status?: "open" | "closing" | "closed" | undefined;
  /** The `next_cursor` of the previous answer. */
  cursor?: string | undefined;
  /** By default 25, at most 100. With 0 the answer has only `running` and `as_of`. */
  limit?: number | undefined;
}

/**
 * The seasons of a board that were opened, the newest first; `running` has the current ones, opened or not. For the
 * final table of a closed season: `getPage({ ...board, season })`.
 *
 * Cost: 1 read a season, at least 1; none with `limit: 0`.
 * @throws FirerankError
 */
export function listSeasons(
  board: Leaderboard,
  request: SeasonsRequest = {},
  options?: CallOptions,
): Promise<Seasons> {
  return call(board, "listSeasons", request, options);
}
