/** `getTop`: the best players of a season. */
import { z } from "zod";
import { type TopAnswer, topSchema } from "../model/answers.ts";
import { forKnownOnly, invalidField } from "../model/errors.ts";
import { pageLimitMax } from "../model/limits.ts";
import { topAnswer } from "../reading/top-answer.ts";
import { readableRanking, readingRequest, segmentAsked } from "./shared/season-asked.ts";
import type { OperationSpec } from "./shared/spec.ts";
import { topOfSegment, topReadsOf } from "../reading/top-reads.ts";

export const getTopRequest = readingRequest.safeExtend({
  limit: z.int().min(1, "must be at least 1").optional(),
  segment: segmentAsked,
});

/** Players of a segment's top by default and for unknown callers, as of a page. */
const segmentTopMax = pageLimitMax;

/**
 * Cost: 1 read, shared by all requests that wait for it. The board costs 2 reads a minute. The top of a segment is asked of
 * the players: {@link topOfSegment}, by default at most 100. Unknown callers
 * (OperationSpec.handle) may not ask for more: `unauthenticated`.
 */
export const getTopSpec: OperationSpec<typeof getTopRequest, TopAnswer> = {
  name: "getTop",
  request: getTopRequest,
  answer: topSchema,
  async handle(services, request, caller, isKnown = caller !== undefined) {
    const { limit, min_generation: minGeneration } = request;
    const view = await readableRanking(services, request, caller);
    const { key, definition } = view.board;
    const { top_size: size } = definition;
    if (limit !== undefined && limit > size)
      throw invalidField("limit", `must be at most ${size}, the board's top_size`);
    if (request.segment === undefined)
      return topAnswer(key, await topReadsOf(services).topOf(key, minGeneration), limit);
    const most = limit ?? Math.min(size, segmentTopMax);
    if (most > segmentTopMax && !isKnown)
      throw forKnownOnly("limit", `must be at most ${segmentTopMax} with segment, as each player is read`);
    return topOfSegment(view, most);
  },
};
