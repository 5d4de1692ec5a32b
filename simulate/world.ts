/** A simulated world of one season: the machine, the board, the events under way, and what is known of them. */
import type { PlayerWrite } from "../functions/src/counting/follow-player.ts";
import { isMarkRight, type Version } from "../functions/src/documents/mark.ts";
import {
  leaderboardPath,
  pagePath,
  playersPath,
  type SeasonKey,
  seasonPath,
  shardsPath,
  topPath,
} from "../functions/src/documents/paths.ts";
import type { Definition } from "../functions/src/model/definition.ts";
import { slotMs } from "../functions/src/model/limits.ts";
import { seededRandom } from "../test/support/arbitraries.ts";
import type { JobRequest, RepairRequest, TopRefreshRequest } from "../functions/src/world/tasks.ts";
import { checkTop, checkTopIsNewer } from "./checks/at-rest.ts";
import { type Conservation, createConservation, looksNew } from "./checks/conservation.ts";
import { createGenerations } from "./checks/generations.ts";
import { createPlayersTwin, type PlayersTwin } from "./checks/players-twin.ts";
import { insist } from "./checks/violation.ts";
import { createMachine, type Instance, type Machine } from "./machine.ts";
import type { Data } from "./memory/fields.ts";
import { type Change, parentOf, type Store } from "./memory/store.ts";
import { drawPlan, type Plan } from "./plan.ts";

/** A write of a player's document, on its way to the trigger. */
export interface PlayerEvent {
  player: string;
  write: PlayerWrite;
  /** Whether it is the commit of a function, and left a document that is counted as it asks for. */
  isOwn: boolean;
}

/** A client: the newest generation that it has seen, in the answers of all instances. */
export interface Reader {
  generation: number;
}

export interface World extends Machine {
  seed: number;
  plan: Plan;
  key: SeasonKey;
  definition: Definition;
  conservation: Conservation;
  twin: PlayersTwin;
  /** The newest generation that each instance has answered with. */
  answered: WeakMap<Instance, number>;
  /** Clients that ask for ranks. */
  readers: Reader[];
  /** Undelivered events, and some that were delivered. */
  events: PlayerEvent[];
  delivered: PlayerEvent[];
  /** Requested runs that have not started, and steps of repairs. */
  tasks: string[];
  repairs: RepairRequest[];
  /** Requested refreshes of the top that have not started. */
  refreshes: TopRefreshRequest[];
  /** Whether the trigger is deployed. */
  hasTrigger: boolean;
  /** Whether something was written whose event was lost, never sent, or says nothing. */
  needsRepair: boolean;
  /** The paths of players whom no commit can write. */
  damaged: Set<string>;
  /** Those of whom that was so since the last rest. */
  wasDamaged: Set<string>;
  /** Earlier versions of players' documents, which a trusted server may copy. */
  versions: Data[];
  /** Whether an owner is saving the definition. */
  isSaving: boolean;
  /** Whether a process died between lowering the gate and requesting the refresh that follows. */
  mayMissFollower: boolean;
  /** Requests that are answered, and whose effect may still come with one of these commits. */
  endings: { commits: readonly object[]; end: () => void }[];
  /** Submissions that their callers will resend. */
  retries: (() => void)[];
}

const startMs = Date.UTC(2026, 10, 21, 12);
const straySeed = 1_000;
const versionsKept = 60;
const key: SeasonKey = { leaderboard: "board", season: "all_time" };

/** How an actor is named that writes as a trusted server does. */
export const foreignName = "a server's";

/** Creates the world of a seed. @param changed parts of the plan that the seed does not decide */
export function createWorld(seed: number, changed: Partial<Plan> = {}): World {
  const random = seededRandom(seed);
  // Drawn by itself, so that it changes nothing else.
  const strays = seededRandom(seed + straySeed)() < 0.1 ? 0.5 : 0;
  const drawn = drawPlan(random);
  const plan = { ...drawn, strays, ...changed, weights: { ...drawn.weights, ...changed.weights } };
  const { definition } = plan;
  const tasks: string[] = [];
  const repairs: RepairRequest[] = [];
  const refreshes: TopRefreshRequest[] = [];
  const damaged = new Set<string>();
  const queues = {
    job(request: JobRequest, taskId: string) {
      if (request.job === "ranking") tasks.push(taskId);
      else if (request.job !== "end") repairs.push(request);
    },
    refresh: (request: TopRefreshRequest) => void refreshes.push(request),
  };
  const machine = createMachine({ random, plan, startMs, queues, damaged });
  const { store } = machine.database;
  const world: World = Object.assign(machine, {
    seed,
    plan,
    key,
    definition,
    conservation: createConservation(store, key, definition.order, createGenerations(store, key, slotMs)),
    twin: createPlayersTwin(definition),
    answered: new WeakMap<Instance, number>(),
    readers: Array.from({ length: 3 }, () => ({ generation: 0 })),
    events: [],
    delivered: [],
    tasks,
    repairs,
    refreshes,
    hasTrigger: plan.trigger !== "off",
    needsRepair: false,
    damaged,
    wasDamaged: new Set<string>(),
    versions: [],
    isSaving: false,
    mayMissFollower: false,
    endings: [],
    retries: [],
  });
  store.commit([
    {
      path: leaderboardPath(key.leaderboard),
      guard: {},
      apply: () => ({ ...definition, columns: undefined }),
    },
  ]);
  store.observe(watching(world));
  world.start();
  return world;
}

