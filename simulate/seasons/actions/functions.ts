/** Actions of the platform: events reach the trigger, schedules look for due work, tasks are delivered. */
import { enqueueDue } from "../../../functions/src/jobs/schedule.ts";
import type { SeasonKey } from "../../../functions/src/documents/paths.ts";
import { stepEnd } from "../../../functions/src/jobs/closing/end.ts";
import { followPlayer } from "../../../functions/src/counting/follow-player.ts";
import { taskSecondsMax, topRefreshTaskSecondsMax } from "../../../functions/src/model/limits.ts";
import { publishRanking } from "../../../functions/src/ranking/run.ts";
import { refreshTopWhenDue } from "../../../functions/src/top/keep-live.ts";
import type { ClosingRequest, TopRefreshRequest } from "../../../functions/src/world/tasks.ts";
import { expectPassing, someInstance } from "../../actors.ts";
import type { PlayerEvent, SeasonsWorld } from "../world.ts";

const triggerSecondsMax = 60;

/** How often a queue tries a failing step. */
const stepAttempts = 3;

/** Delivers an event to the trigger; a failed event is redelivered, as Firestore does for a day. */
export function deliver(world: SeasonsWorld, event: PlayerEvent): void {
  const { key, player, write } = event;
  const copy = (version: typeof write.before) => version && { ...version, data: { ...version.data } };
  world.invoke({
    name: `follow ${player} in ${key.season}`,
    instance: someInstance(world),
    secondsMax: triggerSecondsMax,
    handle: (services) =>
      followPlayer(services, key, player, { ...write, before: copy(write.before), after: copy(write.after) }),
    end(ending) {
      if (ending.how !== "done") world.events.push(event);
      expectPassing(world, ending);
    },
  });
}

/** The schedule, which the platform starts every minute. */
export function schedule(world: SeasonsWorld): void {
  world.invoke({
    name: "the schedule",
    instance: someInstance(world),
    secondsMax: 60,
    async handle(services) {
      await enqueueDue(services);
    },
    end: (ending) => {
      expectPassing(world, ending);
    },
  });
}

/** A ranking run. */
export function run(world: SeasonsWorld, key: SeasonKey, includeOpenSlot = false): void {
  world.invoke({
    name: `run of ${key.season}`,
    instance: someInstance(world),
    secondsMax: taskSecondsMax,
    async handle(services) {
      await publishRanking(services, key, { includeOpenSlot });
    },
    end(ending) {
      world.mayMissFollower ||= ending.how !== "done";
      expectPassing(world, ending);
    },
  });
}

/** A refresh of a top; a failed one is retried. */
export function refresh(world: SeasonsWorld, request: TopRefreshRequest, once: boolean): void {
  if (once) world.refreshes.splice(world.refreshes.indexOf(request), 1);
  world.invoke({
    name: `refresh of ${request.season}`,
    instance: someInstance(world),
    secondsMax: topRefreshTaskSecondsMax,
    handle: (services) => refreshTopWhenDue(services, request),
    end(ending) {
      if (ending.how !== "done") {
        world.mayMissFollower = true;
        if (once) world.refreshes.push(request);
      }
      expectPassing(world, ending);
    },
  });
}

/** A closing step; the queue retries one that fails or dies. */
export function step(world: SeasonsWorld, request: Omit<ClosingRequest, "job">, retryCount = 0): void {
  const { plan } = world;
  const retries = retryCount < stepAttempts - 1;
  world.invoke({
    name: `step of ${request.season}`,
    instance: someInstance(world),
    work: { kind: "step", season: request.season },
    secondsMax: taskSecondsMax,
    handle: (services) =>
      stepEnd(services, request, {
        budgetMs: plan.stepBudgetMs,
        documentsPerRead: plan.documentsPerRead,
        rangePlayers: plan.rangePlayers,
        retries,
      }),
    end(ending) {
      world.mayMissFollower ||= ending.how !== "done";
      if (ending.how !== "done" && retries) world.steps.push({ request, retryCount: retryCount + 1 });
      expectPassing(world, ending);
    },
  });
}
