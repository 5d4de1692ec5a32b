/** `getTop`: the best players of a season. */
import { z } from "zod";
import { type TopAnswer, topSchema } from "../model/answers.ts";
import { invalidField } from "../model/errors.ts";
import { topAnswer } from "../reading/top-answer.ts";
import { readableBoard, readingRequest } from "./season-asked.ts";
import type { OperationSpec } from "./spec.ts";

export const getTopRequest = readingRequest.safeExtend({
  limit: z.int("must be a whole number").min(1, "must be at least 1").optional(),
});

/** Cost: 1 read, shared by all requests that wait for it. The board costs 2 reads a minute. */
export const getTopSpec: OperationSpec<typeof getTopRequest, TopAnswer> = {
  name: "getTop",
  request: getTopRequest,
  answer: topSchema,
  async handle(services, request, caller) {
    const { limit, min_generation: minGeneration } = request;
    const { key, definition } = await readableBoard(services, request, caller);
    if (limit !== undefined && limit > definition.top_size)
      throw invalidField("limit", `must be at most ${definition.top_size}, the board's top_size`);
    return topAnswer(key, await services.tops.topOf(key, minGeneration), limit);
  },
};
