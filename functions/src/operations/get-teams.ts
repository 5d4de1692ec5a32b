/** `getTeams`: the values of a segment, such as guilds, ranked by what their players have together. */
import { z } from "zod";
import { type TeamsAnswer, teamsSchema } from "../model/team-answers.ts";
import { invalidField } from "../model/errors.ts";
import { pageLimitMax } from "../model/limits.ts";
import { teamsAnswer } from "../reading/teams-answer.ts";
import { teamReadsOf } from "../reading/team-reads.ts";
import { requestedBoard } from "../seasons/current.ts";
import { cursorOf, limitUpTo, readingRequest, requireVisible, segmentOf } from "./shared/season-asked.ts";
import { cursorParts, type OperationSpec } from "./shared/spec.ts";

export const getTeamsRequest = readingRequest.safeExtend({
  segment: z
    .string()
    .min(1, "must name a segment")
    .describe("The name of a segment that has `teams`, such as `guild`."),
  cursor: cursorOf("getTeams"),
  limit: limitUpTo(pageLimitMax),
});

/**
 * Teams as of the last publication, best first.
 *
 * Cost: 1 read, shared by all requests that wait for it. The board costs 2 reads a minute.
 * @throws `invalid_request` about a segment without teams
 */
export const getTeamsSpec: OperationSpec<typeof getTeamsRequest, TeamsAnswer> = {
  name: "getTeams",
  request: getTeamsRequest,
  answer: teamsSchema,
  async handle(services, request, caller) {
    const { segment: name, cursor, limit, min_generation: minGeneration } = request;
    const { key, definition } = await requestedBoard(services, request);
    requireVisible(definition, caller);
    if (segmentOf(definition, name, "segment").teams === undefined)
      throw invalidField("segment", `"${name}" has no teams: name one whose values are ranked`);
    const from = cursor === undefined ? 0 : Number(cursorParts(cursor, /^(\d{1,6})$/, "getTeams' answer")[0]);
    const teams = await teamReadsOf(services).teamsOf(key, name, minGeneration);
    const until = from + limit;
    const next = until < teams.entries.length ? { next_cursor: String(until) } : {};
    return { ...teamsAnswer(key, teams, from, limit), ...next };
  },
};
