/**
 * A world comes to rest: everything finishes, every event is delivered, everything is folded, and all must equal a plain
 * sort. Then only the schedule goes on, now and then for hours, or until every season that has ended is closed.
 */
import { isDeepStrictEqual } from "node:util";
import { Timestamp } from "../functions/src/documents/firestore.ts";
import {
  closingNotesPath,
  closingRangesPath,
  receiptsPath,
  type SeasonKey,
  seasonPath,
  shardPath,
  shardsPath,
} from "../functions/src/documents/paths.ts";
import { boardCacheMs, slotMs } from "../functions/src/model/limits.ts";
import { scoreToField } from "../functions/src/model/score.ts";
import { slotEnd } from "../functions/src/model/slot.ts";
import { intervalMinutesMax } from "./actions/admin.ts";
import {
  deliver,
  refresh,
  repairNow,
  repairStep,
  run,
  runTask,
  schedule,
  shared,
  step,
} from "./actions/functions.ts";
import { look as lookAtGroup, lookForEnds } from "./actions/groups.ts";
import { look } from "./actions/league.ts";
import { pay } from "./actions/pay.ts";
import { retry, submit } from "./actions/submit.ts";
import { playTemplates } from "./actions/templates.ts";
import { someOf, somePlayers, someScore, takeEvent } from "./actors.ts";
import { keyIn } from "./board.ts";
import { checkPublished, checkTopAtRest } from "./checks/at-rest.ts";
import { beginDailyLook } from "./checks/daily-look.ts";
import { beginExport } from "./checks/exported.ts";
import type { Known } from "./checks/life.ts";
import { checkGroupsAtRest } from "./checks/groups-at-rest.ts";
import { checkLeagueAtRest, weekAtRest } from "./checks/league-at-rest.ts";
import { beginMyBoards } from "./checks/my-boards.ts";
import { insist } from "./checks/violation.ts";
import { skewMsMax } from "./plan.ts";
import { noFaults, settled } from "./scheduler.ts";
import type { World } from "./world.ts";

/** Counts a step, and checks the promises after it. @throws the violation */
export type Took = (what: string) => void;

/** Longer than the longest window between two writes of a group. */
const groupsQuietMs = 35_000;

/** How many players are exported at a rest. */
const exportedMax = 3;

/** The most steps that coming to rest may take: beyond that, something is running in circles. */
const restStepsMax = 200_000;

/**
 * The rounds of the schedule within which every season that has ended must be closed, cleared, and deleted if it is not
 * kept.
 */
const roundsToEndMax = 80;

/**
 * Finishes everything, delivers all events, ranks the rest and compares everything with a sort. The rest is ranked by runs
 * that include the open slot, or only by the schedule, which shows that no change waits in a sleeping season.
 */
export async function comeToRest(world: World, took: Took): Promise<void> {
  const { plan, random } = world;
  world.damaged.clear();
  await finish(world, took);
  await refreshAll(world, took);
  // A wrong clock names windows that have passed; and a process may have died at the critical moment.
  const mayMiss = world.mayMissFollower || plan.trigger !== "on" || plan.faults.answerLost > 0;
  if (plan.skewMsMax === 0 && !mayMiss) checkTops(world);
  world.mayMissFollower = false;
  if (plan.privateGroups) await lookAtGroups(world, took);
  await repairAll(world, took);
  if (plan.league && random() < 0.5) await lookAtLeague(world, took);
  if (random() < 0.5) {
    for (const key of openKeys(world)) run(world, key, { includeOpenSlot: true });
    await finish(world, took);
  } else await followSchedule(world, took, 5);
  insist(
    world.working.size === 0,
    () => `progress: still at work: ${[...world.working.keys()].map(({ name }) => name).join()}`,
  );
  world.calls.rest();
  checkOpenSeasons(world);
  world.payments.checkAtRest();
  for (const player of somePlayers(world, exportedMax)) {
    beginExport(world, player);
    if (plan.templates) beginMyBoards(world, player, true);
  }
  await performAll(world, took);
  if (random() < plan.strays) await repairAfterStray(world, took);
  if (random() < 0.2) await followSchedule(world, took, 12);
  if (random() < 0.3) await followDeadly(world, took);
  if (random() < 0.5) await endSeasons(world, took);
}

/** Steps after which nothing else is left but time limits. */
const waitsMax = 100;

/** Performs what is under way, without faults. */
export async function performAll(world: World, took: Took): Promise<void> {
  await settled();
  let waits = 0;
  for (let steps = 0; world.scheduler.size() > 0; steps++) {
    insist(steps < restStepsMax, () => "progress: the world does not come to rest");
    const what = await world.scheduler.step(noFaults);
    waits = what.endsWith(" a time limit") ? waits + 1 : 0;
    // All that is left waits for what died with its call.
    if (waits > waitsMax) world.pass(1_000);
    took(what);
  }
}

