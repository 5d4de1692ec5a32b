/** `openSeason`: a custom season, such as a tournament. */
import { z } from "zod";
import { type Firestore, Timestamp, type Transaction } from "../documents/firestore.ts";
import {
  leaderboardPath,
  pagesPath,
  playersPath,
  type SeasonKey,
  seasonPath,
  shardsPath,
  standingsCollection,
} from "../documents/paths.ts";
import { byId } from "../documents/queries.ts";
import { newSeason, readSeason } from "../documents/season.ts";
import { type SeasonAnswered, seasonAnsweredSchema } from "../model/answers.ts";
import { readDefinition } from "../model/definition.ts";
import { FirerankError, invalidRequest } from "../model/errors.ts";
import { leaderboardId, seasonId } from "../model/ids.ts";
import { spanOfId } from "../model/season-id.ts";
import { intervalEnd, intervalMs } from "../model/slot.ts";
import { tellOfOpening } from "../seasons/board.ts";
import { seasonShown } from "./season-shown.ts";
import type { Services } from "./services.ts";
import type { OperationSpec } from "./spec.ts";

/** A time with its offset from UTC, to the millisecond. */
const time = z.iso.datetime({
  offset: true,
  message: "must be an ISO 8601 time, such as 2026-11-22T18:00:00Z",
});

export const openSeasonRequest = z.strictObject({
  leaderboard: leaderboardId,
  season: seasonId.refine(
    (id) => spanOfId(id) === "custom",
    'must not be "all_time" nor begin with "daily-", "weekly-" or "monthly-", which name the seasons of spans',
  ),
  opens_at: time.optional().describe("When it starts to take scores; by default now."),
  closes_at: time.optional().describe("When it stops; by default it runs until closeSeason."),
});

/**
 * Opens a custom season, now or at a future time. Several may be open at once, and overlap; `submitScore` names the one
 * it is for. Repeating the same request is no error.
 *
 * Cost: 6 reads, 2 writes with its event; 2 reads where it exists.
 * @throws `leaderboard_not_found`; `invalid_request` for times that have passed or are in the wrong order, for the id of
 * a season with other times, and for one of which documents are left although its own was deleted
 */
export const openSeasonSpec: OperationSpec<typeof openSeasonRequest, SeasonAnswered> = {
  name: "openSeason",
  access: "admin",
  request: openSeasonRequest,
  answer: seasonAnsweredSchema,
  async handle(services, request) {
    const { leaderboard, season: id } = request;
    const nowMs = services.now();
    const times = timesOf(request, nowMs);
    const season = await open(services, request, times, nowMs);
    services.boards.forget(leaderboard);
    return { leaderboard, ...seasonShown(id, season, nowMs) };
  },
};

interface Times {
  opens: Timestamp | undefined;
  closes: Timestamp | null;
}

function timesOf(
  { opens_at: opens, closes_at: closes }: z.infer<typeof openSeasonRequest>,
  nowMs: number,
): Times {
  const [opensMs, closesMs] = [opens, closes].map((text) =>
    text === undefined ? undefined : Date.parse(text),
  );
  if (closesMs !== undefined && closesMs <= nowMs)
    throw invalidRequest([{ path: "closes_at", message: "is in the past" }]);
  if (closesMs !== undefined && opensMs !== undefined && closesMs <= opensMs)
    throw invalidRequest([{ path: "closes_at", message: "must be after opens_at" }]);
  return {
    opens: opensMs === undefined ? undefined : Timestamp.fromMillis(opensMs),
    closes: closesMs === undefined ? null : Timestamp.fromMillis(closesMs),
  };
}

async function open(
  { db }: Services,
  { leaderboard, season: id }: { leaderboard: string; season: string },
  { opens, closes }: Times,
  nowMs: number,
) {
  const ref = db.doc(seasonPath({ leaderboard, season: id }));
  return db.runTransaction(async (transaction) => {
    const [board, found] = await transaction.getAll(db.doc(leaderboardPath(leaderboard)), ref);
    if (board?.exists !== true) {
      const message = `There is no leaderboard "${leaderboard}". An admin creates it with saveLeaderboard.`;
      throw new FirerankError("leaderboard_not_found", message);
    }
    if (found?.exists === true) {
      const season = readSeason(found.data());
      const isSame =
        season.status === "open" &&
        (opens === undefined || season.opens_at.isEqual(opens)) &&
        season.closes_at?.toMillis() === closes?.toMillis();
      if (isSame) return season;
      const message = `"${id}" is a season of this leaderboard already; choose another id`;
      throw invalidRequest([{ path: "season", message }]);
    }
    await refuseLeftovers(db, transaction, { leaderboard, season: id });
    const definition = readDefinition(board.data());
    const lengthMs = intervalMs(definition.ranking_interval_minutes);
    const opensAt = opens ?? Timestamp.fromMillis(nowMs);
    const season = newSeason({
      span: "custom",
      opens_at: opensAt,
      closes_at: closes,
      interval_ms: lengthMs,
      next_run_at: Timestamp.fromMillis(intervalEnd(Math.max(nowMs, opensAt.toMillis()), lengthMs)),
    });
    transaction.create(ref, season);
    tellOfOpening(db, transaction, { key: { leaderboard, season: id }, definition }, season, nowMs);
    return season;
  });
}

/**
 * A season whose document was deleted by hand leaves players, a ranking or standings behind, which would be another
 * season's.
 * Cost: 4 reads.
 */
async function refuseLeftovers(db: Firestore, transaction: Transaction, key: SeasonKey): Promise<void> {
  const paths = [playersPath, shardsPath, pagesPath, standingsCollection].map((of) => of(key));
  const found = await Promise.all(paths.map((path) => transaction.get(byId(db, path, 1).select())));
  const left = paths.filter((_, i) => found[i]?.empty === false);
  if (left.length === 0) return;
  const names = left.map((path) => path.split("/").at(-1)).join(", ");
  const message =
    `"${key.season}" was a season before, and documents of it are left (${names}); choose another id, or delete ` +
    `all that is below ${seasonPath(key)} first`;
  throw invalidRequest([{ path: "season", message }]);
}
