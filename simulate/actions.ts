/** The actions of the outside world: players submit, events arrive, runs begin, owners make changes, processes die. */
import { seasonPath } from "../functions/src/documents/paths.ts";
import { followPlayer } from "../functions/src/indexing/follow-player.ts";
import { indexPlayers } from "../functions/src/indexing/index-players.ts";
import { publishRanking } from "../functions/src/ranking/run.ts";
import { enqueueDueRuns } from "../functions/src/ranking/schedule.ts";
import { startRepair } from "../functions/src/repair/repair.ts";
import { refreshTopWhenDue } from "../functions/src/top/keep-live.ts";
import type { TopRefreshRequest } from "../functions/src/world/tasks.ts";
import { changeInterval, changeSource, setScore, setStatus, remove } from "./actions/meddle.ts";
import { readRank } from "./actions/read.ts";
import { submit } from "./actions/submit.ts";
import { expectPassing, someInstance, somePlayers } from "./actors.ts";
import { watchProgress } from "./checks/progress.ts";
import { insist } from "./checks/violation.ts";
import type { Action } from "./plan.ts";
import { takeEvent } from "./play.ts";
import type { PlayerEvent, World } from "./world.ts";

/** Begins an action, if it is possible now. */
export const begin: Record<Action, (world: World) => void> = {
  submit,
  deliver: (world) => {
    const event = takeEvent(world);
    if (event !== undefined) deliver(world, event);
  },
  redeliver: (world) => {
    const event = world.events[world.index(world.events.length)];
    if (event !== undefined) deliver(world, event);
  },
  sweep: (world) => {
    const players = somePlayers(world, 6);
    world.begin(
      `sweep ${players.join()}`,
      someInstance(world),
      async (services) => {
        await indexPlayers(services, world.key, players);
      },
      (ending) => {
        expectPassing(world, ending);
      },
    );
  },
  run: (world) => {
    run(world, "run", world.random() < 0.3);
  },
  schedule: (world) => {
    world.begin(
      "schedule",
      someInstance(world),
      async (services) => {
        await enqueueDueRuns(services);
      },
      (ending) => {
        expectPassing(world, ending);
      },
    );
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
    const actors = [...world.working.keys()];
    const actor = actors[world.index(actors.length)];
    if (actor !== undefined) world.kill(actor);
  },
  restart: (world) => {
    world.restart(world.index(world.instances.length));
  },
  resize: (world) => {
    const shards = 1 + world.index(9);
    world.begin(
      `resize to ${shards}`,
      someInstance(world),
      async ({ db }) => {
        await db.doc(seasonPath(world.key)).update({ shards });
      },
      (ending) => {
        expectPassing(world, ending);
      },
    );
  },
  "change interval": changeInterval,
  "set score": setScore,
  "set status": setStatus,
  remove,
  "change source": changeSource,
};

/** Delivers an event to the trigger; a failed event is redelivered, as Firestore does for a day. */
export function deliver(world: World, event: PlayerEvent): void {
  const { player, before, after } = event;
  const trigger = world.mutant?.trigger ?? followPlayer;
  world.begin(
    `index ${player}`,
    someInstance(world),
    (services) => {
      const change = { before: before && { ...before }, after: after && { ...after } };
      return trigger(services, world.key, player, change);
    },
    (ending) => {
      if (ending.how !== "done") world.events.push(event);
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
  world.begin(
    name,
    someInstance(world),
    async (services) => {
      const ranking = world.mutant?.run ?? publishRanking;
      await ranking({ ...services, db: watchProgress(world, services.db) }, world.key, { includeOpenSlot });
    },
    (ending) => {
      if (ending.how !== "done") world.mayMissFollower = true;
      expectPassing(world, ending);
    },
  );
}

/** A rebuild of the whole index. Nothing else is running, so it must succeed. */
export function rebuild(world: World): void {
  world.begin(
    "rebuild",
    someInstance(world),
    async (services) => {
      if (world.mutant?.rebuild !== undefined) return world.mutant.rebuild(services, world.key);
      const { outcome } = await startRepair(services, world.key, { kind: "rebuild", full: true });
      insist(outcome === "done", () => `a rebuild ended ${outcome}`);
    },
    (ending) => {
      if (ending.how === "failed") world.violation ??= ending.error as Error;
    },
  );
}
