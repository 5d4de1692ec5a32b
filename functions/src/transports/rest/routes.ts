/**
 * The routes of the REST interface. Each is answered by an operation's spec, so rules, schemas and errors are the same
 * as the callables'.
 */
import { getAroundSpec } from "../../operations/get-around.ts";
import { getPageSpec } from "../../operations/get-page.ts";
import { getPlayersSpec } from "../../operations/get-players.ts";
import { getRankSpec, rankOfScoreSpec } from "../../operations/get-rank.ts";
import { getResultsSpec } from "../../operations/get-results.ts";
import { getTopSpec } from "../../operations/get-top.ts";
import { listLeaderboardsSpec } from "../../operations/list-leaderboards.ts";
import { listSeasonsSpec } from "../../operations/list-seasons.ts";
import { setProfileSpec } from "../../operations/set-profile.ts";
import { postScoreSpec } from "../../operations/submit-score.ts";
import { type Route, routeOf } from "./route.ts";

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
      "From any `offset`, or from a `cursor`. Scores are current; ranks come from the published ranking, unless they are `live`.",
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
    refusals: ["not_allowed", "player_banned", "server_scores_only", "too_frequent"],
    keep: "never",
  }),
  routeOf(getRankSpec, {
    path: `${board}/scores/{player}`,
    summary: "A player's rank",
    leftOut: ["score", "columns"],
    refusals: ["player_not_ranked"],
    keep: "now",
  }),
  routeOf(getAroundSpec, {
    path: `${board}/scores/{player}/around`,
    summary: "A player with the neighbours above and below",
    refusals: ["player_not_ranked"],
    keep: "now",
  }),
  routeOf(getTopSpec, {
    path: `${board}/top`,
    summary: "The best players",
    description: "At most a few seconds old. Reads one document, however many players there are.",
    keep: "top",
  }),
  routeOf(getPlayersSpec, {
    path: `${board}/players`,
    summary: "Some players, such as a player's friends",
    description: "Best first, by `players=ann&players=bob`; those without a ranked score are left out.",
    keep: "now",
  }),
  routeOf(rankOfScoreSpec, {
    path: `${board}/ranks`,
    summary: "The rank of a score",
    description:
      "Of any score, even if no player has it: `score`, or on a board with columns each column, as in `columns[points]=3&columns[goals]=7`.",
    leftOut: ["player"],
    refusals: ["player_not_ranked", "score_out_of_range"],
    keep: "ranking",
  }),
  routeOf(getResultsSpec, {
    path: "/v1/results",
    summary: "The caller's final ranks",
    description: "In seasons that closed `since` a time, the newest first; of one `leaderboard` or of all.",
    keep: "never",
  }),
];
