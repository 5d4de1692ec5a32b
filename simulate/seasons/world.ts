/** A simulated world of seasons: the machine, the board, what is under way, and what is known of it all. */
import type { PlayerWrite } from "../../functions/src/counting/follow-player.ts";
import type { BoardEvent } from "../../functions/src/documents/event.ts";
import { leaderboardPath, playersPath, type SeasonKey } from "../../functions/src/documents/paths.ts";
import type { Services } from "../../functions/src/operations/services.ts";
import { seededRandom } from "../../test/support/arbitraries.ts";
import type {
  ClosingRequest,
  RepairRequest,
  JobRequest,
  TopRefreshRequest,
} from "../../functions/src/world/tasks.ts";
import { createMachine, type Ending, type Instance, type Machine } from "../machine.ts";
import type { Data } from "../memory/fields.ts";
import { type Change, parentOf } from "../memory/store.ts";
import type { Actor } from "../scheduler.ts";
import { createVersions, versionIn, type Versions } from "../world.ts";
import { keyOf, leaderboard } from "./board.ts";
import { createLedger, type Ledger } from "./checks/ledger.ts";
import type { Work } from "./checks/work.ts";
import { createLife, type Life } from "./checks/life.ts";
import { createFinals, type Finals } from "./checks/finals.ts";
import { createErased, type Erased } from "./checks/erased.ts";
import { createOutbox, type Outbox } from "./checks/outbox.ts";
import { createPayments, type Payments } from "./checks/payments.ts";
import { createRankings, type Rankings } from "./checks/rankings.ts";
import { drawSeasonsPlan, mergingPlan, type SeasonsPlan } from "./plan.ts";

/** A write of a player's document, on its way to the trigger. */
export interface PlayerEvent {
  key: SeasonKey;
  player: string;
  write: PlayerWrite;
  /** When it was written. */
  atMs: number;
}

/** A submission that its caller will resend. */
export interface Retry {
  firstSentMs: number;
  /** Not before this time: by then every clock is past the moment at which it was sent. */
  againMs: number;
  send: () => void;
}

/** A client: the newest generation that it has seen of each season. */
export type Reader = Map<string, number>;

export interface SeasonsWorld extends Machine {
  seed: number;
  plan: SeasonsPlan;
  ledger: Ledger;
  life: Life;
  finals: Finals;
  rankings: Rankings;
  readers: Reader[];
  events: PlayerEvent[];
  runs: SeasonKey[];
  refreshes: TopRefreshRequest[];
  /** Closing steps, each with the number of earlier attempts. */
  steps: { request: Omit<ClosingRequest, "job">; retryCount: number }[];
  /** Steps of repairs. */
  repairs: RepairRequest[];
  retries: Retry[];
  /** Closed seasons that the payer has not heard of yet. */
  outbox: BoardEvent[];
  /** The last few versions that players' documents had before, by path. */
  older: Map<string, Data[]>;
  told: Outbox;
  erased: Erased;
  payments: Payments;
  /** What an actor may do to players' documents. */
  works: WeakMap<Actor, Work>;
  /** When the platform ends an actor's invocation. */
  deadlines: Map<Actor, number>;
  /** Tournaments so far. */
  cups: number;
  isSaving: boolean;
  /** Whether a process died between lowering the gate of a top and requesting the refresh that follows. */
  mayMissFollower: boolean;
  /** Starts an actor on an instance, with the platform's time limit. */
  invoke(invocation: Invocation): void;
}

/** One invocation of a function. */
export interface Invocation {
  name: string;
  instance: Instance;
  /** What it may do to players' documents; by default it may only complete them. */
  work?: Work;
  secondsMax: number;
  handle: (services: Services) => Promise<void>;
  end: (ending: Ending) => void;
}

/** What tells the stream that decides about merges from the one that decides everything else. */
const mergingStream = 0x6d_65_72_67;

