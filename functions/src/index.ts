export {
  auditSeason,
  getAround,
  getPage,
  getPlayers,
  getRank,
  getTop,
  rebuildSeason,
  removePlayer,
  runRanking,
  saveLeaderboard,
  setPlayerStatus,
  submitScore,
  submitScores,
  sweepSeason,
} from "./transports/callables.ts";

export { api } from "./transports/rest/api.ts";

export {
  auditSeasons,
  indexPlayer,
  rankSeason,
  rankSeasons,
  refreshTop,
  repairSeasonStep,
} from "./transports/background.ts";
