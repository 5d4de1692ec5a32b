/** The actions of the outside world: players submit, events arrive, runs begin, owners make changes, processes die. */
import { followPlayer } from "../functions/src/counting/follow-player.ts";
import { playerPath } from "../functions/src/documents/paths.ts";
import { FirerankError } from "../functions/src/model/errors.ts";
import { publishRanking } from "../functions/src/ranking/run.ts";
import { enqueueDue } from "../functions/src/jobs/schedule.ts";
import { startRepair, stepRepair } from "../functions/src/jobs/repair/repair.ts";
import { refreshTopWhenDue } from "../functions/src/top/keep-live.ts";
import type { TopRefreshRequest } from "../functions/src/world/tasks.ts";
import { changeInterval, hasSeason, remove, setStatus, writeDirectly } from "./actions/meddle.ts";
import { readRank } from "./actions/read.ts";
import { flood, submit } from "./actions/submit.ts";
import { expectPassing, oneOf, someInstance, somePlayer } from "./actors.ts";
import { watchProgress } from "./checks/progress.ts";
import { insist } from "./checks/violation.ts";
import type { Action } from "./plan.ts";
import { takeEvent } from "./play.ts";
import type { Ending } from "./machine.ts";
import type { PlayerEvent, World } from "./world.ts";

/** Begins an action, if it is possible now. */
export const begin: Record<Action, (world: World) => void> = {
  submit,
  flood,
  deliver: (world) => {
    const event = takeEvent(world);
    if (event !== undefined) deliver(world, event);
  },
  redeliver: (world) => {
    const events = world.random() < 0.5 ? world.events : world.delivered;
    const event = events[world.index(events.length)];
    if (event !== undefined) deliver(world, event);
  },
  run: (world) => {
    run(world, "run", world.random() < 0.3);
  },
  schedule: (world) => {
    passing(world, "schedule", enqueueDue);
  },
  task: (world) => {
    const at = world.index(world.tasks.length);
    const task = world.tasks[at];
    if (task === undefined) return;
    // Now and then a queue delivers a task twice.
    if (world.random() < 0.8) world.tasks.splice(at, 1);
    run(world, "task", false);
  },
  refresh: (world) => {
    const due = world.refreshes.filter(({ due_at: at }) => Date.parse(at) <= world.now());
    const request = due[world.index(due.length)];
    if (request !== undefined) refresh(world, request, world.random() < 0.8);
  },
  read: readRank,
  kill: (world) => {
    // Submissions and events are committed by their instance, and only die with it.
    const actors = [...world.working.keys()].filter(({ name }) => !/^(submit|follow) /.test(name));
    const actor = actors[world.index(actors.length)];
    if (actor !== undefined) world.kill(actor);
  },
  restart: (world) => {
    world.restart(world.index(world.instances.length));
    world.mayMissFollower = true;
  },
  "change interval": changeInterval,
  "write directly": writeDirectly,
  "set status": setStatus,
  remove,
  repair,
  "repair step": (world) => {
    const at = world.index(world.repairs.length);
    const request = world.repairs[at];
    if (request === undefined) return;
    if (world.random() < 0.8) world.repairs.splice(at, 1);
    passing(world, "repair step", (services) => stepRepair(services, request, stepOptions), mayBeOvertaken);
  },
  damage: (world) => {
    const path = playerPath(world.key, somePlayer(world));
    if (!world.damaged.delete(path)) world.damaged.add(path);
    world.wasDamaged.add(path);
  },
  switch: (world) => {
    if (world.plan.trigger !== "switched") return;
    world.hasTrigger = !world.hasTrigger;
    world.needsRepair = true;
  },
};

/** Steps that are over at once, and read little at a time. */
const stepOptions = { budgetMs: -1, documentsPerRead: 3, retries: true };

/** Somebody audits or repairs the season, at once or in steps. */
function repair(world: World): void {
  if (!hasSeason(world)) return;
  const kind = oneOf(world, ["audit", "repair", "repair"] as const);
  const full = world.random() < 0.5;
  const options = world.random() < 0.5 ? { documentsPerRead: 3 } : { ...stepOptions, inlinePlayersMax: 0 };
  passing(
    world,
    kind,
    (services) => startRepair(services, world.key, { kind, full }, options),
    mayBeOvertaken,
  );
}

/** The instance may remember the board without its season. */
const mayBeOvertaken = (ending: Ending) =>
  ending.how === "failed" &&
  ending.error instanceof FirerankError &&
  ending.error.code === "season_not_found";

/** Work that may fail, or die. */
function passing(
  world: World,
  name: string,
  work: (services: Parameters<Parameters<World["begin"]>[2]>[0]) => Promise<unknown>,
  isClear: (ending: Ending) => boolean = () => false,
): void {
  world.begin(
    name,
    someInstance(world),
    async (services) => {
      await work(services);
    },
    (ending) => {
      if (ending.how !== "done") world.mayMissFollower = true;
      if (!isClear(ending)) expectPassing(world, ending);
    },
  );
}

/** How many delivered events may come once more. */
const deliveredKept = 100;

/** Delivers an event to the trigger; a failed event is redelivered, as Firestore does for a day. */
export function deliver(world: World, event: PlayerEvent): void {
  const { player, write, isOwn } = event;
  const copy = (version: typeof write.before) => version && { ...version, data: { ...version.data } };
  const requestsBefore = world.requests;
  world.begin(
    `follow ${player}`,
    someInstance(world),
    (services) =>
      followPlayer(services, world.key, player, {
        ...write,
        before: copy(write.before),
        after: copy(write.after),
      }),
    (ending) => {
      if (ending.how !== "done") world.events.push(event);
      else {
        world.delivered.push(event);
        if (world.delivered.length > deliveredKept) world.delivered.shift();
      }
      if (isOwn && world.requests > requestsBefore)
        world.violation ??= new Error(
          `events: that of a commit of ours about ${player} reads or writes: ${JSON.stringify(event.write)}`,
        );
      expectPassing(world, ending);
    },
  );
}

/** A refresh of the top; a failed one is retried. Now and then a queue delivers a task twice. */
export function refresh(world: World, request: TopRefreshRequest, once: boolean): void {
  if (once) world.refreshes.splice(world.refreshes.indexOf(request), 1);
  world.begin(
    "refresh",
    someInstance(world),
    (services) => refreshTopWhenDue(services, request),
    (ending) => {
      if (ending.how !== "done") {
        world.mayMissFollower = true;
        if (once) world.refreshes.push(request);
      }
      expectPassing(world, ending);
    },
  );
}

/** A ranking run. */
export function run(world: World, name: string, includeOpenSlot: boolean): void {
  passing(world, name, (services) =>
    publishRanking({ ...services, db: watchProgress(world, services.db) }, world.key, { includeOpenSlot }),
  );
}

/** A repair of the whole season. Nothing else is running, so it must succeed. */
export function repairNow(world: World): void {
  world.begin(
    "repair",
    someInstance(world),
    async (services) => {
      const { outcome } = await startRepair(services, world.key, { kind: "repair", full: true });
      insist(outcome === "done", () => `a repair ended ${outcome}`);
    },
    (ending) => {
      if (ending.how === "failed") world.violation ??= ending.error as Error;
    },
  );
}
