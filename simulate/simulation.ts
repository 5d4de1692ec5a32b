/**
 * The simulation: runs a seed's world step by step, and checks every promise after each step.
 *
 * It runs the production functions themselves (`recordSubmissions`, `followPlayer`, `publishRanking` and others), on a
 * database in memory where every round trip waits for the scheduler. That tests more than a model would: their order of
 * reads and writes, their retries and their caches.
 *
 * A step is one scheduled action: an operation of some actor is performed (or fails), or a new actor begins. From time
 * to time the world comes to rest: everything finishes, every event is delivered, a last run folds everything, and all
 * must equal a plain sort.
 */
import { Timestamp } from "../functions/src/documents/firestore.ts";
import { seasonPath, shardPath } from "../functions/src/documents/paths.ts";
import { boardCacheMs, slotMs } from "../functions/src/model/limits.ts";
import { scoreToField } from "../functions/src/model/score.ts";
import { slotEnd } from "../functions/src/model/slot.ts";
import { begin, deliver, refresh, repairNow, run } from "./actions.ts";
import { hasSeason, intervalMinutesMax } from "./actions/meddle.ts";
import { retry } from "./actions/submit.ts";
import { someScore } from "./actors.ts";
import { checkAtRest, checkTopAtRest } from "./checks/at-rest.ts";
import { insist } from "./checks/violation.ts";
import { actions, type Plan, skewMsMax } from "./plan.ts";
import { drawAction, type Game, play, type PlayOptions, type Report, takeEvent, type Took } from "./play.ts";
import { noFaults, settled } from "./scheduler.ts";
import { createWorld, type World } from "./world.ts";

export interface Options extends PlayOptions {
  /** Replaces parts of the plan that the seed draws. */
  plan?: Partial<Plan> | undefined;
}

/** The most steps that coming to rest may take: beyond that, something is running in circles. */
const restStepsMax = 200_000;

/** Runs a seed's world for some steps, and then to its next rest; stops at the first violation. */
export async function simulate({ plan, ...options }: Options): Promise<Report> {
  const world = createWorld(options.seed, plan);
  const { conservation } = world;
  const game: Game = {
    world,
    stepsBetweenRests: world.plan.stepsBetweenRests,
    async step(took) {
      took(await step(world));
    },
    comeToRest: (took) => comeToRest(world, took),
    recount() {
      conservation.recount();
    },
    afterStep() {
      endRequests(world);
    },
  };
  return { ...(await play(game, options)), generations: conservation.generation() };
}

/** Ends the requests whose effect can't come any more. */
function endRequests(world: World): void {
  const over = world.endings.filter(({ commits }) => !commits.some((one) => world.scheduler.isWaiting(one)));
  if (over.length === 0) return;
  world.endings = world.endings.filter((one) => !over.includes(one));
  for (const { end } of over) end();
}

async function step(world: World): Promise<string> {
  const { plan, scheduler, random } = world;
  world.pass(random() * plan.stepMsMax);
  const crowding = scheduler.size() / plan.crowd;
  if (scheduler.size() > 0 && random() < 0.35 + crowding) return scheduler.step(plan.faults);
  if (world.retries.length > 0 && random() < 0.3) {
    retry(world);
    await settled();
    return "a caller sends again";
  }
  const action = drawAction(actions, plan.weights, random);
  begin[action](world);
  await settled();
  return `begin: ${action}`;
}

/**
 * Finishes everything, delivers all events, ranks the rest and compares everything with a sort. The rest is ranked by a
 * run that includes the open slot, or only by the schedule, which shows that no change waits in a sleeping season. Now
 * and then nothing happens for hours.
 */
