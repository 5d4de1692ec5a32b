/** `listLeaderboards`: the boards that the caller may see. */
import { z } from "zod";
import { leaderboards } from "../documents/queries.ts";
import { type LeaderboardsAnswer, leaderboardsSchema } from "../model/answers.ts";
import { storedDefinition } from "../model/definition.ts";
import { definedId, documentId } from "../model/ids.ts";
import { requireKnownSchema } from "../model/schema-version.ts";
import { cursorSaid, limitUpTo } from "./shared/season-asked.ts";
import type { OperationSpec } from "./shared/spec.ts";

/** Each is a read, and a definition of a few hundred bytes. */
const leaderboardsPerAnswerMax = 100;

const listLeaderboardsRequest = z.strictObject({
  // Any document id, as the last board read may be one that is left out.
  cursor: documentId.optional().describe(cursorSaid),
  limit: limitUpTo(leaderboardsPerAnswerMax),
});

const storedLeaderboard = z.object({ leaderboard: definedId, definition: storedDefinition });

/**
 * All boards for signed-in users, the public ones for everybody else, ordered by id. One is left out and logged if its
 * definition cannot be read, or if its id is one that no call accepts. Cost: 1 read a board, at least 1.
 */
export const listLeaderboardsSpec: OperationSpec<typeof listLeaderboardsRequest, LeaderboardsAnswer> = {
  name: "listLeaderboards",
  request: listLeaderboardsRequest,
  answer: leaderboardsSchema,
  async handle({ db, log }, { cursor, limit }, caller) {
    const { docs } = await leaderboards(db, { after: cursor, publicOnly: caller === undefined }, limit).get();
    const last = docs.length === limit ? docs.at(-1)?.id : undefined;
    const found = docs.flatMap((document) => {
      const [leaderboard, definition] = [document.id, document.data()];
      requireKnownSchema("leaderboard", definition);
      const { data, error } = storedLeaderboard.safeParse({ leaderboard, definition });
      if (data !== undefined) return [data];
      log.warn("a leaderboard is damaged", { leaderboard, problems: error.issues });
      return [];
    });
    return { leaderboards: found, ...(last === undefined ? {} : { next_cursor: last }) };
  },
};
