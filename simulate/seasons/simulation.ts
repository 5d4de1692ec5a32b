/**
 * The simulation of seasons: a board whose days, weeks and months end while it is played, and tournaments beside them.
 *
 * As in simulation.ts the production functions themselves run, step by step from a seed, and every promise is checked
 * after each step. Time moves in small steps while anything is under way; now and then all actors finish and time
 * leaps, to just before the end of a season or to whatever is due next. Only events, tasks and due times are pending
 * then.
 */
import {
  closingNotesPath,
  closingRangesPath,
  receiptsPath,
  shardsPath,
} from "../../functions/src/documents/paths.ts";
import { lateEventMsMax } from "../../functions/src/model/limits.ts";
import { checkPublished, checkTopAtRest } from "../checks/at-rest.ts";
import { insist } from "../checks/violation.ts";
import { noFaults, settled } from "../scheduler.ts";
import { drawAction, type Game, play, type PlayOptions, type Report, takeEvent, type Took } from "../play.ts";
import {
  changeCalendar,
  closeCup,
  merge,
  openCup,
  repair,
  repairStep,
  setScore,
  setStatus,
} from "./actions/admin.ts";
import { deliver, refresh, run, schedule, step as stepEnd } from "./actions/functions.ts";
import { pay } from "./actions/pay.ts";
import { read } from "./actions/read.ts";
import { someCup } from "./actions/some.ts";
import { dueRetries, retry, submit } from "./actions/submit.ts";
import { checkExported } from "./checks/exported.ts";
import { type Action, actions, type SeasonsPlan } from "./plan.ts";
import { leaderboard } from "./board.ts";
import { createSeasonsWorld, type PlayerEvent, type SeasonsWorld } from "./world.ts";

/** The result of a simulation of seasons. */
export interface SeasonsReport extends Report {
  /** Seasons that began, closed and were deleted. */
  opened: number;
  closed: number;
  deleted: number;
}

export interface SeasonsOptions extends PlayOptions {
  /** Replaces parts of the plan that the seed draws. */
  plan?: Partial<SeasonsPlan> | undefined;
}

const restStepsMax = 200_000;

/** The most steps that active actors may take, with faults, before time leaps. */
const stepsBeforeLeapMax = 2_000;

/**
 * The rounds of the schedule within which every season that has ended must be closed, cleared, and deleted if it is not
 * kept.
 */
const roundsToEndMax = 80;

/** Runs a seed's world for some steps, and then to its next rest; stops at the first violation. */
export async function simulateSeasons({ plan, ...options }: SeasonsOptions): Promise<SeasonsReport> {
  const world = createSeasonsWorld(options.seed, plan);
  const game: Game = {
    world,
    stepsBetweenRests: world.plan.stepsBetweenRests,
    step: (took) => step(world, took),
    comeToRest: (took) => comeToRest(world, took),
    recount() {
      world.rankings.recount();
    },
    afterStep() {
      endOverdue(world);
    },
    stamp: () => `${new Date(world.now()).toISOString()} `,
  };
  const report = await play(game, options);
  return { ...report, ...world.rankings.counts() };
}

/** Ends invocations that have passed the platform's time limit. */
function endOverdue(world: SeasonsWorld): void {
  for (const [actor, deadlineMs] of world.deadlines) if (world.now() > deadlineMs) world.kill(actor);
}

async function step(world: SeasonsWorld, took: Took): Promise<void> {
  const { plan, scheduler, random } = world;
  world.pass(random() * plan.stepMsMax);
  const crowding = scheduler.size() / plan.crowd;
  if (scheduler.size() > 0 && random() < 0.35 + crowding) {
    took(await scheduler.step(plan.faults));
    return;
  }
  const due = dueRetries(world);
  if (due.length > 0 && random() < 0.3) {
    retry(world, due);
    await settled();
    took("a caller sends again");
    return;
  }
  const action = drawAction(actions, plan.weights, random);
  if (action === "jump") {
    await leap(world, took);
    return;
  }
  begin[action](world);
  await settled();
  took(`begin: ${action}`);
}

const someOf = <Item>(world: SeasonsWorld, items: readonly Item[]): Item | undefined =>
  items[world.index(items.length)];

