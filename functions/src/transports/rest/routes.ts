/** The routes of the REST interface, each answered by an operation's spec, so that rules, schemas and errors are those of the callables. */
import type { ErrorCode } from "../../model/errors.ts";
import { getAroundRequest, getAroundSpec } from "../../operations/get-around.ts";
import { getPageRequest, getPageSpec } from "../../operations/get-page.ts";
import { getPlayersRequest, getPlayersSpec } from "../../operations/get-players.ts";
import { getRankRequest, getRankSpec } from "../../operations/get-rank.ts";
import { getTopRequest, getTopSpec } from "../../operations/get-top.ts";
import { listLeaderboardsRequest, listLeaderboardsSpec } from "../../operations/list-leaderboards.ts";
import { postScoreRequest, postScoreSpec } from "../../operations/post-score.ts";
import { rankOfScoreSpec } from "../../operations/rank-of-score.ts";
import { type Route, routeOf } from "./route.ts";

const board = "/v1/leaderboards/{leaderboard}";

const { leaderboard, season, span, min_generation, freshness, exact, player, score, columns } =
  getRankRequest.shape;
const inSeason = { season, span, min_generation };
const ofSeason: readonly ErrorCode[] = ["leaderboard_not_found", "season_not_found"];

const submit = routeOf(postScoreSpec, {
  method: "post",
  path: `${board}/scores`,
  name: "submitScore",
  summary: "Submit a score",
  description:
    "Records the caller's own score in all spans of the board; an admin's server names the `player`. With a `submission_id` it may be sent again without harm.",
  inPath: { leaderboard },
  inQuery: {},
  inBody: postScoreRequest.omit({ leaderboard: true }),
  refusals: [
    "leaderboard_not_found",
    "score_out_of_range",
    "not_admin",
    "player_banned",
    "server_scores_only",
    "season_closed",
    "too_frequent",
    "too_many_attempts",
  ],
  keep: "never",
});

const top = routeOf(getTopSpec, {
  method: "get",
  path: `${board}/top`,
  name: "getTop",
  summary: "The best players",
  description: "As they are, or were a few seconds ago: one document, whatever the number of players.",
  inPath: { leaderboard },
  inQuery: { ...inSeason, limit: getTopRequest.shape.limit },
  refusals: ofSeason,
  keep: "top",
});

const { offset, cursor, limit } = getPageRequest.shape;

const page = routeOf(getPageSpec, {
  method: "get",
  path: `${board}/scores`,
  name: "getPage",
  summary: "All players, best first",
  description:
    "From any `offset`, or on from a `cursor`. Scores are current; ranks are those of the published ranking.",
  inPath: { leaderboard },
  inQuery: { ...inSeason, offset, cursor, limit },
  refusals: ofSeason,
  keep: "ranking",
});

const players = routeOf(getPlayersSpec, {
  method: "get",
  path: `${board}/players`,
  name: "getPlayers",
  summary: "Some players, such as a player's friends",
  description: "Best first, by `players=ann&players=bob`; those without a ranked score are left out.",
  inPath: { leaderboard },
  inQuery: { ...inSeason, players: getPlayersRequest.shape.players },
  refusals: ofSeason,
  keep: "now",
});

const around = routeOf(getAroundSpec, {
  method: "get",
  path: `${board}/scores/{player}/around`,
  name: "getAround",
  summary: "A player with the neighbours above and below",
  inPath: { leaderboard, player: player.unwrap() },
  inQuery: { ...inSeason, above: getAroundRequest.shape.above, below: getAroundRequest.shape.below },
  refusals: [...ofSeason, "player_not_ranked"],
  keep: "now",
});

const rank = routeOf(getRankSpec, {
  method: "get",
  path: `${board}/scores/{player}`,
  name: "getRank",
  summary: "A player's rank",
  inPath: { leaderboard, player: player.unwrap() },
  inQuery: { ...inSeason, freshness, exact },
  refusals: [...ofSeason, "player_not_ranked"],
  keep: "now",
});

const rankOfScore = routeOf(rankOfScoreSpec, {
  method: "get",
  path: `${board}/ranks`,
  name: "getRankOfScore",
  summary: "The rank of a score",
  description:
    "Of any score, held by somebody or not: `score`, or on a board of columns each of them, as in `columns[points]=3&columns[goals]=7`.",
  inPath: { leaderboard },
  inQuery: { ...inSeason, score, columns, freshness, exact },
  refusals: [...ofSeason, "score_out_of_range"],
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

export const routes: readonly Route[] = [boards, page, submit, rank, around, top, players, rankOfScore];
