/** `getResults`: the caller's final ranks in recently closed seasons, for players who were away. */
import { z } from "zod";
import { type Firestore, type QueryDocumentSnapshot, Timestamp } from "../documents/firestore.ts";
import { seasonOfPath } from "../documents/paths.ts";
import { closedSeasons } from "../documents/queries.ts";
import { isSeasonOfBoard, readSeasonIfValid } from "../documents/season.ts";
import { type SeasonResult, type ResultsAnswer, resultsSchema } from "../model/answers.ts";
import { invalidField } from "../model/errors.ts";
import { leaderboardId } from "../model/ids.ts";
import { isoTime } from "../model/instant.ts";
import { seasonsPerAnswerMax } from "../model/limits.ts";
import { rankOf } from "../reading/rank.ts";
import { viewOf } from "../reading/view-of.ts";
import { boardIfAny, boardCacheOf } from "../seasons/board.ts";
import { type OpenedBoard, withSeason } from "../seasons/read-board.ts";
import { cursorOf, limitUpTo, timeAsked } from "./shared/season-asked.ts";
import type { Services } from "../world/services.ts";
import { cursorParts, type OperationSpec, requirePlayer } from "./shared/spec.ts";
import { finalTablesOf } from "../standings/final-tables.ts";

const getResultsRequest = z.strictObject({
  leaderboard: leaderboardId.optional().describe("Results of one board only; by default of all."),
  since: timeAsked
    .optional()
    .describe(
      "`next_since` of the answer before, or any time. Only seasons that closed then or later; by default in the last 30 days. A season appears six minutes after it has closed, some twelve minutes after its end.",
    ),
  cursor: cursorOf("getResults"),
  limit: limitUpTo(seasonsPerAnswerMax).describe(
    "How many seasons to search; the caller may have no result in some of them.",
  ),
});

/** As long as events are kept. */
const resultsSinceDays = 30;

/**
 * The caller's final ranks in seasons that closed since a time, the newest first; all of them exact. A season is
 * searched six minutes after its `closed_at`: by then the commits of all that closed before have landed, so whoever
 * goes on from `next_since` gets each result once. Seasons are left out in which the caller has no score, or is hidden
 * or banned.
 *
 * Cost: 1 read a document looked at, at least 1, and 1 for the caller's document in it; for each result 1 read, or 2 if
 * its ranking has merged rows, less what is in memory, and 1 more if the document was changed after the season ended.
 * Each board with a result, and a board that is named, costs 2 reads a minute.
 * @throws `unauthenticated`; `leaderboard_not_found` for a board that is named; `invalid_request` about the cursor, or
 * a `since` that was moved on before the last page
 */
export const getResultsSpec: OperationSpec<typeof getResultsRequest, ResultsAnswer> = {
  name: "getResults",
  request: getResultsRequest,
  answer: resultsSchema,
  async handle(services, { leaderboard, since, cursor, limit }, caller) {
    const { db, now, endWaitMs } = services;
    const boards = boardCacheOf(services);
    const player = requirePlayer(caller);
    if (leaderboard !== undefined) await boards.loadDefinition(leaderboard);
    const sinceMs = since === undefined ? now() - resultsSinceDays * 86_400_000 : Date.parse(since);
    const after = cursor === undefined ? undefined : readResultsCursor(cursor, leaderboard);
    if (after !== undefined && sinceMs >= after.untilMs)
      throw invalidField("since", "must stay that of the first page until an answer has no next_cursor");
    const untilMs = after?.untilMs ?? Math.max(sinceMs, now() - endWaitMs);
    const { docs, last } = await closedPage(db, { leaderboard, sinceMs, untilMs, after }, limit);
    const closed = docs.flatMap((document) => closedIn(services, document));
    const found = await finalTablesOf(services).playerIn(closed, player);
    const results = await Promise.all(
      closed.map(async (one, i) => {
        const score = found[i]?.score;
        return score === undefined ? [] : resultIn(services, one, player, score);
      }),
    );
    return {
      results: results.flat(),
      ...(last && { next_cursor: cursorAt(untilMs, last) }),
      next_since: new Date(untilMs).toISOString(),
    };
  },
};

/**
 * The next closed seasons. Documents that are no seasons of a board, as in a game's own collection of this name or in a
 * copy of a board, are passed over: no answer shows them, and none ends at one of them.
 * @returns the last of the seasons, if there may be more.
 */
async function closedPage(db: Firestore, asked: Parameters<typeof closedSeasons>[1], limit: number) {
  for (let { after } = asked; ;) {
    const found = (await closedSeasons(db, { ...asked, after }, limit).get()).docs;
    const docs = found.filter(isSeasonOfBoard);
    const end = found.length === limit ? found.at(-1) : undefined;
    if (end === undefined || docs.length > 0) return { docs, last: end && docs.at(-1) };
    after = cursorPlace(end);
  }
}

type Closed = Pick<OpenedBoard, "key" | "season">;

/** The season of a document; none if it is being deleted. */
function closedIn({ log }: Services, document: QueryDocumentSnapshot): Closed[] {
  const key = seasonOfPath(document.ref.path);
  const { data: season, error } = readSeasonIfValid(document.data());
  if (error !== undefined) log.warn("a season is damaged", { ...key, problems: error.issues });
  return season?.status === "closed" ? [{ key, season }] : [];
}

async function resultIn(
  services: Services,
  { key, season }: Closed,
  player: string,
  score: number,
): Promise<SeasonResult[]> {
  const boards = boardCacheOf(services);
  const board = await boardIfAny(services, key, () => boards.loadDefinition(key.leaderboard));
  const { span, ranking, closed_at: closedAt } = season;
  if (board === undefined || closedAt === null) return [];
  const ofSeason = withSeason({ ...board, key }, season);
  const view = viewOf(services, ofSeason, { min_generation: ranking.generation });
  const places = await view.placesOf([score]);
  const rank = rankOf(key, ofSeason.definition, places, score, player);
  return [{ ...rank, span, closed_at: isoTime(closedAt) }];
}

/** Where a season is in the order of closed seasons, all of which have a time. */
function cursorPlace(season: QueryDocumentSnapshot) {
  return { closedAt: season.get("closed_at") as Timestamp, path: season.ref.path };
}

function cursorAt(untilMs: number, last: QueryDocumentSnapshot): string {
  const { closedAt, path } = cursorPlace(last);
  return `${untilMs}-${closedAt.toMillis()}-${path}`;
}

function readResultsCursor(cursor: string, leaderboard = "[\\w:-]{1,129}") {
  const form = new RegExp(`^(\\d{1,14})-(\\d{1,14})-(leaderboards/${leaderboard}/seasons/[\\w-]{1,64})$`);
  const [until, ms, path = ""] = cursorParts(cursor, form, "getResults' answer, with the same leaderboard,");
  return { untilMs: Number(until), closedAt: Timestamp.fromMillis(Number(ms)), path };
}
