/** What the calls about private groups share: their fields, whom they are for, and which boards have groups. */
import { z } from "zod";
import { FirerankError } from "../../model/errors.ts";
import { withoutGroups } from "../../groups/members.ts";
import { documentId, leaderboardId, scorerId } from "../../model/ids.ts";
import { displayNameCharactersMax } from "../../model/limits.ts";
import { suffices } from "../../model/role.ts";
import { shownText } from "../../model/shown-text.ts";
import { boardCacheOf } from "../../seasons/board.ts";
import type { Board } from "../../seasons/read-board.ts";
import type { Services } from "../../world/services.ts";
import { type Caller, requireRole } from "./access.ts";
import { requireCaller, requirePlayer } from "./spec.ts";

/** The request of a call about one group. */
export const groupRequest = z.strictObject({ leaderboard: leaderboardId, group: documentId });

export const groupName = shownText(displayNameCharactersMax);

/** The fields of a call that makes a player a member. */
export const newMemberFields = {
  player: scorerId.optional().describe("Another player, if a server makes the call."),
  display_name: shownText(displayNameCharactersMax)
    .optional()
    .describe("How the group shows the player until a score of the season has a name."),
};

/**
 * A board that has private groups. Cost: 2 reads a minute.
 * @throws `leaderboard_not_found`; `invalid_request` for a board that has none
 */
export async function boardWithGroups(services: Services, leaderboard: string): Promise<Board> {
  const board = await boardCacheOf(services).loadDefinition(leaderboard);
  if (board.definition.private_groups) return board;
  throw withoutGroups(leaderboard);
}

/**
 * Whom a call about a group is for: the caller, or the player whom a server names.
 * @throws `unauthenticated`; `not_allowed` for another player without the role `submitter`
 */
export function memberMeant(
  caller: Caller | undefined,
  named: string | undefined,
  leaderboard: string,
): string {
  const self = requireCaller(caller);
  if (named === undefined || named === self.uid) return requirePlayer(caller, scorerId);
  requireRole(self, "submitter", `acting for "${named}", not yourself,`, leaderboard);
  return named;
}

/** Who would change a group. @throws `unauthenticated` */
export function changerOf(caller: Caller | undefined, leaderboard: string) {
  const { uid } = requireCaller(caller);
  return { player: uid, isModerator: suffices(caller ?? {}, "moderator", leaderboard) };
}

/** The `group_not_found` for a code that leads nowhere. */
export function noCode(): FirerankError {
  return new FirerankError(
    "group_not_found",
    "This code leads to no group of the leaderboard: it is mistyped, or the group has another one by now. Ask a member.",
  );
}
