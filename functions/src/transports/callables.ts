/** The callables, each an operation under its own name. */
import { getAroundSpec } from "../operations/get-around.ts";
import { getPageSpec } from "../operations/get-page.ts";
import { getPlayersSpec } from "../operations/get-players.ts";
import { getRankSpec } from "../operations/get-rank.ts";
import { getTopSpec } from "../operations/get-top.ts";
import { removePlayerSpec } from "../operations/remove-player.ts";
import { auditSeasonSpec, rebuildSeasonSpec, sweepSeasonSpec } from "../operations/repair-season.ts";
import { runRankingSpec } from "../operations/run-ranking.ts";
import { saveLeaderboardSpec } from "../operations/save-leaderboard.ts";
import { setPlayerStatusSpec } from "../operations/set-player-status.ts";
import { submitScoreSpec } from "../operations/submit-score.ts";
import { submitScoresSpec } from "../operations/submit-scores.ts";
import { type CallableLimits, defineCallable } from "./callable.ts";

export const getAround = defineCallable(getAroundSpec);
export const getPage = defineCallable(getPageSpec);
export const getPlayers = defineCallable(getPlayersSpec);
export const getRank = defineCallable(getRankSpec);
export const getTop = defineCallable(getTopSpec);
export const submitScore = defineCallable(submitScoreSpec);

// A whole season may need most of the memory: one at a time in an instance.
const wholeSeason: CallableLimits = { timeoutSeconds: 540, concurrency: 1 };

export const auditSeason = defineCallable(auditSeasonSpec, wholeSeason);
export const rebuildSeason = defineCallable(rebuildSeasonSpec, wholeSeason);
export const removePlayer = defineCallable(removePlayerSpec, { timeoutSeconds: 540 });
export const runRanking = defineCallable(runRankingSpec, wholeSeason);
export const saveLeaderboard = defineCallable(saveLeaderboardSpec);
export const setPlayerStatus = defineCallable(setPlayerStatusSpec);
export const submitScores = defineCallable(submitScoresSpec, { timeoutSeconds: 300 });
export const sweepSeason = defineCallable(sweepSeasonSpec, wholeSeason);