/** Performs what is under way, delivers events and tasks, resends what was not answered. */
export async function finish(world: World, took: Took): Promise<void> {
  for (let rounds = 0; ; rounds++) {
    insist(rounds < restStepsMax, () => "progress: the world does not come to rest");
    await performAll(world, took);
    if (!beginRest(world)) return;
    await settled();
    took("coming to rest");
  }
}

/** Begins work that waits, one of each sort; events come first, repairs and callers last. @returns whether there was any */
function beginRest(world: World): boolean {
  const event = takeEvent(world);
  if (event !== undefined) {
    deliver(world, event);
    // Corrections wait for a repair that has died.
    world.pass(300);
    return true;
  }
  const [request, asked, told] = [world.runs.shift(), world.steps.shift(), world.outbox.shift()];
  const together = world.shared.shift();
  if (request !== undefined) runTask(world, request);
  if (asked !== undefined) step(world, asked.request, asked.retryCount);
  if (told !== undefined) pay(world, told, true);
  if (together !== undefined) shared(world, together);
  if ([request, asked, told, together].some((begun) => begun !== undefined)) return true;
  const repair = world.repairs.shift();
  if (repair !== undefined) repairStep(world, repair);
  else if (world.retries.length > 0) retry(world, world.retries);
  else return false;
  return true;
}

/** Runs the requested refreshes, each when it is due, and those that follow from them. */
async function refreshAll(world: World, took: Took): Promise<void> {
  for (let request = world.refreshes[0]; request !== undefined; request = world.refreshes[0]) {
    world.pass(Math.max(0, Date.parse(request.due_at) - world.now()));
    refresh(world, request, true);
    await finish(world, took);
  }
}

/** All players look at their league, twice: where a server has replaced a document, the second look brings the group up to date. */
async function lookAtLeague(world: World, took: Took): Promise<void> {
  if (world.plan.definition.league === undefined) return;
  for (let time = 0; time < 2; time++) {
    for (let i = 0; i < world.plan.players; i++) look(world, `p${i}`, undefined);
    await finish(world, took);
    await refreshAll(world, took);
  }
  const week = weekAtRest(world);
  if (week !== undefined) checkLeagueAtRest(world, week);
}

/** Who is in a private group looks at it, twice, as each look may leave a refresh; and what is due, ends. */
async function lookAtGroups(world: World, took: Took): Promise<void> {
  for (let time = 0; time < 2; time++) {
    lookForEnds(world);
    await finish(world, took);
    await refreshAll(world, took);
    for (const group of world.privateGroups.all().keys())
      for (const player of world.privateGroups.membersOf(group)) {
        // A group that was written just now leaves it to its refresh.
        world.pass(groupsQuietMs);
        lookAtGroup(world, { group, player }, undefined);
        await finish(world, took);
      }
    await refreshAll(world, took);
  }
  lookForEnds(world);
  await finish(world, took);
  await refreshAll(world, took);
  checkGroupsAtRest(world);
}

const openSeasons = ({ life }: World) => life.all().filter(({ season }) => season.status === "open");

/** The seasons that are open, also of boards of templates. */
const openKeys = (world: World) => [
  ...openSeasons(world).map(({ id }) => keyIn(id)),
  ...world.boards.seasons(),
];

/** So long before its end a season is still repaired. */
const repairMsMax = 600_000;

/** Seasons that are open for long enough to be repaired. */
const repairable = (world: World) =>
  openSeasons(world).filter(({ opensMs, closesMs }) => {
    return opensMs + plannedMs(world) <= world.now() && world.now() + repairMsMax < closesMs;
  });

const plannedMs = ({ plan }: World) => 2 * plan.skewMsMax;

/** Repairs what no event tells of, where no closing will, and in half of the cases where one will. */
async function repairAll(world: World, took: Took): Promise<void> {
  const needing = ({ id, closesMs }: Known) =>
    world.needsRepair.has(id) && (closesMs === Infinity || world.random() < 0.5);
  const some = repairable(world).filter(needing);
  for (const { id } of some) await repairAlone(world, id, took);
}

/** Repairs a season while nothing else goes on. By then no instance remembers the board without the season any more. */
async function repairAlone(world: World, season: string, took: Took): Promise<void> {
  world.pass(boardCacheMs + 1_000);
  repairNow(world, season);
  await finish(world, took);
  world.needsRepair.delete(season);
}

/** Checks every open season that has lost no event: index, pages and documents match. */
function checkOpenSeasons(world: World, except?: SeasonKey): void {
  const { boards, rankings, database, plan } = world;
  boards.checkAtRest(except);
  for (const { id } of openSeasons(world)) {
    if (world.needsRepair.has(id) || isDeepStrictEqual(keyIn(id), except)) continue;
    insist(
      rankings.of(id)?.conservation.drifts() !== true,
      () => `convergence: a direct write in ${id} was never corrected`,
    );
    checkPublished(database.store, keyIn(id), plan.definition);
  }
}

function checkTops(world: World): void {
  for (const { id } of openSeasons(world))
    if (!world.needsRepair.has(id)) checkTopAtRest(world.database.store, keyIn(id), world.plan.definition);
}

