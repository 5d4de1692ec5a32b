/** `getGroup`: a private group with its members' scores of a season. */
import { z } from "zod";
import { shownCode } from "../groups/codes.ts";
import { codeOf } from "../groups/manage.ts";
import { noGroup } from "../groups/members.ts";
import { readPrivateGroupFor } from "../groups/read.ts";
import { documentId, seasonId } from "../model/ids.ts";
import { suffices } from "../model/role.ts";
import { type PrivateGroupAnswer, privateGroupSchema } from "../model/private-group-answers.ts";
import { privateGroupAnswer } from "../reading/private-group-answer.ts";
import { requestedBoard } from "../seasons/current.ts";
import { boardWithGroups, groupRequest } from "./shared/group-asked.ts";
import { requireRole } from "./shared/access.ts";
import { type OperationSpec, requireCaller, requirePlayer } from "./shared/spec.ts";

const request = groupRequest
  .safeExtend({
    season: seasonId.optional().describe("By default the present season of the group's span."),
    span: z
      .string()
      .optional()
      .describe("Another span than the group's, for its running season. Not together with `season`."),
    with_code: z.boolean().optional().describe("Whether to answer the code with which others join."),
    player: documentId.optional().describe("A member, for moderators; by default the caller."),
  })
  .refine(({ season, span }) => season === undefined || span === undefined, {
    path: ["span"],
    message: "name season or span, not both",
  });

/**
 * A private group of the caller: its members by place, with their scores in the present season of the group's span. A
 * moderator sees every group.
 *
 * Cost: 2 reads: the group, and the caller's own document where the group was not written just now. The board costs 2 reads a
 * minute. Another season than the one that the group shows costs 1 read for each member, and once it has closed 1 more for
 * each whose document was changed since. Whoever looks first after a season has ended costs 3 reads and 1 write more, and a
 * refresh; after the group's own end 1 read more for the group and 1 for each member, twice for one without a score, 1 for
 * the answer, and 2 writes. `with_code` costs 3 reads more.
 * @throws `group_not_found` for a caller who is no member; `player_banned` for a banned one who asks for the code; `leaderboard_not_found`, `season_not_found`; `not_allowed` for
 * another player; `invalid_request` on a board without private groups
 */
export const getGroupSpec: OperationSpec<typeof request, PrivateGroupAnswer> = {
  name: "getGroup",
  request,
  answer: privateGroupSchema,
  async handle(
    services,
    { leaderboard, group: id, season, span, with_code: withCode, player: named },
    caller,
  ) {
    const self = requireCaller(caller);
    const isOther = named !== undefined && named !== self.uid;
    if (isOther) requireRole(self, "moderator", `looking for the groups of "${named}"`, leaderboard);
    const player = named ?? requirePlayer(caller);
    await boardWithGroups(services, leaderboard);
    const asked =
      season === undefined && span === undefined
        ? undefined
        : { key: (await requestedBoard(services, { leaderboard, season, span })).key, span };
    const isModerator = suffices(self, "moderator", leaderboard);
    const found = await readPrivateGroupFor(services, { leaderboard, id, player, isModerator, asked });
    if (found === undefined) throw noGroup(leaderboard, id);
    const { group, definition } = found;
    const shown = { leaderboard, id, group, player, nowMs: services.now() };
    const code =
      withCode === true
        ? shownCode(await codeOf(services, { leaderboard, group: id }, { player, isModerator }))
        : undefined;
    return { ...privateGroupAnswer(definition, shown), ...(code !== undefined && { code }) };
  },
};
