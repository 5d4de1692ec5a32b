/** A simulated world: a database, instances of the functions with clocks and caches of their own, and events under way. */
import { leaderboardPath, playersPath, type SeasonKey, topPath } from "../functions/src/documents/paths.ts";
import type { Definition } from "../functions/src/model/definition.ts";
import { slotMs } from "../functions/src/model/limits.ts";
import { createServices, type Services } from "../functions/src/operations/services.ts";
import { seededRandom } from "../functions/src/testing/arbitraries.ts";
import type { TopRefreshRequest } from "../functions/src/world/tasks.ts";
import { checkTop, checkTopIsNewer } from "./checks/at-rest.ts";
import { type Conservation, createConservation } from "./checks/conservation.ts";
import { createGenerations } from "./checks/generations.ts";
import { createPlayersTwin, type PlayersTwin } from "./checks/players-twin.ts";
import { type Client, createClient, type Database } from "./memory/client.ts";
import type { Data } from "./memory/fields.ts";
import { createLocks } from "./memory/locks.ts";
import { type Change, createStore, parentOf } from "./memory/store.ts";
import type { Mutant } from "./mutants.ts";
import { drawPlan, type Plan } from "./plan.ts";
import { type Actor, createScheduler, type Scheduler } from "./scheduler.ts";

/** A write of a player's document, on its way to the trigger. */
export interface PlayerEvent {
  player: string;
  before: Data | undefined;
  after: Data | undefined;
}

/** A process that runs functions. */
export interface Instance {
  name: string;
  services: Services;
  /** Its own part of the database's traffic: what its caches read. */
  actor: Actor;
  client: Client;
  /** The newest generation that it has answered with. */
  generation: number;
}

/** A client: the newest generation that it has seen, in the answers of all instances. */
export interface Reader {
  generation: number;
}

/** How an actor's work ended. */
export type Ending = { how: "done" } | { how: "failed"; error: unknown } | { how: "killed" };

export interface World {
  seed: number;
  plan: Plan;
  key: SeasonKey;
  definition: Definition;
  database: Database;
  scheduler: Scheduler;
  conservation: Conservation;
  twin: PlayersTwin;
  mutant: Mutant | undefined;
  instances: Instance[];
  /** Clients that ask for ranks. */
  readers: Reader[];
  /** Events not delivered yet, and runs asked for and not begun. */
  events: PlayerEvent[];
  tasks: string[];
  /** Refreshes of the top asked for and not begun. */
  refreshes: TopRefreshRequest[];
  /** Whether an owner is saving the definition. */
  isSaving: boolean;
  /** Whether a process died between lowering the gate and asking for the refresh that follows. */
  mayMissFollower: boolean;
  /** Submissions that their callers will send again. */
  retries: (() => void)[];
  /** Actors at work, with what to do when they end. */
  working: Map<Actor, (ending: Ending) => void>;
  violation: Error | undefined;
  random: () => number;
  index(length: number): number;
  newId: () => string;
  /** Moves time on. */
  pass(ms: number): void;
  /** The time of a clock that is right. */
  now(): number;
  /** Lets an actor work on an instance. */
  begin(
    name: string,
    instance: Instance,
    work: (services: Services) => Promise<void>,
    end: (ending: Ending) => void,
  ): void;
  kill(actor: Actor): void;
  /** Replaces an instance by a new one; everything that ran on it dies. */
  restart(index: number): void;
}

const startMs = Date.UTC(2026, 10, 21, 12);
const paces = [1, 1, 1, 0.3, 0.05];
const key: SeasonKey = { leaderboard: "board", season: "all_time" };

