import "./transports/node-version.ts";
import "./transports/kit.ts";

export {
  auditSeason,
  closeSeason,
  exportPlayer,
  getAround,
  getPage,
  getPlayers,
  getRank,
  getResults,
  getTop,
  listSeasons,
  mergePlayers,
  openSeason,
  rebuildSeason,
  removePlayer,
  runRanking,
  saveLeaderboard,
  setPlayerStatus,
  submitScore,
  submitScores,
  sweepSeason,
} from "./transports/callables.ts";

export { leaderboardApi } from "./transports/rest/api.ts";

export { closeSeasonStep, rankSeason, refreshTop, repairSeasonStep } from "./transports/tasks.ts";
export { auditSeasons, closeSeasons, indexPlayer, rankSeasons } from "./transports/triggers.ts";