async function comeToRest(world: World, took: Took): Promise<void> {
  const { conservation, database, key, definition, twin, random } = world;
  world.damaged.clear();
  await finish(world, took);
  world.wasDamaged.clear();
  await refreshAll(world, took);
  // A wrong clock names windows that have passed; and a process may have died at the critical moment.
  const { skewMsMax, faults, trigger } = world.plan;
  const mayMiss = world.mayMissFollower || world.needsRepair || trigger !== "on" || faults.answerLost > 0;
  if (skewMsMax === 0 && !mayMiss) checkTopAtRest(database.store, key, definition);
  world.mayMissFollower = false;
  if (world.needsRepair && hasSeason(world)) {
    // No instance remembers the board without its season any more.
    world.pass(boardCacheMs + 1_000);
    repairNow(world);
    await finish(world, took);
    world.needsRepair = false;
  }
  if (random() < 0.5) {
    run(world, "last run", true);
    await finish(world, took);
  } else {
    await followSchedule(world, took, 5);
  }
  insist(
    world.working.size === 0,
    () => `still at work: ${[...world.working.keys()].map(({ name }) => name).join()}`,
  );
  conservation.recount();
  if (!world.needsRepair) {
    insist(!conservation.drifts(), () => "convergence: a foreign write was never corrected");
    checkAtRest(database.store, key, definition, twin);
  }
  if (world.plan.strays > 0 && random() < world.plan.strays) await repairAfterStray(world, took);
  if (random() < 0.2) await followSchedule(world, took, 12);
}

/** A shard that nobody here wrote, in a slot that ended long ago, as from a backup. A repair makes all right again. */
async function repairAfterStray(world: World, took: Took): Promise<void> {
  const { conservation, database, key, definition, twin } = world;
  if (conservation.generation() === 0) return;
  const endMs = slotEnd(world.now(), slotMs) - 200 * slotMs;
  const stray = {
    slot_ends_at: Timestamp.fromMillis(endMs),
    player_count: { [scoreToField(someScore(world))]: 1 },
    writes: 1,
  };
  conservation.byForeignHand(() => {
    database.store.commit([{ path: shardPath(key, "stray", endMs), guard: {}, apply: () => stray }]);
  });
  repairNow(world);
  await finish(world, took);
  conservation.recount();
  checkAtRest(database.store, key, definition, twin);
}

/** Performs what is under way, delivers events and tasks, resends what was not answered. */
async function finish(world: World, took: Took): Promise<void> {
  await settled();
  for (let steps = 0; ; steps++) {
    insist(steps < restStepsMax, () => "the world does not come to rest");
    if (world.scheduler.size() > 0) {
      took(await world.scheduler.step(noFaults));
      continue;
    }
    const event = takeEvent(world);
    if (event !== undefined) deliver(world, event);
    else if (world.retries.length > 0) retry(world);
    else if (world.repairs.length > 0) begin["repair step"](world);
    else if (world.endings.length > 0) endRequests(world);
    else return;
    // Corrections wait for a repair that has died.
    world.pass(event === undefined ? 0 : 300);
    await settled();
    took("coming to rest");
  }
}

/** Runs the requested refreshes, each when it is due, and those that follow from them. */
async function refreshAll(world: World, took: Took): Promise<void> {
  for (let request = world.refreshes[0]; request !== undefined; request = world.refreshes[0]) {
    world.pass(Math.max(0, Date.parse(request.due_at) - world.now()));
    refresh(world, request, true);
    await finish(world, took);
  }
}

/** How long until the season is due: at most the longest interval, in case an instance still used that one. */
function untilDueMs(world: World): number {
  const { database, key } = world;
  const dueAt = database.store.get(seasonPath(key))?.data["next_run_at"] as Timestamp | null | undefined;
  const waitMs = dueAt == null ? 0 : dueAt.toMillis() - world.now();
  insist(waitMs <= intervalMinutesMax * 60_000 + skewMsMax, () => `the next run is due in ${waitMs} ms`);
  return waitMs;
}

/** Lets time pass with only the schedule and its runs. */
async function followSchedule(world: World, took: Took, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    world.pass(Math.max(11 * 60_000, untilDueMs(world)) + 2 * world.plan.skewMsMax);
    begin.schedule(world);
    await finish(world, took);
    for (const _ of world.tasks.splice(0)) run(world, "task", false);
    await finish(world, took);
  }
}
