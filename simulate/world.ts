/** A simulated world: the machine, the board, what is under way, and what is known of it all. */
import { isDeepStrictEqual } from "node:util";
import { isInLine } from "../functions/src/counting/count-players.ts";
import type { PlayerWrite } from "../functions/src/counting/changed-player.ts";
import type { BoardEvent } from "../functions/src/documents/event.ts";
import { isMarkRight } from "../functions/src/documents/mark.ts";
import {
  leaderboardPath,
  leaderboardsPath,
  pagePath,
  playersPath,
  type SeasonKey,
  seasonPath,
  shardsPath,
} from "../functions/src/documents/paths.ts";
import { Timestamp } from "../functions/src/documents/firestore.ts";
import type { Definition } from "../functions/src/model/definition.ts";
import { type ErrorCode, FirerankError } from "../functions/src/model/errors.ts";
import type { Services } from "../functions/src/world/services.ts";
import { seededRandom } from "../test/support/arbitraries.ts";
import { definitionId } from "../functions/src/model/template.ts";
import { expectPassing, hasCode, someInstance } from "./actors.ts";
import { keyOf, leaderboard, playerOf } from "./board.ts";
import { looksNew } from "./checks/conservation.ts";
import { BoardPlayers } from "./checks/board-players.ts";
import { Boards, templates } from "./checks/boards.ts";
import { createErased, type Erased } from "./checks/erased.ts";
import { Finals } from "./checks/finals.ts";
import { Calls } from "./checks/calls.ts";
import { Leagues } from "./checks/league.ts";
import { Ledger } from "./checks/ledger.ts";
import { Merging } from "./checks/merging.ts";
import { Players } from "./checks/players.ts";
import { PrivateGroups } from "./checks/groups.ts";
import { Recorded } from "./checks/recorded.ts";
import { Statuses } from "./checks/statuses.ts";
import { SubmissionAnswers } from "./checks/submission-answers.ts";
import { Life } from "./checks/life.ts";
import { Outbox } from "./checks/outbox.ts";
import { Payments } from "./checks/payments.ts";
import { Progress } from "./checks/progress.ts";
import { Rankings } from "./checks/rankings.ts";
import { followedIn } from "./checks/setting.ts";
import { insist, Violation } from "./checks/violation.ts";
import type { Work } from "./checks/work.ts";
import { createMachine, type Ending, type Instance, type Machine } from "./machine.ts";
import { type Change, type Data, parentOf } from "./memory/store.ts";
import type { Mutant } from "./mistakes.ts";
import { drawPlan, type Plan } from "./plan.ts";
import type { Actor } from "./scheduler.ts";

/** A write of a player's document, on its way to the trigger. */
export interface PlayerEvent {
  key: SeasonKey;
  player: string;
  write: PlayerWrite;
  /** Whether it is the commit of a function to a season that is open, and left a document that is counted as it asks for. */
  isOwn: boolean;
}

/** A submission that its caller will resend. */
export interface Retry {
  firstSentMs: number;
  /** Not before this time: by then every clock is past the moment at which it was sent. */
  againMs: number;
  send: () => void;
}

/** The newest generation of each season that a client has seen, or an instance has answered with. */
export type Seen = Map<string, number>;

/** What is under way, and what the outside world has seen. */
function createState(plan: Plan) {
  return {
    plan,
    /** Undelivered events, and some that were delivered. */
    events: [] as PlayerEvent[],
    delivered: [] as PlayerEvent[],
    /** When the last event of a server's write was handled, by the name of its invocation. */
    followedAt: new Map<string, Timestamp>(),
    retries: [] as Retry[],
    /** Closed seasons that the payer has not heard of yet. */
    outbox: [] as BoardEvent[],
    /** Earlier versions of each season's players, which a trusted server may copy. */
    versions: new Map<string, { player: string; data: Data }[]>(),
    /** Whether the trigger is deployed. */
    hasTrigger: plan.trigger !== "off",
    /** Seasons in which something was written whose event was lost, never sent, or says nothing. */
    needsRepair: new Set<string>(),
    /** What an actor may do to players' documents. */
    works: new WeakMap<Actor, Work>(),
    /** When the platform ends an actor's invocation. */
    deadlines: new Map<Actor, number>(),
    /** Tournaments so far. */
    cups: 0,
    /** Whether an owner is saving the definition. */
    isSaving: false,
    /** Whether the board is being deleted: only the lives of its seasons are checked. */
    isDeleting: false,
    /**
     * Whether a process died between lowering the gate of a top and requesting the refresh that follows, or could not read
     * the gate after a change.
     */
    mayMissFollower: false,
  };
}

