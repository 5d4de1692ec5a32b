/** `getLeague`: the caller's group in a board's league. */
import { lastOutcome } from "../documents/league-standing.ts";
import { readOwnGroup, whyNoGroup } from "../league/own-group.ts";
import { type LeagueAnswer, leagueAnswerSchema } from "../model/league-answer.ts";
import { type FirerankError, invalidField } from "../model/errors.ts";
import { documentId } from "../model/ids.ts";
import { spanOfId } from "../model/season-id.ts";
import { groupAnswer } from "../reading/group-answer.ts";
import { boardCacheOf } from "../seasons/board.ts";
import { requestedBoard } from "../seasons/current.ts";
import { seasonRequest } from "./shared/season-asked.ts";
import { requireRole } from "./shared/access.ts";
import { type OperationSpec, requireCaller, requirePlayer } from "./shared/spec.ts";

export const getLeagueRequest = seasonRequest.safeExtend({
  player: documentId.optional().describe("Another player, for moderators; by default the caller."),
});

/**
 * The caller's group in the league of the present week, or of another one that is kept: its members by place, with the zones
 * that lead up and down; and the last outcome.
 *
 * Cost: 3 reads: the player, the standing, the group. The board costs 2 reads a minute. Where the group is behind the player's
 * document, as a process died after a score, 1 read and 1 write; where the player should have a seat and asks for none,
 * as after an import, 1 read and 1 write.
 * @throws `unauthenticated`; `not_allowed` for another player; `invalid_request` for a board that has no league
 */
export const getLeagueSpec: OperationSpec<typeof getLeagueRequest, LeagueAnswer> = {
  name: "getLeague",
  request: getLeagueRequest,
  answer: leagueAnswerSchema,
  async handle(services, { leaderboard, season, span, player: named }, caller) {
    const player = named ?? requirePlayer(caller);
    if (named !== undefined && named !== caller?.uid)
      requireRole(requireCaller(caller), "moderator", `looking for the group of "${named}"`, leaderboard);
    const { definition } = await boardCacheOf(services).loadDefinition(leaderboard);
    // A week of before may have been of a league.
    if (definition.league === undefined && season === undefined) throw noLeague(leaderboard);
    const asked = season === undefined && span === undefined ? { span: "weekly" } : { season, span };
    const requested = await requestedBoard(services, { leaderboard, ...asked });
    const { key, season: known } = requested;
    if (definition.league === undefined && known?.league === undefined) throw noLeague(leaderboard);
    if (known === undefined ? spanOfId(key.season) !== "weekly" : known.span !== "weekly")
      throw invalidField(
        season === undefined ? "span" : "season",
        "must be of the span weekly: a league has weeks",
      );
    const { board, member, standing, found } = await readOwnGroup(services, requested, player);
    const answered = { ...key, last: lastOutcome(standing) ?? null };
    if (found !== undefined) {
      const { id, group } = found;
      // After a change of the calendar the week goes on for longer than when the group began.
      const endsAt = group.settled_at === undefined ? (board.season?.closes_at ?? null) : group.ends_at;
      const shown = { id, group: { ...group, ends_at: endsAt }, player, nowMs: services.now() };
      return { ...answered, league: groupAnswer(board.definition, shown) };
    }
    return { ...answered, league: null, why: await whyNoGroup(services, board, member, standing) };
  },
};

function noLeague(leaderboard: string): FirerankError {
  const why = `"${leaderboard}" names none in its definition, or not for a minute yet`;
  return invalidField("leaderboard", `has no league: ${why}`);
}
