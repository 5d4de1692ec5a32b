/** `getTop`: the best players of a season. */
import { z } from "zod";
import { type TopAnswer, topSchema } from "../model/answers.ts";
import { invalidRequest } from "../model/errors.ts";
import { topPath } from "../model/paths.ts";
import { readTop, toEntry } from "../standings/top.ts";
import { type CallableSpec, defineCallable } from "./define-callable.ts";
import { namesOneSeason, readableBoard, seasonAsked } from "./season-asked.ts";

const request = z
  .strictObject({
    ...seasonAsked,
    limit: z.int("must be a whole number").min(1, "must be at least 1").optional(),
  })
  .refine(...namesOneSeason);

/** Cost: 1 read. The board costs 2 reads a minute. */
export const getTopSpec: CallableSpec<typeof request, TopAnswer> = {
  name: "getTop",
  access: "anyone",
  request,
  answer: topSchema,
  async handle(services, { limit, ...asked }, caller) {
    const { key, definition } = await readableBoard(services, asked, caller);
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