type State = ReturnType<typeof createState>;

export interface World extends Machine, State {
  /** Boards of templates. */
  boards: Boards;
  boardPlayers: BoardPlayers;
  players: Players;
  calls: Calls;
  statuses: Statuses;
  merging: Merging;
  recorded: Recorded;
  submissionAnswers: SubmissionAnswers;
  ledger: Ledger;
  life: Life;
  finals: Finals;
  rankings: Rankings;
  told: Outbox;
  erased: Erased;
  payments: Payments;
  leagues: Leagues;
  privateGroups: PrivateGroups;
  /** Clients that ask, of all instances. */
  readers: Seen[];
  answered: WeakMap<Instance, Seen>;
  /** Starts an actor on an instance, with the platform's time limit. */
  invoke(invocation: Invocation): void;
}

/** One invocation of a function. */
export interface Invocation {
  name: string;
  instance?: Instance;
  /** What it may do to players' documents; by default it may only complete them. */
  work?: Work;
  secondsMax: number;
  handle: (services: Services) => Promise<unknown>;
  /** Errors that tell the caller the truth. */
  clear?: readonly ErrorCode[];
  /** What follows; what it throws is a violation. */
  end?: (ending: Ending) => void;
}

/** Creates the world of a seed, whose plan the mutant may change. */
export function createWorld(seed: number, mutant?: Mutant): World {
  const random = seededRandom(seed);
  // A mistake is played without groups unless it asks for them, so that the seed that found it stays the same.
  const plan = drawPlan(random, mutant && { privateGroups: false, ...mutant.plan });
  const { definition, startMs } = plan;
  const machine = createMachine(random, plan, mutant);
  const { store } = machine.database;
  const world = Object.assign(machine as World, {
    ...createState(plan),
    complain: (message: string) => {
      world.mayMissFollower ||= message === "a change waits for the next publication of its top";
      if (message === "a change waits for the next one in its private groups") world.privateGroups.missed();
    },
    invoke: (invocation: Invocation) => {
      invoke(world, invocation);
    },
  });
  Object.assign(world, checksOf(world), {
    boards: new Boards(world),
    boardPlayers: new BoardPlayers(world),
  });
  store.observe((changes) => {
    observe(world, changes);
  });
  const { columns: _, ...stored } = definition;
  const since = definition.movement ? { movement_since: Timestamp.fromMillis(startMs) } : {};
  store.commit([{ path: leaderboardPath(leaderboard), guard: {}, apply: () => ({ ...stored, ...since }) }]);
  const progress = new Progress();
  machine.database.tried = (writes, error) => {
    recordViolation(world, () => {
      progress.tried(world.performing, writes, error);
    });
  };
  world.start();
  return world;
}

/** What is known of a board. */
function checksOf(world: World) {
  return {
    players: new Players(world),
    calls: new Calls(world),
    statuses: new Statuses(world),
    merging: new Merging(world),
    recorded: new Recorded(world),
    submissionAnswers: new SubmissionAnswers(world),
    ledger: new Ledger(world),
    life: new Life(world),
    finals: new Finals(world),
    rankings: new Rankings(world),
    told: new Outbox(world),
    erased: createErased(world.database.store, () => world.now()),
    payments: new Payments(world),
    leagues: new Leagues(world),
    privateGroups: new PrivateGroups(world),
    readers: Array.from({ length: 3 }, (): Seen => new Map()),
    answered: new WeakMap<Instance, Seen>(),
  };
}

