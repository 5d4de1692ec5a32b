export { getAround } from "./callables/get-around.ts";
export { getPage } from "./callables/get-page.ts";
export { getPlayers } from "./callables/get-players.ts";
export { getRank } from "./callables/get-rank.ts";
export { getTop } from "./callables/get-top.ts";
export { submitScore } from "./callables/submit-score.ts";

export { api } from "./rest/api.ts";

export { removePlayer } from "./admin/remove-player.ts";
export { auditSeason, rebuildSeason, sweepSeason } from "./admin/repair-season.ts";
export { runRanking } from "./admin/run-ranking.ts";
export { saveLeaderboard } from "./admin/save-leaderboard.ts";
export { setPlayerStatus } from "./admin/set-player-status.ts";
export { submitScores } from "./admin/submit-scores.ts";

export {
  auditSeasons,
  indexPlayer,
  rankSeason,
  rankSeasons,
  refreshTop,
  repairSeasonStep,
} from "./background.ts";
