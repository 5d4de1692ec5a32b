/** `closeSeason`: ends a custom season. */
import { z } from "zod";
import { FieldValue, Timestamp } from "../documents/firestore.ts";
import { type SeasonKey, seasonPath } from "../documents/paths.ts";
import { type Season, readSeason } from "../documents/season.ts";
import { type SeasonAnswered, seasonAnsweredSchema } from "../model/answers.ts";
import { FirerankError, invalidField } from "../model/errors.ts";
import { leaderboardId, seasonId } from "../model/ids.ts";
import { endMs } from "../seasons/open-now.ts";
import { seasonShown } from "./shared/season-asked.ts";
import type { Services } from "../world/services.ts";
import type { OperationSpec } from "./shared/spec.ts";
import { boardCacheOf } from "../seasons/board.ts";

const closeSeasonRequest = z.strictObject({ leaderboard: leaderboardId, season: seasonId });

/** For commits of instances that remember the season as open. */
const closeMarginMs = 5_000;

/**
 * Ends a custom season; one that ends sooner, or has ended, is returned as it is. Instances may remember it as open, so
 * it takes scores for a minute and five seconds more, until `closes_at`. Then it is closed in steps. If the commit
 * takes longer than the five seconds, the end moves to a minute after it.
 *
 * Cost: 1 read, 1 write; of a commit that took too long, both again.
 * @throws `season_not_found`; `invalid_request` for a season of a span, which its calendar closes
 */
export const closeSeasonSpec: OperationSpec<typeof closeSeasonRequest, SeasonAnswered> = {
  name: "closeSeason",
  request: closeSeasonRequest,
  answer: seasonAnsweredSchema,
  async handle(services, key) {
    const { now } = services;
    const boards = boardCacheOf(services);
    const begunMs = now();
    const told = await end(services, key);
    const isLate = now() - begunMs > closeMarginMs;
    const season = isLate ? await end(services, key) : told;
    boards.forgetSeason(key);
    return { leaderboard: key.leaderboard, ...seasonShown(key.season, season, now()) };
  },
};

/** Sets the end, or moves one that was told too late to where every instance knows it. @returns the season as it is then. */
async function end({ db, now, boardCacheMs }: Services, key: SeasonKey): Promise<Season> {
  const ref = db.doc(seasonPath(key));
  return db.runTransaction(async (transaction) => {
    const found = await transaction.get(ref);
    const stored = found.exists ? readSeason(found.data()) : undefined;
    if (stored === undefined || stored.status === "deleting") {
      const message = `Leaderboard "${key.leaderboard}" has no season "${key.season}". listSeasons has all of them.`;
      throw new FirerankError("season_not_found", message);
    }
    if (stored.span !== "custom") {
      const ends = stored.span === "all_time" ? "never ends" : "is closed by its calendar";
      const message = `"${key.season}" ${ends}; only a season that openSeason opened is closed by hand`;
      throw invalidField("season", message);
    }
    const soonestMs = now() + boardCacheMs + closeMarginMs;
    const before = stored.closes_at?.toMillis() ?? Infinity;
    const isTold = stored.end_told_at !== undefined && before <= soonestMs;
    const closesMs = isTold ? endMs(stored, boardCacheMs) : soonestMs;
    const stays = closesMs === undefined || (isTold ? before === closesMs : before <= closesMs);
    if (stored.status !== "open" || stays) return stored;
    const closesAt = Timestamp.fromMillis(closesMs);
    const change = { closes_at: closesAt, end_due_at: closesAt };
    transaction.update(ref, { ...change, ...(isTold ? {} : { end_told_at: FieldValue.serverTimestamp() }) });
    return { ...stored, ...change };
  });
}
