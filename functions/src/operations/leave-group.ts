/** `leaveGroup` and `removeMember`: take a member out of a private group. */
import { groupChangesOf, shownCode } from "../groups/codes.ts";
import { removeMemberOf } from "../groups/manage.ts";
import { leave } from "../groups/members.ts";
import { documentId } from "../model/ids.ts";
import {
  type GroupLeft,
  groupLeftSchema,
  type MemberRemoved,
  memberRemovedSchema,
} from "../model/private-group-answers.ts";
import {
  boardWithGroups,
  changerOf,
  groupRequest,
  memberMeant,
  newMemberFields,
} from "./shared/group-asked.ts";
import type { OperationSpec } from "./shared/spec.ts";

const leaveRequest = groupRequest.safeExtend({ player: newMemberFields.player });

/**
 * Takes the caller out of a private group; nothing changes for somebody who is no member. Of the owner the group passes to the
 * member who came first, and with the last member it goes. The final places of a group that has ended stay.
 *
 * Cost: 1 read and 1 write; with the last member 1 read more, and 2 deletes in place of the write. The board costs 2 reads a minute.
 * @throws `too_frequent` after ten changes of groups in a minute; `leaderboard_not_found`; `invalid_request` on a board without
 * private groups. A group that is not there is left.
 */
export const leaveGroupSpec: OperationSpec<typeof leaveRequest, GroupLeft> = {
  name: "leaveGroup",
  request: leaveRequest,
  answer: groupLeftSchema,
  async handle(services, { leaderboard, group, player: named }, caller) {
    const player = memberMeant(caller, named, leaderboard);
    await boardWithGroups(services, leaderboard);
    groupChangesOf(services).take(player);
    await leave(services, { leaderboard, group }, player);
    return { group };
  },
};

const removeRequest = groupRequest.safeExtend({
  player: documentId.describe("The member. Who owns the group calls, or a moderator."),
});

/**
 * Takes a member out of a private group, and gives the group another code: the member knows the one of before.
 *
 * Cost: 3 reads, 2 writes and 1 delete; for somebody who is no member any more 3 reads. The board costs 2 reads a minute.
 * @throws `not_allowed` for a member who does not own the group; `group_not_found`, `leaderboard_not_found`;
 * `player_banned`; `invalid_request` for the only member, and on a board without private groups
 */
export const removeMemberSpec: OperationSpec<typeof removeRequest, MemberRemoved> = {
  name: "removeMember",
  request: removeRequest,
  answer: memberRemovedSchema,
  async handle(services, { leaderboard, group, player }, caller) {
    const changer = changerOf(caller, leaderboard);
    await boardWithGroups(services, leaderboard);
    const code = await removeMemberOf(services, { leaderboard, group }, player, changer);
    return { group, code: shownCode(code) };
  },
};