/** Another board takes the place of one that is gone, and of all that was under way for it but events. */
export function forgetBoard(world: World, definition: Definition): void {
  const { store } = world.database;
  // The owner's: a season of the same id is another one now.
  const paid = ["reward_runs", "payments"].flatMap((collection) => store.list(collection));
  store.commit(paid.map(({ path }) => ({ path, guard: {}, apply: () => undefined })));
  world.plan.definition = definition;
  Object.assign(world, checksOf(world));
  const { retries, outbox, runs, refreshes, repairs, steps, shared, looks } = world;
  for (const waiting of [retries, outbox, runs, refreshes, repairs, steps, shared, looks]) waiting.length = 0;
  for (const known of [world.versions, world.needsRepair]) known.clear();
  world.cups = 0;
  world.isDeleting = false;
}

function invoke(world: World, invocation: Invocation): void {
  const { name, instance = someInstance(world), work = { kind: "other" }, clear = [] } = invocation;
  const actor = world.begin(
    name,
    instance,
    async (services) => {
      await invocation.handle(services);
    },
    (ending) => {
      world.deadlines.delete(actor);
      world.mayMissFollower ||= ending.how !== "done";
      if (ending.how !== "done" && work.kind === "submit")
        for (const { player } of work.call.sent) world.privateGroups.missed(player);
      const isClear = world.isDeleting && ending.how === "failed" && isExpected(ending.error);
      if (!isClear && !hasCode(ending, ...clear)) expectPassing(world, ending);
      recordViolation(world, () => {
        try {
          invocation.end?.(ending);
        } catch (error) {
          if (!world.isDeleting) throw error;
        }
      });
    },
  );
  world.works.set(actor, work);
  // Where neither a season nor a group ends, nothing depends on when an invocation is over, and each may be as slow as it likes.
  if (world.plan.ends || world.plan.privateGroups)
    world.deadlines.set(actor, world.now() + invocation.secondsMax * 1_000);
}

/** What may happen to work on a board that is being deleted; what it finds is nothing that its check knows. */
const isExpected = (error: unknown) => error instanceof FirerankError || error instanceof Violation;

/** A violation is recorded where an actor might swallow it. */
function recordViolation(world: World, check: () => void): void {
  try {
    check();
  } catch (error) {
    world.violation ??= error as Error;
  }
}

/** Lanes commit for an instance. */
function workOf({ performing, works }: World): Work {
  const work = performing && works.get(performing);
  if (work !== undefined) return work;
  const [, instance] = /^(instance \S+)$/.exec(performing?.name ?? "") ?? [];
  return instance === undefined ? { kind: "other" } : { kind: "lanes", instance };
}

/** Turns a commit into events, and checks it. */
function observe(world: World, all: readonly Change[]): void {
  const {
    boards,
    boardPlayers,
    life,
    finals,
    ledger,
    rankings,
    told,
    erased,
    payments,
    leagues,
    privateGroups,
  } = world;
  const work = workOf(world);
  const changes = world.plan.templates ? all.filter(({ path }) => !isBesideBoard(path)) : all;
  if (changes.length < all.length) {
    const others = all.filter(({ path }) => isBesideBoard(path));
    recordViolation(world, () => {
      boards.observe(others, work);
      boardPlayers.observe(others, work);
      for (const change of others) send(world, change, work);
      checkAwake(world, others);
    });
  }
  if (changes.length === 0) return;
  const isForeign = work.kind === "direct";
  if (world.isDeleting) {
    recordViolation(world, () => {
      life.observe(changes, work);
    });
    for (const change of changes) send(world, change, work);
    return;
  }
  recordViolation(world, () => {
    ledger.observe(changes, work);
    life.observe(changes, work);
    finals.observe(changes, work);
    rankings.observe({ changes, isForeign }, work);
    for (const change of changes) send(world, change, work);
    for (const change of changes) checkCounted(world, change);
    checkAwake(world, changes);
    const news = told.observe(changes, work);
    world.outbox.push(...news.filter(({ kind }) => kind === "season_closed"));
    payments.observe(changes, work);
    erased.observe(changes, work);
    leagues.observe(changes, work);
    privateGroups.observe(changes, work);
  });
}

