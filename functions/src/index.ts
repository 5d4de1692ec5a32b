export { getAround } from "./operations/get-around.ts";
export { getPage } from "./operations/get-page.ts";
export { getPlayers } from "./operations/get-players.ts";
export { getRank } from "./operations/get-rank.ts";
export { getTop } from "./operations/get-top.ts";
export { submitScore } from "./operations/submit-score.ts";

export { removePlayer } from "./operations/remove-player.ts";
export { auditSeason, rebuildSeason, sweepSeason } from "./operations/repair-season.ts";
export { runRanking } from "./operations/run-ranking.ts";
export { saveLeaderboard } from "./operations/save-leaderboard.ts";
export { setPlayerStatus } from "./operations/set-player-status.ts";
export { submitScores } from "./operations/submit-scores.ts";

export { api } from "./transports/rest/api.ts";

export {
  auditSeasons,
  indexPlayer,
  rankSeason,
  rankSeasons,
  refreshTop,
  repairSeasonStep,
} from "./transports/background.ts";
