/**
 * The simulation: runs a seed's world step by step, and checks every promise after each step.
 *
 * It runs the production functions themselves (`recordSubmissions`, `followPlayer`, `publishRanking` and others), on a
 * database in memory where every round trip waits for the scheduler. That tests more than a model would: their order of
 * reads and writes, their retries and their caches.
 *
 * A step is one scheduled action: an operation of some actor is performed (or fails), or a new actor begins. Time moves in
 * small steps while anything is under way; now and then all actors finish and time leaps, to just before the end of a
 * season or to whatever is due next. From time to time the world comes to rest (rest.ts), and all must equal a plain sort.
 */
import { createHash } from "node:crypto";
import { endWaitMs, lateEventMsMax } from "../functions/src/model/limits.ts";
import { nextMidnight } from "../functions/src/model/midnights.ts";
import { begin } from "./actions.ts";
import { deliver } from "./actions/functions.ts";
import { dueRetries, retry } from "./actions/submit.ts";
import { beginTemplates } from "./actions/templates.ts";
import { leaderboard } from "./board.ts";
import { playDeletion } from "./delete.ts";
import type { Mutant } from "./mistakes.ts";
import { drawAction } from "./plan.ts";
import { comeToRest, performAll, type Took } from "./rest.ts";
import { noFaults, settled } from "./scheduler.ts";
import { createWorld, type PlayerEvent, type World } from "./world.ts";

/** The result of a simulation. */
export interface Report {
  seed: number;
  steps: number;
  /** A check sum of all steps. */
  history: string;
  /** Undefined if every promise held. */
  violation?: { error: Error; step: number; lastActions: string[] };
}

export interface Options {
  seed: number;
  steps: number;
  /** A mistake of the functions, and what it changes of the plan that the seed draws. */
  mutant?: Mutant | undefined;
}

/** The number of actions that a violation shows. */
const actionsShown = 40;

/** At the end of each third seed the board is deleted; the one that takes its place plays so many steps. */
const seedsPerDeletion = 3;
const stepsAnew = 500;

/** The most steps that active actors may take, with faults, before time leaps. */
const stepsBeforeLeapMax = 2_000;

/** The share of leaps, most of which lead to about the end of a season, at which the board gets another calendar. */
const calendarsAtLeaps = 0.2;

/** Runs a seed's world for some steps, and then to its next rest; stops at the first violation. */
export async function simulate({ seed, steps, mutant }: Options): Promise<Report> {
  const world = createWorld(seed, mutant);
  if (world.plan.templates) beginTemplates(world);
  const last: { step: number; ms: number; what: string }[] = [];
  const done = { steps: 0 };
  const history = createHash("sha1");

  /** Counts a step, and checks the promises after it. @throws the violation */
  function took(what: string): void {
    done.steps += 1;
    history.update(`${world.now()} ${what}`);
    last.push({ step: done.steps, ms: world.now(), what });
    if (last.length > 2 * actionsShown) last.splice(0, actionsShown);
    endOverdue(world);
    if (world.violation !== undefined) throw world.violation;
  }

  try {
    while (done.steps < steps) {
      const until = Math.min(steps, done.steps + world.plan.stepsBetweenRests);
      while (done.steps < until) await step(world, took);
      await comeToRest(world, took);
    }
    if (seed % seedsPerDeletion === 0) {
      await playDeletion(world, took, step);
      for (const until = done.steps + stepsAnew; done.steps < until;) await step(world, took);
      await comeToRest(world, took);
    }
    return { seed, ...done, history: history.digest("hex") };
  } catch (error) {
    const lastActions = last
      .slice(-actionsShown)
      .map((one) => `${one.step} ${new Date(one.ms).toISOString()} ${one.what}`);
    const violation = { error: error as Error, step: done.steps, lastActions };
    return { seed, ...done, history: history.digest("hex"), violation };
  }
}

/** Ends invocations that have passed the platform's time limit, or whose process has died. */
function endOverdue(world: World): void {
  for (const actor of world.dying) world.kill(actor);
  world.dying.clear();
  for (const [actor, deadlineMs] of world.deadlines) if (world.now() > deadlineMs) world.kill(actor);
}

async function step(world: World, took: Took): Promise<void> {
  const { plan, scheduler, random } = world;
  world.pass(random() * plan.stepMsMax);
  const crowding = scheduler.size() / plan.crowd;
  if (scheduler.size() > 0 && random() < 0.35 + crowding) {
    took(await scheduler.step(plan.faults));
    return;
  }
  const due = dueRetries(world);
  const action = due.length > 0 && random() < 0.3 ? "send again" : drawAction(plan.weights, random);
  if (action === "jump") {
    await leap(world, took);
    return;
  }
  if (action === "send again") retry(world, due);
  else begin[action](world);
  await settled();
  took(`begin: ${action}`);
}

