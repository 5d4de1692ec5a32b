/** `listLeaderboards`: the boards that the caller may see. */
import { z } from "zod";
import type { CallableSpec } from "../callables/define-callable.ts";
import { type LeaderboardsAnswer, leaderboardsSchema } from "../model/answers.ts";
import { leaderboardId } from "../model/ids.ts";
import { storedDefinition } from "../model/leaderboard.ts";
import { leaderboardsPerAnswerMax } from "../model/limits.ts";
import { leaderboards } from "../model/queries.ts";

export const listLeaderboardsRequest = z.strictObject({
  cursor: leaderboardId.optional().describe("`next_cursor` of the answer before."),
  limit: z
    .int("must be a whole number")
    .min(1, "must be at least 1")
    .max(leaderboardsPerAnswerMax, `must be at most ${leaderboardsPerAnswerMax}; next_cursor leads on`)
    .default(25),
});

/**
 * All boards for signed-in users, the public ones for everybody else, in order of their ids.
 *
 * Cost: 1 read a board, at least 1. A board whose definition cannot be read is left out and logged.
 */
export const listLeaderboardsSpec: CallableSpec<typeof listLeaderboardsRequest, LeaderboardsAnswer> = {
  name: "listLeaderboards",
  access: "anyone",
  request: listLeaderboardsRequest,
  answer: leaderboardsSchema,
  async handle({ db, log }, { cursor, limit }, caller) {
    const { docs } = await leaderboards(db, { after: cursor, publicOnly: caller === undefined }, limit).get();
    const last = docs.length === limit ? docs.at(-1)?.id : undefined;
    return {
      leaderboards: docs.flatMap((document) => {
        const { data: definition, error } = storedDefinition.safeParse(document.data());
        if (definition !== undefined) return [{ leaderboard: document.id, definition }];
        log.warn("a leaderboard's definition is damaged", {
          leaderboard: document.id,
          problems: error.issues,
        });
        return [];
      }),
      ...(last === undefined ? {} : { next_cursor: last }),
    };
  },
};
