/** `getPage`: a section of the list of all players, from any offset, from a score, or from the end of another page. */
import { z } from "zod";
import { type PageAnswer, pageSchema } from "../model/answers.ts";
import { pageLimitMax } from "../model/limits.ts";
import { readCursor, writeCursor } from "../reading/cursor.ts";
import { listAnswer } from "../reading/list-answer.ts";
import { skipsOfKnown, skipsOfNobody } from "../reading/offset.ts";
import { submissionFields } from "../submit/schema.ts";
import { scoreAsked } from "./shared/score-asked.ts";
import { cursorOf, limitUpTo, rankingRequest, readableRanking } from "./shared/season-asked.ts";
import type { OperationSpec } from "./shared/spec.ts";

export const getPageRequest = rankingRequest
  .safeExtend({
    offset: z
      .int("must be a whole number: how many of the best players to skip")
      .min(0, "must be at least 0")
      .optional()
      .describe("How many of the best players to skip. Not together with `cursor`."),
    score: submissionFields.score.describe(
      "Begins with the best player who has this score or a worse one, in place of an `offset`.",
    ),
    columns: submissionFields.columns.describe("The same, on a board with columns."),
    cursor: cursorOf("getPage"),
    limit: limitUpTo(pageLimitMax),
  })
  .superRefine(({ offset, score, columns, cursor }, context) => {
    const places = Object.entries({ offset, score, columns, cursor });
    const [, second] = places.filter(([, given]) => given !== undefined);
    if (second === undefined) return;
    const message = "give one of offset, score, columns and cursor, as each says where the page begins";
    context.addIssue({ code: "custom", path: [second[0]], message });
  });

/**
 * Players in the total order, as of now, with their ranks in the published ranking.
 *
 * Cost: 1 read for each player, and 1 for each page that is not in memory; also from a score on. With an offset also the players before it in
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
    const { key, definition } = view.board;
    const { offset = 0, cursor, limit, since } = request;
    const score = scoreAsked(definition, request);
    const lines =
      cursor !== undefined
        ? await view.linesBehind(readCursor(key, cursor), limit)
        : score !== undefined
          ? await view.linesFromScore(score, limit)
          : await view.linesFrom(offset, limit, isKnown ? skipsOfKnown : skipsOfNobody);
    const { end, ranking } = lines;
    const next = end && { next_cursor: writeCursor(key, end.listKey, end.position, end.standings) };
    return { ...(await listAnswer(services, view, lines, since)), ...next, players: ranking.players };
  },
};