/** Creates the world of a seed. It is one function, as each part is made of the parts before it. */
export function createSeasonsWorld(seed: number, changed: Partial<SeasonsPlan> = {}): SeasonsWorld {
  const random = seededRandom(seed);
  const drawn = mergingPlan(drawSeasonsPlan(random), seededRandom(seed + mergingStream));
  const plan = { ...drawn, ...changed, weights: { ...drawn.weights, ...changed.weights } };
  const runs: SeasonKey[] = [];
  const refreshes: TopRefreshRequest[] = [];
  const steps: SeasonsWorld["steps"] = [];
  const repairs: RepairRequest[] = [];
  const queues = {
    job({ ...request }: JobRequest) {
      if (request.job === "ranking") runs.push(request);
      else if (request.job === "end") steps.push({ request, retryCount: 0 });
      else repairs.push(request);
    },
    refresh: (request: TopRefreshRequest) => void refreshes.push(request),
  };
  const { startMs } = plan;
  const machine = createMachine({ random, plan, startMs, queues });
  const { store } = machine.database;
  const hours = { now: machine.now, skewMsMax: plan.skewMsMax };
  const life = createLife(store, plan.definition, hours);
  const finals = createFinals(store, life);
  const ledger = createLedger(plan.definition, life, hours, store, finals);
  const rankings = createRankings(store, plan.definition, { life, finals, now: machine.now });
  const world: SeasonsWorld = Object.assign(machine, {
    seed,
    plan,
    ledger,
    life,
    finals,
    rankings,
    readers: Array.from({ length: 3 }, (): Reader => new Map()),
    events: [],
    runs,
    refreshes,
    steps,
    repairs,
    retries: [],
    outbox: [],
    older: new Map<string, Data[]>(),
    told: createOutbox(store, plan.definition, life, hours),
    erased: createErased(store),
    payments: createPayments(store, life, rankings),
    works: new WeakMap<Actor, Work>(),
    deadlines: new Map<Actor, number>(),
    cups: 0,
    isSaving: false,
    mayMissFollower: false,
    invoke({ name, instance, work = { kind: "other" }, secondsMax, handle, end }: Invocation) {
      const actor = machine.begin(name, instance, handle, (ending) => {
        world.deadlines.delete(actor);
        end(ending);
      });
      world.works.set(actor, work);
      world.deadlines.set(actor, machine.now() + secondsMax * 1_000);
    },
  });
  const definition = { ...plan.definition, columns: undefined };
  store.commit([{ path: leaderboardPath(leaderboard), guard: {}, apply: () => definition }]);
  const versions = createVersions(store);
  store.observe((changes) => {
    observe(world, changes, versions);
    versions.follow(changes.filter(({ path }) => path.includes("/players/")));
  });
  world.start();
  return world;
}

/** Lanes commit for an instance. */
function workOf(performing: Actor | undefined): Work {
  const [, instance] = /^(instance \S+)$/.exec(performing?.name ?? "") ?? [];
  return instance === undefined ? { kind: "other" } : { kind: "lanes", instance };
}

const olderKept = 4;

function keepOlder({ older }: SeasonsWorld, path: string, before: Data | undefined): void {
  if (before !== undefined) older.set(path, [...(older.get(path) ?? []), before].slice(-olderKept));
}

/** Turns a commit into events, and checks it. A violation is recorded, as the commit's caller might swallow it. */
function observe(world: SeasonsWorld, changes: readonly Change[], versions: Versions): void {
  const { life, finals, ledger, rankings, told, erased, payments, plan, performing } = world;
  const work = (performing && world.works.get(performing)) ?? workOf(performing);
  for (const { path, before } of changes) {
    const key = keyOf(path);
    if (key === undefined || parentOf(path) !== playersPath(key)) continue;
    const player = path.slice(parentOf(path).length + 1);
    keepOlder(world, path, before);
    if (life.mayLoseEvents(key.season) && world.random() < plan.lostEvents) life.loseEvent(key.season);
    else {
      const atMs = Math.floor(world.now());
      const write = { before: versions.before(path), after: versionIn(world.database.store, path), atMs };
      world.events.push({ key, player, write, atMs });
    }
  }
  try {
    ledger.observe(changes, work);
    life.observe(changes, work);
    finals.observe(changes, work);
    rankings.observe({ changes, versionBefore: versions.before, isForeign: work.kind === "direct" }, work);
    const before = told.all().length;
    told.observe(changes, work);
    world.outbox.push(
      ...told
        .all()
        .slice(before)
        .filter(({ kind }) => kind === "season_closed"),
    );
    payments.observe(changes, work);
    erased.observe(changes, work);
  } catch (error) {
    world.violation ??= error as Error;
  }
}