/** Whether a commit publishes a ranking. */
function isPublication(key: SeasonKey, { path, before, after }: Change): boolean {
  return path === pagePath(key, 0) && after !== undefined && before?.["generation"] !== after["generation"];
}

/**
 * Nothing is published from an index that has lost a change: each player who is not counted as the document asks for has an
 * event that is on its way or being handled.
 * @throws a violation
 */
function checkCounted({ database: { store }, key, events, working, needsRepair }: World): void {
  if (needsRepair) return;
  const handled = [...working.keys()].map(({ name }) => name);
  for (const { id, data } of store.list(playersPath(key)))
    insist(
      isMarkRight(data) ||
        events.some(({ player }) => player === id) ||
        handled.some((name) => name.startsWith(`follow ${id} on `)),
      () => `convergence: a ranking was published from an index that has lost a change of ${id}`,
    );
}

/** A change that sleeps would wait for the next one. @throws a violation */
function checkAwake({ database: { store }, key }: World, changes: readonly Change[]): void {
  if (!changes.some(({ path, after }) => parentOf(path) === shardsPath(key) && after !== undefined)) return;
  const season = store.get(seasonPath(key))?.data;
  insist(season?.["next_run_at"] !== null, () => "asleep: a change was counted in a season that sleeps");
}

/** The versions of documents that events and checks need. */
export interface Versions {
  before: (path: string) => Version | undefined;
  /** Notes what a commit left. */
  follow(changes: readonly Change[]): void;
}

/** A document as it is now. */
export function versionIn(store: Store, path: string): Version | undefined {
  const found = store.get(path);
  return found && { data: found.data, updateTime: found.updateTime, createTime: found.createTime };
}

export function createVersions(store: Store): Versions {
  const known = new Map<string, Version>();
  return {
    before: (path) => known.get(path),
    follow(changes) {
      for (const { path } of changes) {
        const version = versionIn(store, path);
        if (version === undefined) known.delete(path);
        else known.set(path, version);
      }
    },
  };
}

/** Sends the event of a write, unless there is nobody to hear it. */
function send(world: World, { path }: Change, before: Version | undefined, isForeign: boolean): void {
  const after = versionIn(world.database.store, path);
  if (after !== undefined) world.versions.push(after.data);
  if (world.versions.length > versionsKept) world.versions.splice(world.index(versionsKept), 1);
  const player = path.slice(playersPath(world.key).length + 1);
  if (isForeign && looksNew(after, before)) world.needsRepair = true;
  if (!world.hasTrigger || (isForeign && world.random() < world.plan.lostEvents)) {
    world.needsRepair ||= isForeign;
    return;
  }
  const isOwn = !isForeign && after?.data["counted"] !== undefined;
  world.events.push({ player, write: { before, after, atMs: Math.floor(world.now()) }, isOwn });
}

/** Turns commits into events, and checks each. A violation is recorded, as the commit's caller might swallow it. */
function watching(world: World): (changes: readonly Change[]) => void {
  const players = playersPath(world.key);
  const { store } = world.database;
  const versions = createVersions(store);
  return (changes) => {
    const isForeign = world.performing?.name.startsWith(foreignName) === true;
    try {
      world.conservation.observe({ changes, versionBefore: versions.before, isForeign });
      for (const change of changes)
        if (parentOf(change.path) === players) send(world, change, versions.before(change.path), isForeign);
      if (changes.some((change) => isPublication(world.key, change))) checkCounted(world);
      if (world.performing !== undefined && world.plan.skewMsMax < sleepSkewMsMax) checkAwake(world, changes);
      const top = changes.find(({ path }) => path === topPath(world.key));
      if (top !== undefined) {
        checkTop(world.database.store, world.key, world.definition);
        checkTopIsNewer(top.before, top.after);
      }
    } catch (error) {
      world.violation ??= error as Error;
    }
    versions.follow(changes.filter(({ path }) => parentOf(path) === players));
  };
}

/** Clocks that are wrong by minutes may wake a season late. */
const sleepSkewMsMax = 60_000;
