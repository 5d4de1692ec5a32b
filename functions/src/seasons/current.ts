/** Which season a submission or a question is about. */
import type { SeasonKey } from "../documents/paths.ts";
import { FirerankError } from "../model/errors.ts";

/** The season of each span of a board that is running now. There is one span yet, which has one season. */
export function currentSeasons(leaderboard: string): SeasonKey[] {
  return [{ leaderboard, season: "all_time" }];
}

/**
 * The season that a request names, or by default the current one of the board's first span.
 * @throws `season_not_found`
 */
export function requestedSeason(request: {
  leaderboard: string;
  season?: string | undefined;
  span?: string | undefined;
}): SeasonKey {
  const wanted = request.season ?? request.span ?? "all_time";
  if (wanted !== "all_time") {
    throw new FirerankError(
      "season_not_found",
      `Leaderboard "${request.leaderboard}" has no season "${wanted}"; its only season is "all_time".`,
    );
  }
  return { leaderboard: request.leaderboard, season: wanted };
}
