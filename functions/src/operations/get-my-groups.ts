/** `getMyGroups`: the private groups of a board in which the caller is. */
import { z } from "zod";
import { memberHash } from "../documents/private-group.ts";
import { lastGroupsOfPlayer } from "../groups/members.ts";
import { endsWithTournament, withEnd } from "../groups/read.ts";
import { leaderboardId } from "../model/ids.ts";
import { isoTime } from "../model/instant.ts";
import { type MyGroupsAnswer, myGroupsSchema } from "../model/private-group-answers.ts";
import { stateOfPrivate } from "../reading/private-group-answer.ts";
import { boardIfAny } from "../seasons/board.ts";
import { boardWithGroups, memberMeant, newMemberFields } from "./shared/group-asked.ts";
import type { OperationSpec } from "./shared/spec.ts";

const request = z.strictObject({ leaderboard: leaderboardId, player: newMemberFields.player });

/**
 * The private groups of a board in which the caller is, also the 20 that ended last, by name. Cost: 1 read for each, at least
 * 2. The board costs 2 reads a minute, and so does the tournament of a group that has not ended.
 * @throws `leaderboard_not_found`; `invalid_request` on a board without private groups
 */
export const getMyGroupsSpec: OperationSpec<typeof request, MyGroupsAnswer> = {
  name: "getMyGroups",
  request,
  answer: myGroupsSchema,
  async handle(services, { leaderboard, player: named }, caller) {
    const player = memberMeant(caller, named, leaderboard);
    await boardWithGroups(services, leaderboard);
    const hash = memberHash(leaderboard, player);
    const found = await Promise.all(
      (await lastGroupsOfPlayer(services, leaderboard, player)).map(async ({ id, group }) => {
        if (group === undefined || !endsWithTournament(group)) return { id, group };
        const board = await boardIfAny(services, { leaderboard, season: group.season });
        return { id, group: withEnd(group, board?.season) };
      }),
    );
    const groups = found.flatMap(({ id, group }) => {
      // A damaged group is a moderator's to delete.
      if (group === undefined) return [];
      const { name, season, owner, readers, ends_at: endsAt } = group;
      const state = stateOfPrivate(group, services.now());
      const ends_at = endsAt === null ? null : isoTime(endsAt);
      return { group: id, name, season, state, players: readers.length, is_owner: owner === hash, ends_at };
    });
    groups.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.group < b.group ? -1 : 1));
    return { leaderboard, groups };
  },
};