/** Begins an action, if it is possible now. */
const begin: Record<Exclude<Action, "jump">, (world: SeasonsWorld) => void> = {
  submit: (world) => {
    submit(world, undefined);
  },
  "submit to a cup": (world) => {
    submit(world, someCup(world));
  },
  deliver: (world) => {
    const event = takeEvent(world);
    if (event !== undefined) deliver(world, event);
  },
  redeliver: (world) => {
    const event = someOf(world, world.events);
    if (event !== undefined) deliver(world, event);
  },
  read,
  "set status": (world) => {
    setStatus(world, someOf(world, ["active", "hidden", "banned"] as const) ?? "active");
  },
  remove: (world) => {
    setStatus(world, "removed");
  },
  merge,
  "set score": setScore,
  schedule,
  run: (world) => {
    const at = world.index(world.runs.length);
    const request = world.runs[at];
    const known = someOf(world, world.life.all());
    if (request !== undefined) {
      // Now and then a queue delivers a task twice.
      if (world.random() < 0.8) world.runs.splice(at, 1);
      run(world, request);
    } else if (known !== undefined) run(world, { leaderboard, season: known.id }, world.random() < 0.3);
  },
  refresh: (world) => {
    const request = someOf(
      world,
      world.refreshes.filter(({ due_at: at }) => Date.parse(at) <= world.now()),
    );
    if (request !== undefined) refresh(world, request, world.random() < 0.8);
  },
  step: (world) => {
    const at = world.index(world.steps.length);
    const found = world.steps[at];
    if (found === undefined) return;
    if (world.random() < 0.8) world.steps.splice(at, 1);
    stepEnd(world, found.request, found.retryCount);
  },
  "repeat a step": (world) => {
    const known = someOf(world, world.life.all());
    if (known !== undefined) stepEnd(world, { leaderboard, season: known.id, step: 0 });
  },
  repair,
  "repair step": (world) => {
    const [request] = world.repairs.splice(world.index(world.repairs.length), 1);
    if (request !== undefined) repairStep(world, request);
  },
  "open a cup": openCup,
  "close a cup": closeCup,
  "change the calendar": changeCalendar,
  pay: (world) => {
    const [event] = world.outbox.splice(world.index(world.outbox.length), 1);
    if (event === undefined) return;
    pay(world, event, true);
    // An event may come twice at the same time.
    if (world.random() < 0.2) pay(world, event, false);
  },
  "pay again": (world) => {
    const event = someOf(
      world,
      world.told.all().filter(({ kind }) => kind === "season_closed"),
    );
    if (event !== undefined) pay(world, event, false);
  },
  kill: (world) => {
    const actor = someOf(world, [...world.working.keys()]);
    if (actor !== undefined) world.kill(actor);
  },
  restart: (world) => {
    world.restart(world.index(world.instances.length));
    world.mayMissFollower = true;
  },
};

/** Lets all actors finish, and then time leap: to the next event, or by some hours. */
async function leap(world: SeasonsWorld, took: Took): Promise<void> {
  const { scheduler, plan, random } = world;
  for (let steps = 0; scheduler.size() > 0; steps++) {
    world.pass(random() * plan.stepMsMax);
    took(await scheduler.step(steps < stepsBeforeLeapMax ? plan.faults : noFaults));
  }
  await leapTo(world, took, targetOf(world));
}

function targetOf(world: SeasonsWorld): number {
  const now = world.now();
  const { random, life } = world;
  const next = (times: number[]) => Math.min(...times.filter((ms) => ms > now));
  const choice = random();
  const ends = next(life.all().flatMap(({ opensMs, closesMs }) => [opensMs, closesMs]));
  const due = next(life.all().map(({ season }) => season.end_due_at?.toMillis() ?? Infinity));
  if (choice < 0.35 && ends < Infinity) return Math.max(now, ends + (random() - 0.6) * 90_000);
  if (choice < 0.7 && due < Infinity) return due + random() * 70_000;
  if (choice < 0.85) return now + random() * 20 * 60_000;
  return now + random() * (choice < 0.96 ? 8 : 30) * 3_600_000;
}

/**
 * Moves time on while no actor is active. Events arrive within a day, or never if a season's closing makes up for them.
 */
async function leapTo(world: SeasonsWorld, took: Took, targetMs: number): Promise<void> {
  const isLate = ({ atMs }: PlayerEvent) => atMs + lateEventMsMax <= targetMs + 60_000;
  for (const event of world.events.filter(isLate)) {
    if (world.life.mayLoseEvents(event.key.season)) {
      world.life.loseEvent(event.key.season);
      world.events.splice(world.events.indexOf(event), 1);
    }
  }
  while (world.events.some(isLate)) {
    const event = world.events.find(isLate);
    if (event === undefined) break;
    world.events.splice(world.events.indexOf(event), 1);
    deliver(world, event);
    await settled();
    await performAll(world, took);
  }
  world.pass(Math.max(0, targetMs - world.now()));
  took(`time leaps to ${new Date(world.now()).toISOString()}`);
}

/** Performs what is under way, without faults. */
async function performAll(world: SeasonsWorld, took: Took): Promise<void> {
  await settled();
  for (let steps = 0; world.scheduler.size() > 0; steps++) {
    insist(steps < restStepsMax, () => "progress: the world does not come to rest");
    took(await world.scheduler.step(noFaults));
  }
}