/** A shard that nobody here wrote, in a slot that ended long ago, as from a backup. A repair makes all right again. */
async function repairAfterStray(world: World, took: Took): Promise<void> {
  const { rankings, database } = world;
  const known = someOf(world, repairable(world));
  const { conservation } = (known && rankings.of(known.id)) ?? {};
  if (known === undefined || conservation === undefined || conservation.generation() === 0) return;
  const endMs = slotEnd(world.now(), slotMs) - 200 * slotMs;
  const stray = {
    slot_ends_at: Timestamp.fromMillis(endMs),
    player_count: { [scoreToField(someScore(world))]: 1 },
    writes: 1,
  };
  conservation.byForeignHand(() => {
    const path = shardPath(keyIn(known.id), "stray", endMs);
    database.store.commit([{ path, guard: {}, apply: () => stray }]);
  });
  await repairAlone(world, known.id, took);
  checkOpenSeasons(world);
}

/** How long until every open season is due: at most the longest interval, in case an instance still used that one. */
function untilDueMs(world: World): number {
  const dueMs = openKeys(world).map((key) => {
    const due = world.database.store.get(seasonPath(key))?.data["next_run_at"] as Timestamp | null;
    return (due?.toMillis() ?? 0) - world.now();
  });
  const waitMs = Math.max(0, ...dueMs);
  insist(waitMs <= intervalMinutesMax * 60_000 + skewMsMax, () => `the next run is due in ${waitMs} ms`);
  return waitMs;
}

/** Lets time pass with only the schedule and its tasks. */
async function followSchedule(world: World, took: Took, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++)
    await scheduleAfter(world, took, Math.max(11 * 60_000, untilDueMs(world)));
}

/**
 * The schedule continues while runs of one of the seasons throw, or kill their process: the others are published all the
 * same, and the daily look tells of this season.
 */
async function followDeadly(world: World, took: Took): Promise<void> {
  const deadly = someOf(world, openKeys(world));
  if (deadly === undefined) return;
  submit(world, undefined);
  if (world.plan.templates) playTemplates(world);
  await finish(world, took);
  world.deadly = { key: deadly, throws: world.random() < 0.5 };
  await followSchedule(world, took, 1);
  checkOpenSeasons(world, deadly);
  await followSchedule(world, took, 2);
  beginDailyLook(world);
  await performAll(world, took);
  world.deadly = undefined;
  await followSchedule(world, took, 5);
  checkOpenSeasons(world);
}

async function scheduleAfter(world: World, took: Took, ms: number): Promise<void> {
  world.pass(ms + 2 * world.plan.skewMsMax);
  schedule(world);
  await finish(world, took);
  await refreshAll(world, took);
}

/** Lets only the schedule continue, until no ended season has anything due. */
async function endSeasons(world: World, took: Took): Promise<void> {
  for (let rounds = 0; ; rounds++) {
    const unfinished = world.life.all().filter((known) => !isFinished(world, known));
    if (unfinished.length === 0) break;
    insist(
      rounds < roundsToEndMax,
      () => `progress: ${unfinished.map(tell).join("; ")} after ${rounds} rounds`,
    );
    await endNext(world, took, unfinished);
  }
  checkEnded(world);
}

/** Lets the schedule continue with what is due first in seasons that end; there has to be something. */
export async function endNext(world: World, took: Took, unfinished: readonly Known[]): Promise<void> {
  if (unfinished.length === 0) return;
  const due = Math.min(...unfinished.map(({ season }) => season.end_due_at?.toMillis() ?? Infinity));
  insist(due < Infinity, () => `progress: nothing is due in ${unfinished.map(tell).join("; ")}`);
  await scheduleAfter(world, took, Math.max(60_000, due - world.now()));
}

const tell = ({ id, season }: Known) =>
  `${id} is ${season.status}, due at ${season.end_due_at?.toDate().toISOString()}`;

function isFinished(world: World, { season, closesMs }: Known): boolean {
  if (season.status === "open") return closesMs > world.now() - world.plan.skewMsMax;
  return season.status === "closed" && season.cleared_at !== null && season.end_due_at === null;
}

/** Checks what is left of ended seasons. */
function checkEnded(world: World): void {
  const { life, rankings, database, plan } = world;
  const { store } = database;
  for (const { id, season } of life.all()) {
    if (season.status !== "closed") continue;
    const key = keyIn(id);
    rankings.checkShown(key);
    insist(season.next_run_at === null, () => `ended: a run of ${id} is due`);
    for (const path of [shardsPath(key), receiptsPath(key), closingNotesPath(key), closingRangesPath(key)])
      insist(store.list(path).length === 0, () => `ended: ${path} still has documents`);
  }
  const { keep_seasons: keep } = plan.definition;
  if (keep === undefined) return;
  for (const span of ["daily", "weekly", "monthly"]) {
    const closed = life.all().filter(({ season }) => season.span === span && season.status === "closed");
    insist(closed.length <= keep, () => `kept: ${closed.map(({ id }) => id).join()} where ${keep} are kept`);
  }
}
