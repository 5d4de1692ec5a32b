import "./transports/node-version.ts";
import "./transports/kit.ts";
import { submissionsAtOnceMax } from "./model/limits.ts";
import * as specs from "./operations/specs.ts";
import { type CallableLimits, defineCallable } from "./transports/callable.ts";

export const createGroup = defineCallable(specs.createGroup);
export const deleteGroup = defineCallable(specs.deleteGroup);
export const getAround = defineCallable(specs.getAround);
export const getGroup = defineCallable(specs.getGroup);
export const getHistogram = defineCallable(specs.getHistogram);
export const getHistory = defineCallable(specs.getHistory);
export const getLeague = defineCallable(specs.getLeague);
export const getMyBoards = defineCallable(specs.getMyBoards);
export const getMyGroups = defineCallable(specs.getMyGroups);
export const getPage = defineCallable(specs.getPage);
export const getPlayers = defineCallable(specs.getPlayers);
export const getRank = defineCallable(specs.getRank);
export const getResults = defineCallable(specs.getResults);
export const getTeams = defineCallable(specs.getTeams);
export const getThreshold = defineCallable(specs.getThreshold);
export const getTop = defineCallable(specs.getTop);
export const joinGroup = defineCallable(specs.joinGroup);
export const leaveGroup = defineCallable(specs.leaveGroup);
export const listSeasons = defineCallable(specs.listSeasons);
export const mergeGuest = defineCallable(specs.mergeGuest, { timeoutSeconds: 540 });
export const removeMember = defineCallable(specs.removeMember);
export const renameGroup = defineCallable(specs.renameGroup);
export const setProfile = defineCallable(specs.setProfile);
// Submissions that wait together share a commit: a process takes as many as may come.
export const submitScore = defineCallable(specs.submitScore, { concurrency: submissionsAtOnceMax });

// A whole season may need most of an instance's memory: one at a time.
const wholeSeason: CallableLimits = { timeoutSeconds: 540, concurrency: 1 };

export const auditSeason = defineCallable(specs.auditSeason, wholeSeason);
export const closeSeason = defineCallable(specs.closeSeason);
export const deleteLeaderboard = defineCallable(specs.deleteLeaderboard, { timeoutSeconds: 540 });
// Tops of up to a megabyte each, several at a time.
export const exportPlayer = defineCallable(specs.exportPlayer, wholeSeason);
// Each season may need a count of its players.
export const listAlerts = defineCallable(specs.listAlerts, { timeoutSeconds: 540 });
export const mergePlayers = defineCallable(specs.mergePlayers, { timeoutSeconds: 540 });
export const getRoles = defineCallable(specs.getRoles);
export const openSeason = defineCallable(specs.openSeason);
export const removePlayer = defineCallable(specs.removePlayer, { timeoutSeconds: 540 });
export const repairSeason = defineCallable(specs.repairSeason, wholeSeason);
export const runRanking = defineCallable(specs.runRanking, wholeSeason);
export const saveLeaderboard = defineCallable(specs.saveLeaderboard);
export const setRole = defineCallable(specs.setRole);
export const setPlayerStatus = defineCallable(specs.setPlayerStatus, { timeoutSeconds: 540 });
export const submitScores = defineCallable(specs.submitScores, { timeoutSeconds: 300 });

export { leaderboardApi } from "./transports/rest/api.ts";

export { indexPlayer, rankSeasons, refreshTop, stepSeason, stepSmallSeasons } from "./transports/triggers.ts";
