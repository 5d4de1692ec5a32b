/** All operations that are callables, by name. */
import { exportPlayerSpec } from "./export-player.ts";
import { getAroundSpec } from "./get-around.ts";
import { getPageSpec } from "./get-page.ts";
import { getPlayersSpec } from "./get-players.ts";
import { getRankSpec } from "./get-rank.ts";
import { getResultsSpec } from "./get-results.ts";
import { getTopSpec } from "./get-top.ts";
import { closeSeasonSpec } from "./close-season.ts";
import { listSeasonsSpec } from "./list-seasons.ts";
import { mergePlayersSpec } from "./merge-players.ts";
import { openSeasonSpec } from "./open-season.ts";
import { removePlayerSpec } from "./remove-player.ts";
import { auditSeasonSpec, repairSeasonSpec } from "./repair-season.ts";
import { runRankingSpec } from "./run-ranking.ts";
import { saveLeaderboardSpec } from "./save-leaderboard.ts";
import { setPlayerStatusSpec } from "./set-player-status.ts";
import { submitScoreSpec } from "./submit-score.ts";
import { submitScoresSpec } from "./submit-scores.ts";

export const specs = {
  auditSeason: auditSeasonSpec,
  closeSeason: closeSeasonSpec,
  exportPlayer: exportPlayerSpec,
  getAround: getAroundSpec,
  getPage: getPageSpec,
  getPlayers: getPlayersSpec,
  getRank: getRankSpec,
  getResults: getResultsSpec,
  getTop: getTopSpec,
  listSeasons: listSeasonsSpec,
  mergePlayers: mergePlayersSpec,
  openSeason: openSeasonSpec,
  removePlayer: removePlayerSpec,
  repairSeason: repairSeasonSpec,
  runRanking: runRankingSpec,
  saveLeaderboard: saveLeaderboardSpec,
  setPlayerStatus: setPlayerStatusSpec,
  submitScore: submitScoreSpec,
  submitScores: submitScoresSpec,
};