/** Performs what is under way, delivers events and tasks, resends what was not answered. */
async function finish(world: SeasonsWorld, took: Took): Promise<void> {
  for (let rounds = 0; ; rounds++) {
    insist(rounds < restStepsMax, () => "progress: the world does not come to rest");
    await performAll(world, took);
    const event = takeEvent(world);
    const request = world.runs.shift();
    const asked = world.steps.shift();
    const told = world.outbox.shift();
    if (event !== undefined) deliver(world, event);
    if (request !== undefined) run(world, request);
    if (asked !== undefined) stepEnd(world, asked.request, asked.retryCount);
    if (told !== undefined) pay(world, told, true);
    if (event === undefined && request === undefined && asked === undefined && told === undefined) {
      const step = world.repairs.shift();
      if (step !== undefined) repairStep(world, step);
      else if (world.retries.length === 0) return;
      else retry(world, world.retries);
    }
    // Corrections wait for a repair that has died.
    if (event !== undefined) world.pass(300);
    await settled();
    took("coming to rest");
  }
}

/** Runs the requested refreshes, each when it is due, and those that follow from them. */
async function refreshAll(world: SeasonsWorld, took: Took): Promise<void> {
  for (let request = world.refreshes[0]; request !== undefined; request = world.refreshes[0]) {
    world.pass(Math.max(0, Date.parse(request.due_at) - world.now()));
    refresh(world, request, true);
    await finish(world, took);
  }
}

/**
 * Finishes everything, delivers everything, and ranks; then every open season must equal a plain sort. In half of the
 * rests only the schedule continues, until every season that has ended is closed as it should be.
 */
async function comeToRest(world: SeasonsWorld, took: Took): Promise<void> {
  await finish(world, took);
  await refreshAll(world, took);
  const mayMiss = world.mayMissFollower || world.plan.faults.answerLost > 0;
  if (world.plan.skewMsMax === 0 && !mayMiss) checkTops(world);
  world.mayMissFollower = false;
  for (const { id, season } of world.life.all())
    if (season.status === "open") run(world, { leaderboard, season: id }, true);
  await finish(world, took);
  insist(
    world.working.size === 0,
    () => `progress: still at work: ${[...world.working.keys()].map(({ name }) => name).join()}`,
  );
  world.rankings.recount();
  checkOpenSeasons(world);
  world.told.checkAtRest();
  world.payments.checkAtRest();
  await checkExported(world);
  if (world.random() < 0.5) await endSeasons(world, took);
}

const keyOf = (season: string) => ({ leaderboard, season });

function checkTops(world: SeasonsWorld): void {
  for (const { id, season } of world.life.all())
    if (season.status === "open" && !world.life.hasLost(id))
      checkTopAtRest(world.database.store, keyOf(id), world.plan.definition);
}

/** Checks every open season that has lost no event: index, pages and documents must match the ledger. */
function checkOpenSeasons(world: SeasonsWorld): void {
  const { life, database, plan } = world;
  for (const { id, season } of life.all())
    if (season.status === "open" && !life.hasLost(id))
      checkPublished(database.store, keyOf(id), plan.definition);
}

/** Lets only the schedule continue, until no ended season has anything due. */
async function endSeasons(world: SeasonsWorld, took: Took): Promise<void> {
  for (let rounds = 0; ; rounds++) {
    const unfinished = world.life.all().filter((known) => !isFinished(world, known));
    if (unfinished.length === 0) break;
    insist(
      rounds < roundsToEndMax,
      () => `progress: ${unfinished.map(tell).join("; ")} after ${rounds} rounds`,
    );
    const due = Math.min(...unfinished.map(({ season }) => season.end_due_at?.toMillis() ?? Infinity));
    insist(due < Infinity, () => `progress: nothing is due in ${unfinished.map(tell).join("; ")}`);
    world.pass(Math.max(60_000, due - world.now()) + 2 * world.plan.skewMsMax);
    schedule(world);
    await finish(world, took);
    await refreshAll(world, took);
  }
  world.rankings.recount();
  checkEnded(world);
}

type Known = ReturnType<SeasonsWorld["life"]["all"]>[number];

const tell = ({ id, season }: Known) =>
  `${id} is ${season.status}, due at ${season.end_due_at?.toDate().toISOString()}`;

function isFinished(world: SeasonsWorld, { season, closesMs }: Known): boolean {
  if (season.status === "open") return closesMs > world.now() - world.plan.skewMsMax;
  return season.status === "closed" && season.cleared_at !== null && season.end_due_at === null;
}

/** Checks what is left of ended seasons. */
function checkEnded(world: SeasonsWorld): void {
  const { life, rankings, database, plan } = world;
  const { store } = database;
  const { definition } = plan;
  for (const { id, season } of life.all()) {
    if (season.status !== "closed") continue;
    const key = keyOf(id);
    rankings.checkShown(key);
    insist(season.next_run_at === null, () => `ended: a run of ${id} is due`);
    for (const path of [shardsPath(key), receiptsPath(key), closingNotesPath(key), closingRangesPath(key)])
      insist(store.list(path).length === 0, () => `ended: ${path} still has documents`);
  }
  const keep = definition.keep_seasons;
  if (keep === undefined) return;
  for (const span of ["daily", "weekly", "monthly"]) {
    const closed = life.all().filter(({ season }) => season.span === span && season.status === "closed");
    insist(closed.length <= keep, () => `kept: ${closed.map(({ id }) => id).join()} where ${keep} are kept`);
  }
}
