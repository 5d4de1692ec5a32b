/** `mergeGuest`: gives a guest's scores to the account that the guest has signed in to. */
import { z } from "zod";
import { statusOf } from "../counting/kept-status.ts";
import type { GuestMerged } from "../model/admin-answers.ts";
import { groupsOfPlayer } from "../groups/members.ts";
import { limitsGoneRound } from "../model/definition.ts";
import { FirerankError, invalidField } from "../model/errors.ts";
import { leaderboardId } from "../model/ids.ts";
import { boardCacheOf } from "../seasons/board.ts";
import type { Board } from "../seasons/read-board.ts";
import { openSeasonsOfPlayer } from "../seasons/player-seasons.ts";
import { mergeOnBoard } from "./merge-players.ts";
import { type OperationSpec, requirePlayer } from "./shared/spec.ts";

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
 * Merges a guest (a player who signed in anonymously) into the caller, in the board's open seasons; both tokens show
 * that both are the same person. Final tables stay. Guests are free, so on a board where more players mean more chances
 * ({@link limitsGoneRound}) an admin merges.
 *
 * Cost: 4 reads for each open season of the board, at least 3; 2 for the next one of each span; 3 for events and statuses; 1
 * write for each event that names the guest. For each season that has the guest 12 reads, 7 writes and 1 delete, its top
 * included.
 * @throws `invalid_request` about the token, or such a board; `player_not_ranked`, also where the guest is merged
 * already; `player_banned` where the guest is hidden or banned.
 */
export const mergeGuestSpec: OperationSpec<typeof request, GuestMerged> = {
  name: "mergeGuest",
  request,
  isStrict: true,
  async handle(services, { leaderboard, guest_token: token }, caller) {
    const to = requirePlayer(caller);
    requireNoneGoneRound(await boardCacheOf(services).loadDefinition(leaderboard));
    const from = await services.accounts.guestOf(token);
    if (from === undefined || from === to)
      throw invalidField(
        "guest_token",
        "must be the ID token of a guest of this project, at most an hour old, and not the caller's",
      );
    const found = await openSeasonsOfPlayer(services, leaderboard, from, new Set());
    // A guest may have joined a friend's group before the first score.
    if (found.length === 0 && (await groupsOfPlayer(services, leaderboard, from)).length === 0)
      throw new FirerankError(
        "player_not_ranked",
        "The guest has no score in an open season and is in no private group, or is merged already.",
      );
    const statuses = await Promise.all(found.map(({ key, player }) => statusOf(services.db, key, player)));
    if (statuses.some((status) => status !== "active"))
      throw new FirerankError("player_banned", "The guest is hidden or banned here, so an admin decides.");
    // A season keeps what it counts by, also where somebody has changed the stored definition by hand.
    const boards = await Promise.all(found.map(({ key }) => boardCacheOf(services).load(key)));
    boards.forEach(requireNoneGoneRound);
    const { results } = await mergeOnBoard(services, leaderboard, { from, to, isGuest: true }, found);
    const seasons = found.flatMap(({ key: { season }, span }): GuestMerged["seasons"] => {
      const { merged = false, repeated } = results.get(season) ?? {};
      return merged ? [{ season, span, ...(repeated && { repeated }) }] : [];
    });
    return { from, to, seasons };
  },
};

function requireNoneGoneRound({ definition }: Board): void {
  const limits = limitsGoneRound(definition).join(", ");
  if (limits !== "")
    throw invalidField(
      "leaderboard",
      `has limits that a guest would go round (${limits}), so an admin merges its players`,
    );
}
