/** `closeSeason`: ends a custom season. */
import { z } from "zod";
import { Timestamp } from "../documents/firestore.ts";
import { seasonPath } from "../documents/paths.ts";
import { type Season, storedSeason } from "../documents/season.ts";
import { type SeasonAnswered, seasonAnsweredSchema } from "../model/answers.ts";
import { FirerankError, invalidRequest } from "../model/errors.ts";
import { leaderboardId, seasonId } from "../model/ids.ts";
import { closeMarginMs } from "../model/limits.ts";
import { seasonShown } from "./season-shown.ts";
import type { OperationSpec } from "./spec.ts";

export const closeSeasonRequest = z.strictObject({ leaderboard: leaderboardId, season: seasonId });

/**
 * Ends a custom season. Instances of the functions may remember it as open for a minute and five seconds, so it takes
 * scores that long, and `closes_at` says until when: all instances end it at the same moment. Then it is closed in
 * steps, and its standings become final. A season that ends sooner, or has ended, is returned as it is.
 *
 * Cost: 1 read, 1 write.
 * @throws `season_not_found`; `invalid_request` for a season of a span, which its calendar closes
 */
export const closeSeasonSpec: OperationSpec<typeof closeSeasonRequest, SeasonAnswered> = {
  name: "closeSeason",
  access: "admin",
  request: closeSeasonRequest,
  answer: seasonAnsweredSchema,
  async handle(services, key) {
    const { db, now, boards, boardCacheMs } = services;
    const ref = db.doc(seasonPath(key));
    const season = await db.runTransaction(async (transaction): Promise<Season> => {
      const found = await transaction.get(ref);
      const stored = found.exists ? storedSeason.parse(found.data()) : undefined;
      if (stored === undefined || stored.status === "deleting") {
        const message = `Leaderboard "${key.leaderboard}" has no season "${key.season}". listSeasons has all of them.`;
        throw new FirerankError("season_not_found", message);
      }
      if (stored.span !== "custom") {
        const message = `"${key.season}" is closed by its calendar; only a season that openSeason opened is closed by hand`;
        throw invalidRequest([{ path: "season", message }]);
      }
      const closesAt = Timestamp.fromMillis(now() + boardCacheMs + closeMarginMs);
      const endsSooner = stored.closes_at !== null && stored.closes_at <= closesAt;
      if (stored.status !== "open" || endsSooner) return stored;
      transaction.update(ref, { closes_at: closesAt, end_due_at: closesAt });
      return { ...stored, closes_at: closesAt, end_due_at: closesAt };
    });
    boards.forget(key.leaderboard);
    return { leaderboard: key.leaderboard, ...seasonShown(key.season, season, now()) };
  },
};
