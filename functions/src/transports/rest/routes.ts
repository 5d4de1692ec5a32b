/**
 * The routes of the REST interface. Each is answered by an operation's spec, so rules, schemas and errors are the same
 * as the callables'.
 */
import type { z } from "zod";
import { getAroundRequest, getAroundSpec } from "../../operations/get-around.ts";
import { getPageRequest, getPageSpec } from "../../operations/get-page.ts";
import { getPlayersRequest, getPlayersSpec } from "../../operations/get-players.ts";
import { getRankRequest, getRankSpec } from "../../operations/get-rank.ts";
import { getResultsRequest, getResultsSpec } from "../../operations/get-results.ts";
import { getTopRequest, getTopSpec } from "../../operations/get-top.ts";
import { listLeaderboardsRequest, listLeaderboardsSpec } from "../../operations/list-leaderboards.ts";
import { listSeasonsRequest, listSeasonsSpec } from "../../operations/list-seasons.ts";
import { postScoreRequest, postScoreSpec } from "../../operations/post-score.ts";
import { rankOfScoreSpec } from "../../operations/rank-of-score.ts";
import type { OperationSpec } from "../../operations/spec.ts";
import { type Route, routeOf } from "./route.ts";

const board = "/v1/leaderboards/{leaderboard}";

const { leaderboard, season, span, min_generation, freshness, exact, player, score, columns } =
  getRankRequest.shape;
const inSeason = { season, span, min_generation };

const submit = routeOf(postScoreSpec, {
  method: "post",
  path: `${board}/scores`,
  name: "submitScore",
  summary: "Submit a score",
  description:
    "Records the caller's own score in all spans of the board, or in an open custom `season`. An admin's server names the `player`. With a `submission_id` a repeated request counts once.",
  inPath: { leaderboard },
  inQuery: {},
  inBody: postScoreRequest.omit({ leaderboard: true }),
  refusals: [
    "leaderboard_not_found",
    "score_out_of_range",
    "not_admin",
    "player_banned",
    "server_scores_only",
    "season_not_found",
    "season_closed",
    "too_frequent",
    "too_many_attempts",
  ],
  keep: "never",
});

const top = aboutSeason(getTopSpec, {
  path: `${board}/top`,
  name: "getTop",
  summary: "The best players",
  description: "At most a few seconds old. Reads one document, however many players there are.",
  inQuery: { limit: getTopRequest.shape.limit },
  keep: "top",
});

const { offset, cursor, limit } = getPageRequest.shape;

const page = aboutSeason(getPageSpec, {
  path: `${board}/scores`,
  name: "getPage",
  summary: "All players, best first",
  description:
    "From any `offset`, or from a `cursor`. Scores are current; ranks come from the published ranking.",
  inQuery: { offset, cursor, limit },
  keep: "ranking",
});

const players = aboutSeason(getPlayersSpec, {
  path: `${board}/players`,
  name: "getPlayers",
  summary: "Some players, such as a player's friends",
  description: "Best first, by `players=ann&players=bob`; those without a ranked score are left out.",
  inQuery: { players: getPlayersRequest.shape.players },
  keep: "now",
});

const around = aboutSeason(getAroundSpec, {
  path: `${board}/scores/{player}/around`,
  name: "getAround",
  summary: "A player with the neighbours above and below",
  inPath: { player: player.unwrap() },
  inQuery: { above: getAroundRequest.shape.above, below: getAroundRequest.shape.below },
  refusals: ["player_not_ranked"],
  keep: "now",
});

const rank = aboutSeason(getRankSpec, {
  path: `${board}/scores/{player}`,
  name: "getRank",
  summary: "A player's rank",
  inPath: { player: player.unwrap() },
  inQuery: { freshness, exact },
  refusals: ["player_not_ranked"],
  keep: "now",
});

const rankOfScore = aboutSeason(rankOfScoreSpec, {
  path: `${board}/ranks`,
  name: "getRankOfScore",
  summary: "The rank of a score",
  description:
    "Of any score, even if no player has it: `score`, or on a board with columns each column, as in `columns[points]=3&columns[goals]=7`.",
  inQuery: { score, columns, freshness, exact },
  refusals: ["player_not_ranked", "score_out_of_range"],
  keep: "ranking",
});

const boards = routeOf(listLeaderboardsSpec, {
  method: "get",
  path: "/v1/leaderboards",
  name: "listLeaderboards",
  summary: "The leaderboards",
  description: "All of them for signed-in users, the public ones for everybody else.",
  inPath: {},
  inQuery: listLeaderboardsRequest.shape,
  refusals: [],
  keep: "now",
});

const seasons = routeOf(listSeasonsSpec, {
  method: "get",
  path: `${board}/seasons`,
  name: "listSeasons",
  summary: "The seasons of a board",
  description: "Running, coming and closed ones, the newest first.",
  inPath: { leaderboard },
  inQuery: listSeasonsRequest.omit({ leaderboard: true }).shape,
  refusals: ["leaderboard_not_found"],
  keep: "now",
});

const results = routeOf(getResultsSpec, {
  method: "get",
  path: "/v1/results",
  name: "getResults",
  summary: "The caller's final ranks",
  description: "In seasons that closed `since` a time, the newest first; of one `leaderboard` or of all.",
  inPath: {},
  inQuery: getResultsRequest.shape,
  refusals: ["leaderboard_not_found"],
  keep: "never",
});

export const routes: readonly Route[] = [
  boards,
  seasons,
  page,
  submit,
  rank,
  around,
  top,
  players,
  rankOfScore,
  results,
];

/** A route about a season: the board is in the path, and the season or span in the query. */
function aboutSeason<Schema extends z.ZodType, Answer>(
  spec: OperationSpec<Schema, Answer>,
  {
    inPath = {},
    inQuery,
    refusals = [],
    ...route
  }: Pick<Route, "path" | "name" | "summary" | "description" | "inQuery" | "keep"> &
    Partial<Pick<Route, "inPath" | "refusals">>,
): Route {
  return routeOf(spec, {
    method: "get",
    ...route,
    inPath: { leaderboard, ...inPath },
    inQuery: { ...inSeason, ...inQuery },
    refusals: ["leaderboard_not_found", "season_not_found", ...refusals],
  });
}