/** A world as its seed has it. */
export function createWorld(seed: number, mutant?: Mutant): World {
  const random = seededRandom(seed);
  const index = (length: number) => Math.floor(random() * length);
  const plan = drawPlan(random);
  const { definition } = plan;
  let nowMs = startMs;
  let ids = 0;
  const store = createStore(() => nowMs);
  const { wait, abort } = plan.conflict;
  const locks = createLocks(() => {
    const chance = random();
    return chance < wait ? "wait" : chance < wait + abort ? "abort" : "break";
  });
  const database: Database = { store, locks, weaken: mutant?.weaken, find: mutant?.find };
  const scheduler = createScheduler(random);

  const world: World = {
    seed,
    plan,
    key,
    definition,
    database,
    scheduler,
    conservation: createConservation(store, key, definition.order, createGenerations(store, key, slotMs)),
    twin: createPlayersTwin(definition),
    mutant,
    instances: [],
    readers: Array.from({ length: 3 }, () => ({ generation: 0 })),
    events: [],
    tasks: [],
    refreshes: [],
    isSaving: false,
    mayMissFollower: false,
    retries: [],
    working: new Map(),
    violation: undefined,
    random,
    index,
    newId: () => `id${(ids += 1)}`,
    pass: (ms) => void (nowMs += ms),
    now: () => nowMs,
    begin(name, instance, work, end) {
      const actor: Actor = {
        name: `${name} on ${instance.name}`,
        alive: true,
        pace: paces[index(paces.length)] ?? 1,
      };
      const client = createClient(database, scheduler.portOf(actor));
      world.working.set(actor, (ending) => {
        client.close();
        end(ending);
      });
      const finish = (ending: Ending) => {
        if (!actor.alive) return;
        world.working.get(actor)?.(ending);
        world.working.delete(actor);
      };
      work(servicesOf(instance, client, actor)).then(
        () => {
          finish({ how: "done" });
        },
        (error: unknown) => {
          finish({ how: "failed", error });
        },
      );
    },
    kill(actor) {
      scheduler.kill(actor);
      world.working.get(actor)?.({ how: "killed" });
      world.working.delete(actor);
    },
    restart(at) {
      const old = world.instances[at];
      if (old === undefined) return;
      for (const actor of [...world.working.keys()])
        if (actor.name.endsWith(` on ${old.name}`)) world.kill(actor);
      scheduler.kill(old.actor);
      old.client.close();
      world.instances[at] = createInstance(at);
    },
  };

  const enqueued = new Set<string>();

  /** An instance's services as one invocation has them: its caches, and operations of its own. */
  function servicesOf(instance: Instance, { db }: Client, actor: Actor): Services {
    const port = scheduler.portOf(actor);
    return {
      ...instance.services,
      db,
      sleep: () => port.request("pause", "sleep", () => undefined),
      enqueueRun: (_, taskId) =>
        port.request("pause", `enqueue ${taskId}`, () => {
          if (!enqueued.has(taskId)) world.tasks.push(taskId);
          enqueued.add(taskId);
        }),
      enqueueTopRefresh: (request, taskId) =>
        port.request("pause", `enqueue ${taskId}`, () => {
          if (!enqueued.has(taskId)) world.refreshes.push(request);
          enqueued.add(taskId);
        }),
    };
  }

  function createInstance(at: number): Instance {
    const name = `instance ${at}.${(ids += 1)}`;
    const actor: Actor = { name, alive: true, pace: 1 };
    const port = scheduler.portOf(actor);
    const client = createClient(database, port);
    const skewMs = Math.round((2 * random() - 1) * plan.skewMsMax);
    const services = createServices({
      db: client.db,
      now: () => Math.floor(nowMs) + skewMs,
      random,
      newId: world.newId,
      log: silent,
      enqueueRun: unused,
      // Its caches wait before they look again.
      sleep: () => port.request("pause", "sleep", () => undefined),
      intervalMinutesMin: 0,
    });
    services.pages = mutant?.pages?.(services.pages) ?? services.pages;
    return { name, services, actor, client, generation: 0 };
  }

  store.commit([
    {
      path: leaderboardPath(key.leaderboard),
      guard: {},
      apply: () => ({ ...definition, columns: undefined }),
    },
  ]);
  store.observe(watching(world));
  for (let at = 0; at < plan.instances; at++) world.instances.push(createInstance(at));
  return world;
}

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
const unused = () => Promise.reject(new Error("only invocations do this"));

/** Turns commits into events, and checks each. What it finds is kept, as a commit's caller could swallow it. */
function watching(world: World): (changes: readonly Change[]) => void {
  const players = playersPath(world.key);
  return (changes) => {
    for (const { path, before, after } of changes) {
      if (parentOf(path) === players)
        world.events.push({ player: path.slice(players.length + 1), before, after });
    }
    try {
      world.conservation.observe(changes);
      const top = changes.find(({ path }) => path === topPath(world.key));
      if (top !== undefined) {
        checkTop(world.database.store, world.key, world.definition);
        checkTopIsNewer(top.before, top.after);
      }
    } catch (error) {
      world.violation ??= error as Error;
    }
  };
}
