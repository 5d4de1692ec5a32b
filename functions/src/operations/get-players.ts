/** `getPlayers`: some players, such as a player's friends, best first. */
import { z } from "zod";
import { type PlayersAnswer, playersSchema } from "../model/answers.ts";
import { documentId } from "../model/ids.ts";
import { friendsMax } from "../model/limits.ts";
import { listAnswer } from "../reading/list-answer.ts";
import { rankingRequest, readableRanking } from "./shared/season-asked.ts";
import type { OperationSpec } from "./shared/spec.ts";

export const getPlayersRequest = rankingRequest.safeExtend({
  players: z
    .array(documentId, "must be a list of player ids")
    .min(1, "must name at least one player")
    .max(friendsMax, `must name at most ${friendsMax} players; ask for more in several calls`),
});

/**
 * The players that have a ranked score, as of now, with their ranks in the published ranking; one named twice once.
 *
 * Cost: 1 read for each player named, and 1 for each page that is not in memory. The board costs 2 reads a minute. In a
 * closed season ranks are exact: if rows are merged, they cost up to 1 read for each player instead of the pages. A
 * player whose document was changed after the season ended costs 1 or 2 more.
 */
export const getPlayersSpec: OperationSpec<typeof getPlayersRequest, PlayersAnswer> = {
  name: "getPlayers",
  request: getPlayersRequest,
  answer: playersSchema,
  async handle(services, request, caller, isKnown) {
    const view = await readableRanking(services, request, caller, isKnown);
    const lines = await view.linesOf([...new Set(request.players)]);
    return listAnswer(services, view, lines, request.since);
  },
};
