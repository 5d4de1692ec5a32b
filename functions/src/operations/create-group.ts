/** `createGroup`: makes a private group. */
import { z } from "zod";
import { shownCode } from "../groups/codes.ts";
import { makeGroup } from "../groups/members.ts";
import { invalidField } from "../model/errors.ts";
import { leaderboardId, seasonId } from "../model/ids.ts";
import { privateGroupSizeMax } from "../model/limits.ts";
import { type GroupMade, groupMadeSchema } from "../model/private-group-answers.ts";
import { isStorable } from "../model/stored-time.ts";
import { spanOfId } from "../model/season-id.ts";
import { requestedBoard } from "../seasons/current.ts";
import { boardWithGroups, groupName, memberMeant, newMemberFields } from "./shared/group-asked.ts";
import { timeAsked } from "./shared/season-asked.ts";
import type { OperationSpec } from "./shared/spec.ts";

const request = z
  .strictObject({
    leaderboard: leaderboardId,
    name: groupName,
    size: z
      .int()
      .min(2, "must be at least 2")
      .max(privateGroupSizeMax, `must be at most ${privateGroupSizeMax}`)
      .default(privateGroupSizeMax)
      .describe("How many members the group may have."),
    span: z
      .string()
      .optional()
      .describe("The span whose seasons the group goes through; by default the board's first."),
    season: seasonId
      .optional()
      .describe("A tournament, with which the group ends. Not together with `span`."),
    ends_at: timeAsked
      .optional()
      .describe("When the group ends; left out, it goes on from season to season."),
    ...newMemberFields,
  })
  .refine(({ season, span }) => season === undefined || span === undefined, {
    path: ["span"],
    message: "name season or span, not both",
  });

/**
 * Makes a private group with the caller as its first member and owner, and a code with which others join. A call that is
 * repeated gets the same group.
 *
 * Cost: 4 reads, 1 for each group of the player that has not ended, at least 1, and 2 writes; the board costs 4 reads a minute.
 * @throws `leaderboard_not_found`, `season_not_found`; `invalid_request` for a tournament that is over, on a board without
 * private groups, for an end that is past, in ten groups already, and for the name of another own group whose end is not past;
 * `player_banned`, `player_erased`
 */
export const createGroupSpec: OperationSpec<typeof request, GroupMade> = {
  name: "createGroup",
  request,
  answer: groupMadeSchema,
  async handle(
    services,
    { leaderboard, name, size, span, season, ends_at, player: named, display_name },
    caller,
  ) {
    const player = memberMeant(caller, named, leaderboard);
    await boardWithGroups(services, leaderboard);
    const { key, season: stored } = await requestedBoard(services, { leaderboard, season, span });
    const isTournaments = spanOfId(key.season) === "custom";
    if (season !== undefined && !isTournaments)
      throw invalidField("season", "is one of a span, after which the group would go on: name the span");
    if (isTournaments && ends_at !== undefined)
      throw invalidField("ends_at", "is for a group of a span: one of a tournament ends with it");
    if (ends_at !== undefined && !isStorable(Date.parse(ends_at) + services.endWaitMs))
      throw invalidField("ends_at", "is too far away");
    const closesAt = stored?.closes_at ?? null;
    const isClosed =
      isTournaments && (stored?.status !== "open" || (closesAt?.toMillis() ?? Infinity) <= services.now());
    const isPast = ends_at !== undefined && Date.parse(ends_at) <= services.now();
    const refusal = isClosed
      ? tournamentOver(key.season)
      : isPast
        ? invalidField("ends_at", "is past")
        : undefined;
    const own = ends_at === undefined ? null : { toMillis: () => Date.parse(ends_at) };
    const ends = isTournaments ? { at: closesAt, byItself: false } : { at: own, byItself: own !== null };
    const made = await makeGroup(services, { key, player, name, size, display_name, ends, refusal });
    return { group: made.group, code: shownCode(made.code), name };
  },
};

function tournamentOver(season: string) {
  return invalidField("season", `is over: "${season}" takes no more scores`);
}
