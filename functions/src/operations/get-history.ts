/** `getHistory`: a player's ranks at midnights: what a line needs. */
import { type HistoryAnswer, historySchema } from "../model/answers.ts";
import { documentId } from "../model/ids.ts";
import { historyOf, requireMovement } from "../reading/moved.ts";
import { readableRanking, readingRequest } from "./shared/season-asked.ts";
import { type OperationSpec, requirePlayer } from "./shared/spec.ts";

export const getHistoryRequest = readingRequest.safeExtend({ player: documentId.optional() });

/**
 * A player's rank at each midnight whose ranking is kept: those of the last 8 days, and of the beginnings of the last 5
 * weeks. Midnights are left out at which the player had no rank, or nobody knows it.
 *
 * Cost: 1 read for the player, 1 for a page, and for each midnight 1 for the page of then: 0 for pages in memory. The board
 * costs 2 reads a minute.
 * @throws `invalid_request` for a board that keeps no movement
 */
export const getHistorySpec: OperationSpec<typeof getHistoryRequest, HistoryAnswer> = {
  name: "getHistory",
  request: getHistoryRequest,
  answer: historySchema,
  async handle(services, request, caller, isKnown) {
    const view = await readableRanking(services, request, caller, isKnown);
    requireMovement(view.board);
    const { player = requirePlayer(caller) } = request;
    return historyOf(services, view, player);
  },
};