/** Lets all actors finish, and then time leap: to the next event, or by some hours. */
async function leap(world: World, took: Took): Promise<void> {
  const { scheduler, plan, random } = world;
  for (let steps = 0; scheduler.size() > 0; steps++) {
    world.pass(random() * plan.stepMsMax);
    took(await scheduler.step(steps < stepsBeforeLeapMax ? plan.faults : noFaults));
  }
  world.calls.rest();
  await leapTo(world, took, targetOf(world));
  // An owner may save another calendar just then, while seasons end and instances remember the one of before.
  if (plan.weights["change the calendar"] === 0 || random() >= calendarsAtLeaps) return;
  begin["change the calendar"](world);
  await settled();
  took("begin: change the calendar");
}

function targetOf(world: World): number {
  const now = world.now();
  const { random, life, plan } = world;
  // Across midnight while much goes on, and then to the runs and questions that follow.
  if (plan.movement && random() < 0.7) {
    if (random() < 0.5) return now + random() * 60_000;
    const { definition = plan.definition } = world.rankings.definitions.at(-1) ?? {};
    return nextMidnight(now, definition) + (random() - 0.7) * Math.min(90_000, 60 * plan.stepMsMax);
  }
  if (plan.league && random() < 0.3) return toWeek(world);
  if (plan.privateGroups && random() < 0.4) return toEndOfGroup(world);
  const next = (times: number[]) => Math.min(...times.filter((ms) => ms > now));
  const choice = random();
  const ends = next(life.all().flatMap(({ opensMs, closesMs }) => [opensMs, closesMs]));
  const due = next(life.all().map(({ season }) => season.end_due_at?.toMillis() ?? Infinity));
  if (choice < 0.35 && ends < Infinity) return Math.max(now, ends + (random() - 0.6) * 90_000);
  if (choice < 0.7 && due < Infinity) return due + random() * 70_000;
  if (choice < 0.85) return now + random() * 20 * 60_000;
  return now + random() * (choice < 0.96 ? 8 : 30) * 3_600_000;
}

/** To about the end of the week, or into the midst of it, where first scores come too late for a seat. */
function toWeek({ random, life, now }: World): number {
  const present = life.all().find(({ season, opensMs, closesMs }) => {
    return season.span === "weekly" && opensMs <= now() && now() < closesMs;
  });
  if (present === undefined) return now() + random() * 3_600_000;
  if (random() < 0.6) return Math.max(now(), present.closesMs + (random() - 0.6) * 90_000);
  return now() + random() * (present.closesMs - now());
}

/** To about the end of a private group, or to when its last scores are in. */
function toEndOfGroup(world: World): number {
  const { now, random, privateGroups } = world;
  const ends = [...privateGroups.all().values()].flatMap(({ ends_at: at, settled_at: settled }) =>
    settled === undefined && at !== null ? [at.toMillis(), at.toMillis() + endWaitMs] : [],
  );
  const next = Math.min(...ends.filter((ms) => ms > now()));
  return next === Infinity ? now() + random() * 3_600_000 : Math.max(now(), next + (random() - 0.5) * 90_000);
}

/**
 * Moves time on while no actor is active. Events arrive within a day, or never if a season's closing makes up for them.
 */
async function leapTo(world: World, took: Took, targetMs: number): Promise<void> {
  const isLate = ({ write: { atMs } }: PlayerEvent) => atMs + lateEventMsMax <= targetMs + 60_000;
  world.damaged.clear();
  world.delivered = world.delivered.filter((event) => !isLate(event));
  const isLost = (event: PlayerEvent) =>
    isLate(event) && event.key.leaderboard === leaderboard && world.life.mayLoseEvents(event.key.season);
  for (const { key, isOwn } of world.events.filter(isLost)) if (!isOwn) world.needsRepair.add(key.season);
  world.events = world.events.filter((event) => !isLost(event));
  for (let event = world.events.find(isLate); event !== undefined; event = world.events.find(isLate)) {
    world.events.splice(world.events.indexOf(event), 1);
    deliver(world, event);
    // A correction waits for a repair that has died.
    world.pass(300);
    await performAll(world, took);
  }
  world.pass(Math.max(0, targetMs - world.now()));
  took(`time leaps to ${new Date(world.now()).toISOString()}`);
}
