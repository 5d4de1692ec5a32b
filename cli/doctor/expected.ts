/** The functions of this package, as they are when deployed. A test compares them with what the package exports. */
import { queueLimits } from "../../functions/src/model/limits.ts";
import { access } from "../../functions/src/operations/shared/access.ts";

export type Kind = "callable" | "request" | "task" | "schedule" | "event";

/** What only REST has. */
const routes = ["getRankOfScore", "listLeaderboards"];
const callables = Object.keys(access).filter((name) => !routes.includes(name));

/** What firebase-tools gives to a queue whose function says nothing of it. */
export const dispatchesPerSecond = 500;

/** How long a schedule may be silent, in minutes, before something is wrong with it. */
export const silentMinutesMax = 10;

export type TaskName = keyof typeof queueLimits;
export const taskNames = Object.keys(queueLimits) as TaskName[];
export const scheduleNames = ["rankSeasons"] as const;

export const expectedKinds: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ...callables.map((name) => [name, "callable"] as const),
  ...taskNames.map((name) => [name, "task"] as const),
  ...scheduleNames.map((name) => [name, "schedule"] as const),
  ["indexPlayer", "event"],
  ["leaderboardApi", "request"],
]);
