/** `listSeasons`: the seasons of a board, the newest first; the current ones, and the server's clock. */
import { z } from "zod";
import { Timestamp } from "../documents/firestore.ts";
import { listedSeasons } from "../documents/queries.ts";
import { seasonSpans, readSeasonIfValid } from "../documents/season.ts";
import { type SeasonsAnswer, seasonsSchema, seasonStatusesShown } from "../model/answers.ts";
import { leaderboardId } from "../model/ids.ts";
import { seasonsPerAnswerMax } from "../model/limits.ts";
import { type Calendars, type Span, spanSeasonAt } from "../seasons/span-season.ts";
import { cursorOf, limitUpTo, requireVisible, seasonShown } from "./shared/season-asked.ts";
import { cursorParts, cursorTime, type OperationSpec } from "./shared/spec.ts";
import { boardCacheOf } from "../seasons/board.ts";

const listSeasonsRequest = z.strictObject({
  leaderboard: leaderboardId,
  span: z.enum(seasonSpans).optional(),
  status: z
    .enum(seasonStatusesShown)
    .optional()
    .describe("As stored: a season that has just ended stays `open` until its closing begins."),
  cursor: cursorOf("listSeasons"),
  limit: limitUpTo(seasonsPerAnswerMax, 0).describe(
    "With 0 the answer has only `running` and `as_of`, and costs no read.",
  ),
});

/**
 * The seasons that were opened: current, future and closed ones. A span's current season is listed from its first score
 * on; `running` names it even before that, and the one after it. `as_of` is the server's clock, read as late as
 * possible.
 *
 * Cost: 1 read a season, at least 1; none with `limit: 0`. The board costs 2 reads a minute.
 * @throws `leaderboard_not_found`, `unauthenticated`; `invalid_request` about the cursor
 */
export const listSeasonsSpec: OperationSpec<typeof listSeasonsRequest, SeasonsAnswer> = {
  name: "listSeasons",
  request: listSeasonsRequest,
  answer: seasonsSchema,
  async handle(services, { leaderboard, span, status, cursor, limit }, caller) {
    const { db, now, log } = services;
    const board = await boardCacheOf(services).loadDefinition(leaderboard);
    requireVisible(board.definition, caller);
    const after = cursor === undefined ? undefined : readSeasonsCursor(cursor);
    const found =
      limit === 0 ? [] : (await listedSeasons(db, leaderboard, { span, status, after }, limit).get()).docs;
    const nowMs = now();
    const seasons = found.flatMap((document) => {
      const { data, error } = readSeasonIfValid(document.data());
      if (error !== undefined)
        log.warn("a season is damaged", { leaderboard, season: document.id, problems: error.issues });
      return data === undefined || data.status === "deleting" ? [] : [seasonShown(document.id, data, nowMs)];
    });
    const last = found.length === limit ? found.at(-1) : undefined;
    const opensAt: unknown = last?.get("opens_at");
    const isCut = last !== undefined && opensAt instanceof Timestamp;
    return {
      leaderboard,
      as_of: isoOf(nowMs),
      running: board.definition.spans.map((one) => runningOf(leaderboard, board, one, nowMs)),
      seasons,
      ...(isCut ? { next_cursor: `${opensAt.toMillis()}-${last.id}` } : {}),
    };
  },
};

const isoOf = (ms: number) => new Date(ms).toISOString();

function runningOf(
  leaderboard: string,
  calendars: Calendars,
  span: Span,
  nowMs: number,
): SeasonsAnswer["running"][number] {
  const { key, opensAtMs, closesAtMs } = spanSeasonAt(leaderboard, calendars, span, nowMs);
  const { season } = key;
  if (opensAtMs === null || closesAtMs === null)
    return { span, season, opens_at: null, closes_at: null, next: null };
  const next = spanSeasonAt(leaderboard, calendars, span, closesAtMs);
  const closes_at = isoOf(closesAtMs);
  const after = { opens_at: closes_at, closes_at: isoOf(next.closesAtMs ?? closesAtMs) };
  return { span, season, opens_at: isoOf(opensAtMs), closes_at, next: { season: next.key.season, ...after } };
}

const answerOf = "listSeasons' answer";

function readSeasonsCursor(cursor: string): readonly [Timestamp, string] {
  const [ms, id = ""] = cursorParts(cursor, /^(-?\d{1,15})-([\w-]{1,64})$/, answerOf);
  return [cursorTime(Number(ms), answerOf), id];
}
