/** The requests that tasks carry, and how code requests a task through whatever queue there is. */
import { z } from "zod";
import { notedJobs } from "../documents/erasure.ts";
import { seasonKey } from "../documents/season.ts";
import { hashOf } from "../model/hash.ts";

const runRequest = seasonKey.extend({ job: z.literal("ranking") });

/** One step of an audit or a repair, whose record is the run of this id. */
const repairRequest = seasonKey.extend({
  job: z.enum(["audit", "repair"]),
  run: z.string(),
  full: z.boolean(),
  step: z.int().min(0),
});
export type RepairRequest = z.infer<typeof repairRequest>;

/**
 * One step of a season's end: of closing, clearing or deleting the season; with `range`, of writing one range of its
 * standings. `step` tells the step from the step before.
 */
const closingRequest = seasonKey.extend({
  job: z.literal("end"),
  step: z.int().min(0),
  range: z.int().min(0).optional(),
});
export type ClosingRequest = z.infer<typeof closingRequest>;

/** One step of work on a season that takes longer than a call. */
const seasonRequest = z.discriminatedUnion("job", [runRequest, repairRequest, closingRequest]);
export type SeasonRequest = z.infer<typeof seasonRequest>;

/**
 * One step of what is left to do for a player on many boards, as the player's note says (documents/erasure.ts). A task
 * names the note, and no player.
 */
const playerRequest = z.object({
  job: z.enum(notedJobs),
  note: z.string(),
  step: z.int().min(0),
  /** Of an erasure that goes on: when its look at the boards began, where it goes on, and whether a board has failed. */
  since_ms: z.int().optional(),
  from: z.string().optional(),
  failed: z.boolean().optional(),
});
export type PlayerRequest = z.infer<typeof playerRequest>;

/** One step of work that takes longer than a call. */
export const stepRequest = z.union([seasonRequest, playerRequest]);
export type StepRequest = z.infer<typeof stepRequest>;

/** Steps of small seasons, which share a task; each with the id of the task that it gets if it needs one of its own. */
export const sharedRequest = z.object({
  job: z.literal("shared"),
  steps: z.array(z.object({ request: seasonRequest, taskId: z.string() })),
});
export type SharedRequest = z.infer<typeof sharedRequest>;
export type SharedStep = SharedRequest["steps"][number];

/** What a task is requested for. Steps of small seasons have a queue of their own. */
export type JobRequest = StepRequest | SharedRequest;

/**
 * One refresh of a top, or of what a league or a private group shows. It must not read before `due_at`, as queues may deliver a task too
 * early.
 */
export const topRefreshRequest = seasonKey.extend({
  due_at: z.iso.datetime(),
  /**
   * The reason for the refresh: a `change` of the order, which sets the pace of later refreshes (top/pace.ts); `names`, or
   * what else no shard tells of; a `gate` that was lowered; or a `definition`, in which case the definition in memory must
   * not be used. Of a league: changes in a `group`, or players who wait for `seats`. Of a `private_group`: changes in it, or
   * its end.
   */
  follows: z
    .enum(["change", "names", "gate", "definition", "group", "seats", "private_group"])
    .default("change"),
  /** The group, if changes in one are followed. */
  group: z.string().optional(),
});
export type TopRefreshRequest = z.infer<typeof topRefreshRequest>;

/**
 * The id of a task about a document. Equal arguments give equal ids, and others other ids: the id begins with a hash of
 * them. Names in sequence would slow a queue down too. The rest is for readers, in the letters that Cloud Tasks takes,
 * so that `level:7` and `level-7` read alike.
 */
export function taskIdOf(path: string, ...parts: (string | number)[]): string {
  const name = [path, ...parts].join("-");
  return `${hashOf(name).toString("hex", 0, 8)}-${name.replace(/[^\w-]/g, "-")}`;
}

/** The id of a task that steps share. Its name is of those who share it: equal steps give equal ids. */
export function sharedTaskIdOf(steps: readonly SharedStep[]): string {
  return `${hashOf(steps.map(({ taskId }) => taskId).join("\n")).toString("hex", 0, 16)}-shared`;
}

/** Requests a step, or some that share a task, after a delay. Requests with the same `taskId` become one task. */
export type EnqueueJob = (request: JobRequest, taskId: string, delaySeconds: number) => Promise<void>;

/** Requests a refresh of the top at its due time; `taskId` as for jobs. */
export type EnqueueTopRefresh = (request: TopRefreshRequest, taskId: string) => Promise<void>;
