/** `joinGroup`: makes the caller a member of the private group of a code. */
import { z } from "zod";
import { codePattern, codeTriesOf, codeTyped, groupChangesOf } from "../groups/codes.ts";
import { joinByCode } from "../groups/members.ts";
import { leaderboardId } from "../model/ids.ts";
import { type GroupJoined, groupJoinedSchema } from "../model/private-group-answers.ts";
import { boardWithGroups, memberMeant, newMemberFields, noCode } from "./shared/group-asked.ts";
import type { OperationSpec } from "./shared/spec.ts";

const request = z.strictObject({
  leaderboard: leaderboardId,
  code: z
    .string()
    .max(100, "is too long for a code")
    .regex(codePattern, 'must be 13 letters and digits, as in "7KQ2-M9XD-4TPAW"; this is no code')
    .describe("As `createGroup` answers it. Small letters, spaces and hyphens make no difference."),
  ...newMemberFields,
});

/**
 * Makes the caller a member of the private group to which a code leads; a member stays one.
 *
 * Cost: 2 reads, 3 more and 1 for each group of the player, at least 1, and 1 write. A code that leads nowhere 1 read. The
 * board costs 2 reads a minute.
 * @throws `group_not_found` for a code that leads nowhere; `too_frequent` after ten of them in a minute, or ten changes of
 * groups, or while ten joins are under way; `group_full`, `group_ended`; `invalid_request` for a text that is no code, on a
 * board without private groups, and in ten groups already; `player_banned`, `player_erased`; `leaderboard_not_found`
 */
export const joinGroupSpec: OperationSpec<typeof request, GroupJoined> = {
  name: "joinGroup",
  request,
  answer: groupJoinedSchema,
  async handle(services, { leaderboard, code: typed, player: named, display_name }, caller) {
    const player = memberMeant(caller, named, leaderboard);
    await boardWithGroups(services, leaderboard);
    const code = codeTyped(typed);
    const join = () => joinByCode(services, { leaderboard, player, code, display_name });
    const isIn = (joined: unknown) => joined !== undefined;
    const joined = await codeTriesOf(services).during(
      player,
      (found) => !isIn(found),
      () => groupChangesOf(services).during(player, isIn, join),
    );
    if (joined === undefined) throw noCode();
    return joined;
  },
};
