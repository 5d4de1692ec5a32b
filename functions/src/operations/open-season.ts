/** `openSeason`: a custom season, such as a tournament. */
import { z } from "zod";
import type { SeasonKey } from "../documents/paths.ts";
import type { Season } from "../documents/season.ts";
import { type SeasonAnswered, seasonAnsweredSchema } from "../model/answers.ts";
import { invalidField } from "../model/errors.ts";
import { leaderboardId, seasonId } from "../model/ids.ts";
import { spanOfId } from "../model/season-id.ts";
import { beginSeason, boardCacheOf } from "../seasons/board.ts";
import { readBoard } from "../seasons/read-board.ts";
import { seasonShown, timeAsked } from "./shared/season-asked.ts";
import type { Services } from "../world/services.ts";
import type { OperationSpec } from "./shared/spec.ts";

/** Its first run and the steps of its end come up to a day later, and are times that Firestore stores too. */
const inReach = timeAsked.refine(
  (text) => Date.parse(text) < Date.parse("9999-01-01T00:00:00Z"),
  "must be before the year 9999",
);

const openSeasonRequest = z.strictObject({
  leaderboard: leaderboardId,
  season: seasonId.refine(
    (id) => spanOfId(id) === "custom",
    'must not be "all_time" nor begin with "daily-", "weekly-" or "monthly-", which name the seasons of spans',
  ),
  opens_at: inReach.optional().describe("When it starts to take scores; by default now."),
  closes_at: inReach.optional().describe("When it stops; by default it runs until closeSeason."),
});

/**
 * Opens a custom season, now or at a future time. Several may be open at once. Repeating the same request is no error.
 *
 * Cost: 2 reads, 2 writes with its event; no write where it exists. A new board of a template: {@link admitBoard}.
 * @throws `leaderboard_not_found`; `invalid_request` for times that have passed or are in the wrong order, and for the id
 * of a season with other times
 */
export const openSeasonSpec: OperationSpec<typeof openSeasonRequest, SeasonAnswered> = {
  name: "openSeason",
  request: openSeasonRequest,
  answer: seasonAnsweredSchema,
  async handle(services, request) {
    const { leaderboard, season: id } = request;
    const nowMs = services.now();
    const season = await open(services, { leaderboard, season: id }, timesOf(request, nowMs), nowMs);
    boardCacheOf(services).forgetSeason({ leaderboard, season: id });
    return { leaderboard, ...seasonShown(id, season, nowMs) };
  },
};

function timesOf({ opens_at: opens, closes_at: closes }: z.infer<typeof openSeasonRequest>, nowMs: number) {
  const opensMs = opens === undefined ? undefined : Date.parse(opens);
  const closesMs = closes === undefined ? null : Date.parse(closes);
  if (closesMs !== null && closesMs <= nowMs) throw invalidField("closes_at", "is in the past");
  if (closesMs !== null && opensMs !== undefined && closesMs <= opensMs)
    throw invalidField("closes_at", "must be after opens_at");
  return { opensMs, closesMs };
}

async function open(
  services: Services,
  key: SeasonKey,
  { opensMs, closesMs }: ReturnType<typeof timesOf>,
  nowMs: number,
): Promise<Season> {
  const { db } = services;
  return db.runTransaction(async (transaction) => {
    const board = await readBoard(db, key, transaction);
    const { season } = board;
    if (season !== undefined) {
      const isSame =
        season.status === "open" &&
        (opensMs === undefined || season.opens_at.toMillis() === opensMs) &&
        (season.closes_at?.toMillis() ?? null) === closesMs;
      if (isSame) return season;
      const message = `"${key.season}" is a season of this leaderboard already; choose another id`;
      throw invalidField("season", message);
    }
    const begun = { span: "custom", opensMs: opensMs ?? nowMs, closesMs } as const;
    return (await beginSeason(services, transaction, board, begun, nowMs)).season;
  });
}
