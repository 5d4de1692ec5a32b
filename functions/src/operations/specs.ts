/** All operations that are callables, by name. */
export { closeSeasonSpec as closeSeason } from "./close-season.ts";
export { exportPlayerSpec as exportPlayer } from "./export-player.ts";
export { getAroundSpec as getAround } from "./get-around.ts";
export { getPageSpec as getPage } from "./get-page.ts";
export { getPlayersSpec as getPlayers } from "./get-players.ts";
export { getRankSpec as getRank } from "./get-rank.ts";
export { getResultsSpec as getResults } from "./get-results.ts";
export { getTopSpec as getTop } from "./get-top.ts";
export { listSeasonsSpec as listSeasons } from "./list-seasons.ts";
export { mergePlayersSpec as mergePlayers } from "./merge-players.ts";
export { openSeasonSpec as openSeason } from "./open-season.ts";
export { removePlayerSpec as removePlayer } from "./remove-player.ts";
export { auditSeasonSpec as auditSeason, repairSeasonSpec as repairSeason } from "./repair-season.ts";
export { runRankingSpec as runRanking } from "./run-ranking.ts";
export { saveLeaderboardSpec as saveLeaderboard } from "./save-leaderboard.ts";
export { setPlayerStatusSpec as setPlayerStatus } from "./set-player-status.ts";
export { submitScoreSpec as submitScore } from "./submit-score.ts";
export { submitScoresSpec as submitScores } from "./submit-scores.ts";
