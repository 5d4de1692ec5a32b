/** `firerank-client`, for players: exports only. `admin.ts`, `score-queue.ts` and `react.ts` are entries of their own. */
export type * from "./answers.ts";
export type * from "./group-answers.ts";
export type * from "./league-answer.ts";
export type { CallOptions, CallSignal } from "./call-options.ts";
export { FirerankError, type FirerankErrorCode, type FieldProblem } from "./firerank-error.ts";
export { type BoardTypes, type Leaderboard, leaderboard, type LeaderboardOptions } from "./leaderboard.ts";
export {
  createGroup,
  deleteGroup,
  getGroup,
  getMyGroups,
  type GroupRequest,
  joinGroup,
  type JoinRequest,
  leaveGroup,
  type MyGroupsRequest,
  type NewGroup,
  removeMember,
  renameGroup,
} from "./groups.ts";
export { rankOf } from "./rank-of.ts";
export {
  type AroundRequest,
  type HistogramRequest,
  type HistoryRequest,
  type LeagueRequest,
  type MyBoardsRequest,
  getAround,
  getHistogram,
  getHistory,
  getLeague,
  getMyBoards,
  getPage,
  getPlayers,
  getRank,
  getResults,
  getResultsOfAllBoards,
  getTeams,
  getThreshold,
  getTop,
  listSeasons,
  type PageRequest,
  pages,
  type PlayersRequest,
  type RankRequest,
  type ResultsRequest,
  type SeasonsRequest,
  type TeamsRequest,
  type ThresholdRequest,
  type TopRequest,
} from "./reads.ts";
export { type GuestMerged, mergeGuest } from "./merge-guest.ts";
export { remaining } from "./season-shown.ts";
export type { DeviceTime, ServerClock } from "./server-clock.ts";
export { type Profile, setProfile } from "./set-profile.ts";
export { type Score, type SubmissionRequest, submitScore } from "./submit-score.ts";
export { watchGroup } from "./watch-group.ts";
export { watchLeague } from "./watch-league.ts";
export { watchRank } from "./watch-rank.ts";
export { type SeasonWanted, watchSeason } from "./watch-season.ts";
export { watchTeams } from "./watch-teams.ts";
export { watchTop } from "./watch-top.ts";
export { version } from "../../functions/src/model/version.ts";
