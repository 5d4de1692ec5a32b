/**
 * The routes of the REST interface. An operation's spec answers each route, so routes and callables have the same
 * rules, schemas and errors.
 */
import { z } from "zod";
import type { ErrorCode } from "../../model/errors.ts";
import type { Caller, OperationName } from "../../operations/shared/access.ts";
import { createGroupSpec } from "../../operations/create-group.ts";
import { deleteGroupSpec, renameGroupSpec } from "../../operations/manage-group.ts";
import { getAroundSpec } from "../../operations/get-around.ts";
import { getGroupSpec } from "../../operations/get-group.ts";
import { getHistogramSpec } from "../../operations/get-histogram.ts";
import { getHistorySpec } from "../../operations/get-history.ts";
import { getLeagueSpec } from "../../operations/get-league.ts";
import { getMyBoardsSpec } from "../../operations/get-my-boards.ts";
import { getMyGroupsSpec } from "../../operations/get-my-groups.ts";
import { getPageSpec } from "../../operations/get-page.ts";
import { getPlayersSpec } from "../../operations/get-players.ts";
import { getRankSpec, rankOfScoreSpec } from "../../operations/get-rank.ts";
import { getResultsSpec } from "../../operations/get-results.ts";
import { getTeamsSpec } from "../../operations/get-teams.ts";
import { getThresholdSpec } from "../../operations/get-threshold.ts";
import { getTopSpec } from "../../operations/get-top.ts";
import { joinGroupSpec } from "../../operations/join-group.ts";
import { leaveGroupSpec, removeMemberSpec } from "../../operations/leave-group.ts";
import { listLeaderboardsSpec } from "../../operations/list-leaderboards.ts";
import { listSeasonsSpec } from "../../operations/list-seasons.ts";
import type { Services } from "../../world/services.ts";
import { setProfileSpec } from "../../operations/set-profile.ts";
import { answer, type OperationSpec } from "../../operations/shared/spec.ts";
import { postScoreSpec } from "../../operations/submit-score.ts";
import { type Parameters, required } from "./query.ts";

/**
 * How long caches may keep an answer: `top` as long as a live top may lag behind, `ranking` until the next publication.
 * A `now` answer must be revalidated each time, by its `ETag`. A `never` answer must not be stored at all. Answers
 * about a closed season are kept longer: see caching.ts.
 */
export type Keep = "top" | "ranking" | "now" | "never";

export interface Route {
  method: "get" | "post";
  /** The path, with parameters in braces, as OpenAPI writes it. */
  path: string;
  name: OperationName;
  summary: string;
  description?: string;
  /** The schemas of the path, the query string and the JSON body; together they make the request. */
  inPath: Parameters;
  inQuery: Parameters;
  inBody?: z.ZodType;
  answer: z.ZodType;
  /** The route's error codes, besides the codes that every route may answer. */
  refusals: readonly ErrorCode[];
  keep: Keep;
  /** Answers a request that has the fields of path, query and body. @throws FirerankError */
  respond: (
    services: Services,
    data: Record<string, unknown>,
    caller: Caller | undefined,
    isKnown: boolean,
  ) => Promise<unknown>;
}

type Described = Pick<Route, "path" | "summary" | "description" | "keep">;
type Optional = Partial<Pick<Route, "method" | "refusals">> & {
  /** Fields of the operation's request that the route does not take. */
  leftOut?: readonly string[];
};

/**
 * A route that an operation's spec answers. Fields of the request that the path does not name are in the query, or in
 * the body of a POST.
 */
