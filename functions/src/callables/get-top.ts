/** `getTop`: the best players of a season. */
import { z } from "zod";
import { invalidRequest } from "../model/errors.ts";
import { leaderboardId, seasonId } from "../model/ids.ts";
import { topPath } from "../model/paths.ts";
import { requestedSeason } from "../seasons/current.ts";
import { type Entry, readTop, toEntry } from "../standings/top.ts";
import { type CallableSpec, defineCallable } from "./define-callable.ts";
import { requireVisible } from "./visibility.ts";

const request = z
  .strictObject({
    leaderboard: leaderboardId,
    season: seasonId.optional(),
    span: z.string().optional(),
    limit: z.int("must be a whole number").min(1, "must be at least 1").optional(),
  })
  .refine(({ season, span }) => season === undefined || span === undefined, {
    path: ["span"],
    message: "name season or span, not both",
  });

/** The best players, as of the last publication. */
export interface TopAnswer {
  leaderboard: string;
  season: string;
  entries: Entry[];
  /** What a score must beat to enter the board's top; null while there is room for any. */
  lowest_score: number | null;
  players: number;
  as_of: string;
  generation: number;
}

/** Cost: 1 read. The board costs 2 reads a minute. */
export const getTopSpec: CallableSpec<typeof request, TopAnswer> = {
  name: "getTop",
  access: "anyone",
  request,
  async handle(services, { limit, ...asked }, caller) {
    const key = requestedSeason(asked);
    const { definition } = await services.boards.load(key);
    requireVisible(definition, caller);
    if (limit !== undefined && limit > definition.top_size) {
      throw invalidRequest([
        { path: "limit", message: `must be at most ${definition.top_size}, the board's top_size` },
      ]);
    }
    const document = await services.db.doc(topPath(key)).get();
    if (!document.exists) {
      const asOf = document.readTime.toDate().toISOString();
      return { ...key, entries: [], lowest_score: null, players: 0, as_of: asOf, generation: 0 };
    }
    const top = readTop(document.data());
    return {
      ...key,
      entries: top.entries.slice(0, limit).map(toEntry),
      lowest_score: top.lowest_score,
      players: top.players,
      as_of: top.as_of.toDate().toISOString(),
      generation: top.generation,
    };
  },
};

export const getTop = defineCallable(getTopSpec);
