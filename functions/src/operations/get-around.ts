/** `getAround`: a player with the neighbours above and below. */
import { z } from "zod";
import { type AroundAnswer, aroundSchema } from "../model/answers.ts";
import { documentId } from "../model/ids.ts";
import { aroundMax } from "../model/limits.ts";
import { listAnswer } from "../reading/list-answer.ts";
import { rankingRequest, readableRanking } from "./shared/season-asked.ts";
import { type OperationSpec, requirePlayer } from "./shared/spec.ts";

const neighbours = z
  .int("must be a whole number")
  .min(0, "must be at least 0")
  .max(aroundMax, `must be at most ${aroundMax}; for more, call getPage with an offset`)
  .default(4);

export const getAroundRequest = rankingRequest.safeExtend({
  player: documentId.optional(),
  above: neighbours,
  below: neighbours,
});

/**
 * A player and the neighbours in the total order, as of now, with their ranks in the published ranking.
 *
 * Cost: 1 read for the player, 1 for each neighbour, 1 for each page that is not in memory: with the defaults 9 to 11.
 * If all listed players have the same score, up to 20 more. `live`: what {@link liveRanks} costs. The board costs 2
 * reads a minute.
 *
 * In a closed season ranks and positions are exact: 1 read for the player; 1 for the document of the standings (2
 * across the edge of one), 1 more for each that has metadata, and 1 for the summary, unless they are in memory.
 */
export const getAroundSpec: OperationSpec<typeof getAroundRequest, AroundAnswer> = {
  name: "getAround",
  request: getAroundRequest,
  answer: aroundSchema,
  async handle(services, request, caller, isKnown) {
    const view = await readableRanking(services, request, caller, isKnown);
    const { player = requirePlayer(caller) } = request;
    return listAnswer(services, view, await view.linesAround(player, request), request.since);
  },
};
