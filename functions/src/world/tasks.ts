/** What tasks carry, and how other folders request them, through whatever queue there is. */
import { z } from "zod";
import { hashOf } from "../model/hash.ts";
import { leaderboardId, seasonId } from "../model/ids.ts";

const season = z.object({ leaderboard: leaderboardId, season: seasonId });

const runRequest = season.extend({ job: z.literal("ranking") });

/** One step of an audit or a repair, whose record is the run of this id. */
const repairRequest = season.extend({
  job: z.enum(["audit", "repair"]),
  run: z.string(),
  full: z.boolean(),
  step: z.int().min(0),
});
export type RepairRequest = z.infer<typeof repairRequest>;

/**
 * One step of a season's end: closing, clearing or deleting it; with `range`, of writing one range of its standings.
 * `step` distinguishes it from the one before.
 */
const closingRequest = season.extend({
  job: z.literal("end"),
  step: z.int().min(0),
  range: z.int().min(0).optional(),
});
export type ClosingRequest = z.infer<typeof closingRequest>;

/** One step of a season's work that needs longer than a call; all of it goes through one queue. */
export const jobRequest = z.discriminatedUnion("job", [runRequest, repairRequest, closingRequest]);
export type JobRequest = z.infer<typeof jobRequest>;

/** One refresh of a top. It must not read before `due_at`: queues may deliver too early. */
export const topRefreshRequest = z.object({
  leaderboard: leaderboardId,
  season: seasonId,
  due_at: z.iso.datetime(),
  /**
   * The reason for the refresh: a `change` of the order, which sets the pace of later refreshes (top/pace.ts); `names`;
   * a `gate` that was lowered; or a `definition`, in which case the one in memory must not be used.
   */
  follows: z.enum(["change", "names", "gate", "definition"]).default("change"),
});
export type TopRefreshRequest = z.infer<typeof topRefreshRequest>;

/**
 * The id of a task about a document; the same parts make the same id. It begins with a hash, as names in
 * sequence slow a queue down.
 */
export function taskIdOf(path: string, ...parts: (string | number)[]): string {
  const name = [path.replaceAll("/", "-"), ...parts].join("-");
  return `${hashOf(name).toString("hex", 0, 4)}-${name}`;
}

/** Requests a step, after a delay; requests with the same `taskId` are one. */
export type EnqueueJob = (request: JobRequest, taskId: string, delaySeconds: number) => Promise<void>;

/** Requests a refresh of the top at its due time; `taskId` as for jobs. */
export type EnqueueTopRefresh = (request: TopRefreshRequest, taskId: string) => Promise<void>;