/** Whether a document is of a template, or of one of its boards. */
function isBesideBoard(path: string): boolean {
  const [first, id = ""] = path.split("/", 2);
  return first === leaderboardsPath && templates.some((template) => template === definitionId(id));
}

const versionsKept = 60;

/** Sends the event of a player's write, unless there is nobody to hear it. */
function send(world: World, { path, was: before }: Change, { kind }: Work): void {
  const isForeign = kind === "direct";
  const { key, player } = playerOf(path) ?? {};
  if (key === undefined || player === undefined) return;
  const after = world.database.store.get(path);
  if (key.leaderboard === leaderboard) keepVersion(world, key.season, player, after?.data);
  if (isForeign && looksNew(after, before)) world.needsRepair.add(key.season);
  if (!world.hasTrigger || (isForeign && world.random() < world.plan.lostEvents)) {
    if (isForeign) world.needsRepair.add(key.season);
    return;
  }
  const { status = "open" } = world.database.store.get(seasonPath(key))?.data ?? {};
  // A profile changes nothing that is counted, right or wrong; nor does a seat.
  const isSeated = before !== undefined && !isDeepStrictEqual(seatIn(before.data), seatIn(after?.data));
  const isUncounted = kind === "profile" || (isSeated && after !== undefined);
  const isCounted = isUncounted ? isInLine(after?.data) : after?.data["counted"] !== undefined;
  const isOwn = !isForeign && status === "open" && isCounted;
  world.events.push({ key, player, write: { before, after, atMs: Math.floor(world.now()) }, isOwn });
}

const seatIn = (data: Data | undefined) => data?.["league_seat"];

function keepVersion(world: World, season: string, player: string, data: Data | undefined): void {
  const versions = world.versions.get(season) ?? [];
  world.versions.set(season, versions);
  if (data !== undefined) versions.push({ player, data });
  if (versions.length > versionsKept) versions.splice(world.index(versionsKept), 1);
}

/**
 * Nothing is published from an index that has lost a change: each player who is not counted as the document asks for has an
 * event that is on its way or being handled.
 * @throws a violation
 */
function checkCounted(world: World, { path, before, after }: Change): void {
  const key = keyOf(path);
  if (key === undefined || path !== pagePath(key, 0)) return;
  if (after === undefined || before?.["generation"] === after["generation"]) return;
  const { season } = key;
  if (world.needsRepair.has(season) || world.life.get(season)?.season.status !== "open") return;
  const isFollowed = followedIn(world, key);
  for (const { id, data } of world.database.store.list(playersPath(key)))
    insist(
      isMarkRight(data) || isFollowed(id),
      () => `convergence: a ranking of ${season} was published from an index that has lost a change of ${id}`,
    );
}

/** Clocks that are wrong by minutes may wake a season late. */
const sleepSkewMsMax = 60_000;

/** A change that sleeps would wait for the next one. @throws a violation */
function checkAwake({ database, performing, plan }: World, changes: readonly Change[]): void {
  if (performing === undefined || plan.skewMsMax >= sleepSkewMsMax) return;
  for (const { path, after } of changes) {
    const key = keyOf(path);
    if (key === undefined || after === undefined || parentOf(path) !== shardsPath(key)) continue;
    const season = database.store.get(seasonPath(key))?.data;
    insist(
      season?.["status"] !== "open" || season["next_run_at"] !== null,
      () => `asleep: a change was counted in ${key.season}, which sleeps`,
    );
  }
}
