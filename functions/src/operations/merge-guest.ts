/** `mergeGuest`: gives a guest's scores to the account that the guest has signed in to. */
import { z } from "zod";
import { readPlayer } from "../documents/player.ts";
import { FirerankError, invalidRequest } from "../model/errors.ts";
import { leaderboardId } from "../model/ids.ts";
import { definitionKey } from "../seasons/current.ts";
import { openSeasonsOfPlayer } from "../seasons/player-seasons.ts";
import { type MergePlayersAnswer, mergePlayersSpec } from "./merge-players.ts";
import { type OperationSpec, requirePlayer } from "./spec.ts";

/** An ID token with claims of 1,000 characters has about 2,000. */
const tokenCharactersMax = 4_096;

const request = z.strictObject({
  leaderboard: leaderboardId,
  guest_token: z
    .string()
    .min(1)
    .max(tokenCharactersMax)
    .describe("The guest's ID token, taken before the sign-in to the account."),
});

/**
 * Merges a guest (a player who signed in anonymously) into the caller, on one board, as {@link mergePlayersSpec} does.
 * Both tokens show that both are the same person. The guest needs a score in a season that is open. On a board that
 * limits how often a player may submit an admin merges: guests are free, and so would be attempts.
 *
 * Cost: 1 read for the board's open seasons each, 1 for the guest in each, and that of {@link mergePlayersSpec}; nothing
 * more where it is refused.
 * @throws `invalid_request` about the token, or a board that limits attempts; `player_not_ranked`, also where the guest
 * is merged already; `player_banned` where the guest is hidden or banned.
 */
export const mergeGuestSpec: OperationSpec<typeof request, MergePlayersAnswer> = {
  name: "mergeGuest",
  request,
  isStrict: true,
  async handle(services, { leaderboard, guest_token: token }, caller) {
    const to = requirePlayer(caller);
    const { definition } = await services.boards.load(definitionKey(leaderboard));
    if (definition.max_attempts !== undefined || definition.min_seconds_between !== undefined)
      throw invalidRequest([
        {
          path: "leaderboard",
          message: "limits how often a player may submit, so an admin merges its players",
        },
      ]);
    const from = await services.accounts.guestOf(token);
    if (from === undefined || from === to) {
      const message =
        "must be the ID token of a guest of this project, at most an hour old, and not the caller's";
      throw invalidRequest([{ path: "guest_token", message }]);
    }
    const seasons = await openSeasonsOfPlayer(services, leaderboard, from, new Set());
    if (seasons.length === 0)
      throw new FirerankError(
        "player_not_ranked",
        "The guest has no score in an open season, or is merged already.",
      );
    if (seasons.some(({ player }) => readPlayer(player.data())?.status !== "active"))
      throw new FirerankError("player_banned", "The guest is hidden or banned here, so an admin decides.");
    return mergePlayersSpec.handle(services, { leaderboard, from, to }, caller);
  },
};
