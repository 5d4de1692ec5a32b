/**
 * What tasks do: one step of one season, or of work for a player on many boards; or a step of each of some small seasons, which share a task.
 *
 * A small season's step takes a fraction of the time that a call is billed, and most of it waits for the database. So many
 * share one call, some at the same time. None may harm the others: a step that takes long, finds much, or fails gets a
 * task of its own; and where a step kills the process, the task's next attempt does nothing but request a task for
 * each. Each step keeps its own record, alerts and bill.
 */
import { isBoardNotFound } from "../../model/errors.ts";
import { sharedAtOnce, sharedBeginsMsMax, sharedStepMsMax } from "../../model/limits.ts";
import { publishPart, publishRanking } from "../../ranking/run.ts";
import { describeError } from "../../world/describe-error.ts";
import { inPool } from "../../world/pool.ts";
import type { Services } from "../../world/services.ts";
import type { SeasonRequest, SharedStep, StepRequest } from "../../world/tasks.ts";
import { stepEnd } from "../closing/end.ts";
import { stepPlayer } from "../players/step.ts";
import { createBudget, isOutdated, type StepOptions } from "../progress.ts";
import { stepRepair } from "../repair/repair.ts";

/**
 * Does one step, and requests the next step if there is more to do. A step that runs twice, comes late, overlaps
 * another step or is killed anywhere does no harm. Cost: what ranking/run.ts, closing/end.ts, repair/repair.ts or players/step.ts say.
 */
export async function stepJob(
  services: Services,
  request: StepRequest,
  options: StepOptions = {},
): Promise<void> {
  switch (request.job) {
    case "end":
      return stepEnd(services, request, options);
    case "audit":
    case "repair":
      await unlessGone(stepRepair(services, request, options));
      return;
    case "erase":
    case "set_status":
      return stepPlayer(services, request, options);
    case "ranking":
      // The next slot's run makes up for a run that failed.
      await unlessGone(publishRanking(services, seasonOf(request), { mayRest: true }));
  }
}

/**
 * Does a step of each of some small seasons, for at most a minute. What has not begun by then is still due; an audit gets a task of its own. Cost: that of
 * the steps; what it reads of a season with too many shards is read once more.
 */
export async function stepTogether(services: Services, steps: readonly SharedStep[]): Promise<void> {
  const isOver = createBudget(services, sharedBeginsMsMax);
  await inPool(steps, sharedAtOnce, async (step) => {
    // What has not begun is still due, but for an audit, which is requested once.
    if (isOver() && step.request.job !== "audit") return;
    if (isOver() || !(await isDoneInTime(services, step))) await askAlone(services, [step]);
  });
}

/** Requests a task of its own for each step. A step that is requested twice gets one task. */
export async function askAlone({ enqueueJob }: Services, steps: readonly SharedStep[]): Promise<void> {
  await inPool(steps, sharedAtOnce, ({ request, taskId }) => enqueueJob(request, taskId, 0));
}

/** Whether a step is done that shares its task. What takes longer goes on, and its season's own task may overlap it. */
async function isDoneInTime(services: Services, { request }: SharedStep): Promise<boolean> {
  const { log, deadline } = services;
  const limit = deadline(sharedStepMsMax);
  try {
    return await Promise.race([stepShared(services, request), limit.passed]);
  } catch (error) {
    log.warn("a step gets a task of its own", { ...seasonOf(request), error: describeError(error) });
    return false;
  } finally {
    limit.cancel();
  }
}

/** Does a step of a small season, or as much of it as a shared task should. @returns whether nothing is left. */
async function stepShared(services: Services, request: SeasonRequest): Promise<boolean> {
  if (request.job === "ranking") return (await unlessGone(publishPart(services, seasonOf(request)))) ?? true;
  // What is left after its time, it requests itself.
  await stepJob(services, request, { budgetMs: sharedStepMsMax / 2, retries: true });
  return true;
}

const seasonOf = ({ leaderboard, season }: SeasonRequest) => ({ leaderboard, season });

/** The result of a step; undefined where the season is parked or gone, which no retry helps. */
async function unlessGone<Result>(step: Promise<Result>): Promise<Result | undefined> {
  try {
    return await step;
  } catch (error) {
    if (!isBoardNotFound(error) && !isOutdated(error)) throw error;
    return undefined;
  }
}
