/** `getPage`: a section of the list of all players, from any offset or from the end of another page. */
import { z } from "zod";
import { type PageAnswer, pageSchema } from "../model/answers.ts";
import { pageLimitMax } from "../model/limits.ts";
import { readCursor, writeCursor } from "../reading/cursor.ts";
import { listAnswer } from "../reading/list-answer.ts";
import { skipsOfKnown, skipsOfNobody } from "../reading/offset.ts";
import { cursorOf, limitUpTo, rankingRequest, readableRanking } from "./shared/season-asked.ts";
import type { OperationSpec } from "./shared/spec.ts";

export const getPageRequest = rankingRequest
  .safeExtend({
    offset: z
      .int("must be a whole number: how many of the best players to skip")
      .min(0, "must be at least 0")
      .optional()
      .describe("How many of the best players to skip. Not together with `cursor`."),
    cursor: cursorOf("getPage"),
    limit: limitUpTo(pageLimitMax),
  })
  .refine(({ offset, cursor }) => offset === undefined || cursor === undefined, {
    path: ["cursor"],
    message: "give offset or cursor, not both",
  });

/**
 * Players in the total order, as of now, with their ranks in the published ranking.
 *
 * Cost: 1 read for each player, and 1 for each page that is not in memory. With an offset also the players before it in
 * its row: all in an exact row (at most 1,000), about 20 in a merged one. The board costs 2 reads a minute. Unknown
 * callers (OperationSpec.handle) may skip 100 players and spend 50 reads on counts: beyond that, `unauthenticated`.
 *
 * A closed season is listed from its standings, with exact ranks and positions and without skipping: 1 read for the
 * document of 1,000 players (2 across an edge), 1 more for each that has metadata, and 1 for the summary, unless in
 * memory.
 */
export const getPageSpec: OperationSpec<typeof getPageRequest, PageAnswer> = {
  name: "getPage",
  request: getPageRequest,
  answer: pageSchema,
  async handle(services, request, caller, isKnown = caller !== undefined) {
    const view = await readableRanking(services, request, caller, isKnown);
    const { key } = view.board;
    const { offset = 0, cursor, limit, since } = request;
    const lines =
      cursor === undefined
        ? await view.linesFrom(offset, limit, isKnown ? skipsOfKnown : skipsOfNobody)
        : await view.linesBehind(readCursor(key, cursor), limit);
    const { end, ranking } = lines;
    const next = end && { next_cursor: writeCursor(key, end.listKey, end.position, end.standings) };
    return { ...(await listAnswer(services, view, lines, since)), ...next, players: ranking.players };
  },
};