function routeOf<Schema extends z.ZodObject, Answer>(
  spec: OperationSpec<Schema, Answer>,
  { method = "get", leftOut = [], refusals = [], ...described }: Described & Optional,
): Route {
  const { name, request } = spec;
  if (spec.answer === undefined) throw new Error(`${name} lacks a schema for its answer`);
  const fields = Object.entries<z.ZodType>(request.shape);
  const named = fields.filter(([field]) => described.path.includes(`{${field}}`));
  const others = fields.filter((one) => !named.includes(one) && !leftOut.includes(one[0]));
  return {
    ...described,
    method,
    name,
    answer: spec.answer,
    inPath: Object.fromEntries(named.map(([field, schema]) => [field, required(schema)])),
    inQuery: method === "get" ? Object.fromEntries(others) : {},
    ...(method === "get" ? {} : { inBody: z.strictObject(Object.fromEntries(others)) }),
    refusals: [
      ...("leaderboard" in request.shape ? (["leaderboard_not_found"] as const) : []),
      ...("season" in request.shape ? (["season_not_found"] as const) : []),
      ...refusals,
    ],
    respond: (services, data, caller, isKnown) =>
      answer({ ...spec, isStrict: true }, services, data, caller, isKnown),
  };
}

const board = "/v1/leaderboards/{leaderboard}";

