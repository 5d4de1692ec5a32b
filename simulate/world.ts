/** A simulated world of one season: the machine, the board, the events under way, and what is known of them. */
import { readIndexEntry } from "../functions/src/documents/index-entry.ts";
import {
  indexEntriesPath,
  leaderboardPath,
  pagePath,
  playersPath,
  type SeasonKey,
  topPath,
} from "../functions/src/documents/paths.ts";
import { rankedScoreOf } from "../functions/src/documents/ranked-score.ts";
import { planIndexing } from "../functions/src/indexing/plan.ts";
import type { Definition } from "../functions/src/model/definition.ts";
import { slotMs } from "../functions/src/model/limits.ts";
import { seededRandom } from "../functions/src/testing/arbitraries.ts";
import type { TopRefreshRequest } from "../functions/src/world/tasks.ts";
import { checkTop, checkTopIsNewer } from "./checks/at-rest.ts";
import { type Conservation, createConservation } from "./checks/conservation.ts";
import { createGenerations } from "./checks/generations.ts";
import { createPlayersTwin, type PlayersTwin } from "./checks/players-twin.ts";
import { insist } from "./checks/violation.ts";
import { createMachine, type Instance, type Machine } from "./machine.ts";
import type { Data } from "./memory/fields.ts";
import { type Change, parentOf } from "./memory/store.ts";
import type { Mutant } from "./mutants.ts";
import { drawPlan, type Plan } from "./plan.ts";

/** A write of a player's document, on its way to the trigger. */
export interface PlayerEvent {
  player: string;
  before: Data | undefined;
  after: Data | undefined;
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
  mutant: Mutant | undefined;
  /** The newest generation that each instance has answered with. */
  answered: WeakMap<Instance, number>;
  /** Clients that ask for ranks. */
  readers: Reader[];
  /** Undelivered events, and requested runs that have not started. */
  events: PlayerEvent[];
  tasks: string[];
  /** Requested refreshes of the top that have not started. */
  refreshes: TopRefreshRequest[];
  /** Whether an owner is saving the definition. */
  isSaving: boolean;
  /** Whether a process died between lowering the gate and requesting the refresh that follows. */
  mayMissFollower: boolean;
  /** Submissions that their callers will resend. */
  retries: (() => void)[];
}

const startMs = Date.UTC(2026, 10, 21, 12);
const straySeed = 1_000;
const key: SeasonKey = { leaderboard: "board", season: "all_time" };

/** Creates the world of a seed. @param changed parts of the plan that the seed does not decide */
export function createWorld(seed: number, mutant?: Mutant, changed: Partial<Plan> = {}): World {
  const random = seededRandom(seed);
  // Drawn by itself, so that other seeds have the history that they had before there were strays.
  const strays = seededRandom(seed + straySeed)() < 0.1 ? 0.5 : 0;
  const drawn = { ...drawPlan(random), strays, ...changed };
  const plan = mutant?.plan?.(drawn) ?? drawn;
  const { definition } = plan;
  const tasks: string[] = [];
  const refreshes: TopRefreshRequest[] = [];
  const queues = {
    run: (_: unknown, taskId: string) => void tasks.push(taskId),
    refresh: (request: TopRefreshRequest) => void refreshes.push(request),
  };
  const machine = createMachine({ random, plan, startMs, queues, mutant });
  const { store } = machine.database;
  const world: World = Object.assign(machine, {
    seed,
    plan,
    key,
    definition,
    conservation: createConservation(store, key, definition.order, createGenerations(store, key, slotMs)),
    twin: createPlayersTwin(definition),
    mutant,
    answered: new WeakMap<Instance, number>(),
    readers: Array.from({ length: 3 }, () => ({ generation: 0 })),
    events: [],
    tasks,
    refreshes,
    isSaving: false,
    mayMissFollower: false,
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

/** Whether a commit publishes a ranking of the index. */
function isFromIndex(key: SeasonKey, { path, before, after }: Change): boolean {
  return (
    path === pagePath(key, 0) &&
    after?.["source"] === "index" &&
    before?.["generation"] !== after["generation"]
  );
}

/**
 * Nothing is published from an index that has lost a change: each player whose entry is not what the document asks for
 * has an event that is on its way or being handled.
 * @throws a violation
 */
function checkIndexed({ database: { store }, key, events, working }: World): void {
  const entries = new Map(store.list(indexEntriesPath(key)).map(({ id, data }) => [id, data]));
  const players = new Map(store.list(playersPath(key)).map(({ id, data }) => [id, data]));
  const handled = [...working.keys()].map(({ name }) => name);
  for (const id of new Set([...players.keys(), ...entries.keys()])) {
    const plan = planIndexing(rankedScoreOf(players.get(id)), readIndexEntry(entries.get(id)));
    if (plan === undefined || events.some(({ player }) => player === id)) continue;
    insist(
      handled.some((name) => name.startsWith(`index ${id} on `)),
      () => `convergence: a ranking was published from an index that has lost a change of ${id}`,
    );
  }
}

/** Turns commits into events, and checks each. A violation is recorded, as the commit's caller might swallow it. */
function watching(world: World): (changes: readonly Change[]) => void {
  const players = playersPath(world.key);
  return (changes) => {
    for (const { path, before, after } of changes) {
      if (parentOf(path) === players)
        world.events.push({ player: path.slice(players.length + 1), before, after });
    }
    try {
      world.conservation.observe(changes, /^(full )?rebuild /.test(world.performing?.name ?? ""));
      if (changes.some((change) => isFromIndex(world.key, change))) checkIndexed(world);
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
