/** `renameGroup` and `deleteGroup`: what the owner of a private group, or a moderator, does with it. */
import type { z } from "zod";
import { groupChangesOf } from "../groups/codes.ts";
import { remove, rename } from "../groups/manage.ts";
import {
  type GroupJoined,
  groupJoinedSchema,
  type GroupLeft,
  groupLeftSchema,
} from "../model/private-group-answers.ts";
import { boardWithGroups, changerOf, groupName, groupRequest } from "./shared/group-asked.ts";
import type { OperationSpec } from "./shared/spec.ts";

const renameRequest = groupRequest.safeExtend({ name: groupName });

/**
 * Gives a private group another name. Cost: 2 reads and 1 write. The board costs 2 reads a minute.
 * @throws `not_allowed` for a member who does not own the group; `group_not_found`, `leaderboard_not_found`; `player_banned`;
 * `too_frequent` after ten changes of groups in a minute; `invalid_request` on a board without private groups
 */
export const renameGroupSpec: OperationSpec<typeof renameRequest, GroupJoined> = {
  name: "renameGroup",
  request: renameRequest,
  answer: groupJoinedSchema,
  async handle(services, { leaderboard, group, name }, caller) {
    const changer = changerOf(caller, leaderboard);
    await boardWithGroups(services, leaderboard);
    if (!changer.isModerator) groupChangesOf(services).take(changer.player);
    await rename(services, { leaderboard, group }, name, changer);
    return { group, name };
  },
};

/**
 * Deletes a private group with its code; a moderator also a damaged one. Cost: 3 reads and 2 deletes. The board costs 2 reads a minute.
 * @throws as {@link renameGroupSpec}
 */
export const deleteGroupSpec: OperationSpec<typeof groupRequest, GroupLeft> = {
  name: "deleteGroup",
  request: groupRequest satisfies z.ZodType,
  answer: groupLeftSchema,
  async handle(services, { leaderboard, group }, caller) {
    const changer = changerOf(caller, leaderboard);
    await boardWithGroups(services, leaderboard);
    await remove(services, { leaderboard, group }, changer);
    return { group };
  },
};