export const routes: readonly Route[] = [
  routeOf(listLeaderboardsSpec, {
    path: "/v1/leaderboards",
    summary: "The leaderboards",
    description: "All of them for signed-in users, the public ones for everybody else.",
    keep: "now",
  }),
  routeOf(listSeasonsSpec, {
    path: `${board}/seasons`,
    summary: "The seasons of a board",
    description: "Running, coming and closed ones, the newest first.",
    keep: "now",
  }),
  routeOf(getPageSpec, {
    path: `${board}/scores`,
    summary: "All players, best first",
    description:
      "From any `offset`, `score` or `cursor`. Scores are current; ranks come from the published ranking, unless they are `live`.",
    refusals: ["player_not_ranked", "not_allowed"],
    keep: "ranking",
  }),
  routeOf(postScoreSpec, {
    method: "post",
    path: `${board}/scores`,
    summary: "Submit a score",
    description:
      "Records the caller's own score in all spans of the board, or in an open custom `season`. A server, with the role submitter, names the `player`. With a `submission_id` a repeated request counts once.",
    refusals: [
      "score_out_of_range",
      "not_allowed",
      "player_banned",
      "player_erased",
      "server_scores_only",
      "season_closed",
      "too_frequent",
      "too_many_attempts",
    ],
    keep: "never",
  }),
  routeOf(setProfileSpec, {
    method: "post",
    path: `${board}/profile`,
    summary: "Change a name or metadata",
    description:
      "Changes the caller's `display_name` and `metadata` in all open seasons in which the caller is, without a score; null takes one out. A server, with the role `submitter`, names any `player`.",
    refusals: ["not_allowed", "player_banned", "player_erased", "server_scores_only", "too_frequent"],
    keep: "never",
  }),
  routeOf(getRankSpec, {
    path: `${board}/scores/{player}`,
    summary: "A player's rank",
    leftOut: ["score", "columns"],
    refusals: ["player_not_ranked", "not_allowed"],
    keep: "now",
  }),
  routeOf(getAroundSpec, {
    path: `${board}/scores/{player}/around`,
    summary: "A player with the neighbours above and below",
    refusals: ["player_not_ranked", "not_allowed"],
    keep: "now",
  }),
  routeOf(getHistorySpec, {
    path: `${board}/scores/{player}/history`,
    summary: "A player's ranks at midnights",
    description:
      "Of the last 8 days, and of the beginnings of the last 5 weeks; on a board that keeps `movement`.",
    keep: "now",
  }),
  routeOf(getTopSpec, {
    path: `${board}/top`,
    summary: "The best players",
    description:
      "At most a few seconds old. Reads one document, however many players there are; of a `segment`, one for each player listed.",
    refusals: ["player_not_ranked", "not_allowed"],
    keep: "top",
  }),
  routeOf(getPlayersSpec, {
    path: `${board}/players`,
    summary: "Some players, such as a player's friends",
    description: "Best first, by `players=ann&players=bob`; those without a ranked score are left out.",
    refusals: ["player_not_ranked", "not_allowed"],
    keep: "now",
  }),
  routeOf(rankOfScoreSpec, {
    path: `${board}/ranks`,
    summary: "The rank of a score",
    description:
      "Of any score, even if no player has it: `score`, or on a board with columns each column, as in `columns=points:3&columns=goals:7`.",
    leftOut: ["player", "segments"],
    refusals: ["player_not_ranked", "score_out_of_range"],
    keep: "ranking",
  }),
  routeOf(getTeamsSpec, {
    path: `${board}/teams/{segment}`,
    summary: "The teams of a segment",
    description: "As of the last publication, best first, each with the players that it has.",
    keep: "top",
  }),
  routeOf(getThresholdSpec, {
    path: `${board}/threshold`,
    summary: "The score that one needs",
    description: "For a `rank`, a `percentile` or a `tier`: one of them.",
    refusals: ["player_not_ranked"],
    keep: "ranking",
  }),
  routeOf(getHistogramSpec, {
    path: `${board}/histogram`,
    summary: "Players by score",
    description: "In `bins` of equal width, best first; on a board with columns by the first column.",
    refusals: ["player_not_ranked"],
    keep: "ranking",
  }),
  routeOf(getLeagueSpec, {
    path: `${board}/league`,
    summary: "The caller's group in the board's league",
    description: "Its members by place, with the zones that lead up and down, and the caller's last outcome.",
    refusals: ["not_allowed"],
    keep: "never",
  }),
  routeOf(getMyGroupsSpec, {
    path: `${board}/groups`,
    summary: "The private groups of the board in which the caller is",
    description: "Also those that have ended, by name.",
    refusals: ["not_allowed"],
    keep: "never",
  }),
  routeOf(getGroupSpec, {
    path: `${board}/groups/{group}`,
    summary: "A private group of the caller",
    description: "Its members by place, with their scores in a season.",
    refusals: ["not_allowed", "group_not_found", "player_banned"],
    keep: "never",
  }),
  routeOf(createGroupSpec, {
    method: "post",
    path: `${board}/groups`,
    summary: "Makes a private group",
    description: "The caller is its first member and owner. Others join with the code.",
    refusals: ["not_allowed", "player_banned", "player_erased"],
    keep: "never",
  }),
  routeOf(joinGroupSpec, {
    method: "post",
    path: `${board}/join-group`,
    summary: "Joins the private group of a code",
    refusals: [
      "not_allowed",
      "group_not_found",
      "group_full",
      "group_ended",
      "player_banned",
      "player_erased",
      "too_frequent",
    ],
    keep: "never",
  }),
  routeOf(leaveGroupSpec, {
    method: "post",
    path: `${board}/groups/{group}/leave`,
    summary: "Leaves a private group",
    refusals: ["not_allowed", "too_frequent"],
    keep: "never",
  }),
  routeOf(removeMemberSpec, {
    method: "post",
    path: `${board}/groups/{group}/remove-member`,
    summary: "Takes a member out of a private group",
    description: "For its owner, and moderators. The group gets another code.",
    refusals: ["not_allowed", "group_not_found", "player_banned"],
    keep: "never",
  }),
  routeOf(renameGroupSpec, {
    method: "post",
    path: `${board}/groups/{group}/rename`,
    summary: "Gives a private group another name",
    description: "For its owner, and moderators.",
    refusals: ["not_allowed", "group_not_found", "player_banned", "too_frequent"],
    keep: "never",
  }),
  routeOf(deleteGroupSpec, {
    method: "post",
    path: `${board}/groups/{group}/delete`,
    summary: "Deletes a private group",
    description: "For its owner, and moderators.",
    refusals: ["not_allowed", "group_not_found", "player_banned"],
    keep: "never",
  }),
  routeOf(getMyBoardsSpec, {
    path: "/v1/my-boards",
    summary: "The boards of templates on which the caller has a score",
    description: "Season by season, the last achieved first.",
    keep: "never",
  }),
  routeOf(getResultsSpec, {
    path: "/v1/results",
    summary: "The caller's final ranks",
    description: "In seasons that closed `since` a time, the newest first; of one `leaderboard` or of all.",
    keep: "never",
  }),
];
