/** The functions of this package, as they are when deployed. A test compares them with what the package exports. */
export type Kind = "callable" | "request" | "task" | "schedule" | "event";

const callables = [
  "auditSeason",
  "closeSeason",
  "deleteLeaderboard",
  "exportPlayer",
  "getAround",
  "getPage",
  "getPlayers",
  "getRank",
  "getResults",
  "getRoles",
  "getTop",
  "listAlerts",
  "listSeasons",
  "mergeGuest",
  "mergePlayers",
  "openSeason",
  "removePlayer",
  "repairSeason",
  "runRanking",
  "saveLeaderboard",
  "setPlayerStatus",
  "setProfile",
  "setRole",
  "submitScore",
  "submitScores",
] as const;

/** The limits of each task function's queue. */
export const queueLimits = {
  stepSeason: { maxConcurrentDispatches: 100, maxAttempts: 3 },
  refreshTop: { maxConcurrentDispatches: 200, maxAttempts: 3 },
} as const;

/** What firebase-tools gives to a queue whose function says nothing of it. */
export const dispatchesPerSecond = 500;

/** How long each schedule may be silent, in minutes, before something is wrong with it. */
export const silentMinutesMax = { rankSeasons: 10 } as const;

export type TaskName = keyof typeof queueLimits;
export type ScheduleName = keyof typeof silentMinutesMax;
export const taskNames = Object.keys(queueLimits) as TaskName[];
export const scheduleNames = Object.keys(silentMinutesMax) as ScheduleName[];

/** Each function and how it is started. */
export const expectedKinds: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ...callables.map((name) => [name, "callable"] as const),
  ...taskNames.map((name) => [name, "task"] as const),
  ...scheduleNames.map((name) => [name, "schedule"] as const),
  ["indexPlayer", "event"],
  ["leaderboardApi", "request"],
]);

/** The first version of Node on which the package loads. */
export const nodeMajorMin = 22;
