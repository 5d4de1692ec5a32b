/**
 * What boards are billed by formula, part by part as ledger.ts names them: how often each thing happens (course.ts,
 * refreshes.ts, memory.ts and here), times what it costs (costs.ts). Scores and questions come at random, and alone; there
 * is one instance of each function. Pure.
 */
import {
  dozeMs,
  rowsMax,
  sharedStepsMax,
  slotMs,
  topChangesShare,
  topKeptMsMax,
} from "../../functions/src/model/limits.ts";
import { commitsPerSecond, documentsPerSlot, secondsOfDay, usualCommitSeconds } from "../load/bill.ts";
import { type Board, type Costs, costsOf, pagesOf, refreshOfChanges, sharesTasks, task } from "./costs.ts";
import { type Happens, happensPerSecond, intervalSeconds } from "./course.ts";
import type { Spendings } from "./ledger.ts";
import { boardBytes, boardReads, gateReads, pageBytes, pageReads, rooms, staysSeconds } from "./memory.ts";
import { topBusyMs } from "../../functions/src/top/gate-memory.ts";
import { type Refreshes, refreshesPerSecond } from "./refreshes.ts";
import { calledFor, type Spent, sumOf, times } from "./spent.ts";

/** What comes on a board in a second. Each score replaces the player's by any other score. */
export interface Rates {
  scoresPerSecond: number;
  ranksPerSecond: number;
}

/** Boards that are alike. */
export interface Group extends Board, Rates {
  boards: number;
}

interface Running extends Group {
  costs: Costs;
  happens: Happens;
  top: Refreshes;
}

/** How long what each instance has in memory stays there. */
type Stays = Record<"submitter" | "gates" | "submitterPages" | "asked" | "askedPages" | "refresher", number>;

const tickSeconds = 60;
const slotSeconds = slotMs / 1_000;
/** How long a season is awake after a lone change in the mean: until its interval ends, and then it dozes. */
const awakeSeconds = dozeMs / 1_000 + 0.7 * intervalSeconds;

/**
 * What some boards are billed in so many seconds. What happens once a day is taken to be spread over the day.
 * @param isPlay whether it is a play of some hours: commits take no time there, and no top is a week old.
 */
export function billOf(groups: readonly Group[], seconds: number, isPlay = false): Spendings {
  const running = groups.map((group) => ({
    ...group,
    costs: costsOf(group),
    happens: happensPerSecond(group.scoresPerSecond),
    top: refreshesPerSecond(group, group.scoresPerSecond),
  }));
  const stays = staysOf(running);
  const billsOfGroups = running.map((group) => billGroup(group, stays, isPlay));
  const sharing = addParts(...billsOfGroups.filter((_, at) => running[at] && sharesTasks(running[at])));
  const perSecond = addParts(...billsOfGroups, billSchedule(running, sharing));
  const daily = scaleParts(1 / secondsOfDay, billDaily(running));
  return scaleParts(seconds, addParts(perSecond, daily));
}

function staysOf(running: readonly Running[]): Stays {
  type Rate = (group: Running) => number;
  const among = (room: number, perSecond: Rate, size: number) =>
    staysSeconds(
      running.map((group) => ({ things: group.boards, perSecond: perSecond(group), size })),
      room,
    );
  const amongPages = (perSecond: Rate) =>
    staysSeconds(
      running.map((group) => {
        const pages = pagesOf(group);
        const size = pageBytes(Math.min(group.players, rowsMax) / pages);
        return { things: group.boards * pages, perSecond: perSecond(group) / pages, size };
      }),
      rooms.pages,
    );
  const scores: Rate = ({ scoresPerSecond }) => scoresPerSecond;
  const ranks: Rate = ({ ranksPerSecond }) => ranksPerSecond;
  return {
    submitter: among(rooms.boards, scores, boardBytes),
    gates: among(rooms.gates, scores, 1),
    submitterPages: amongPages(scores),
    asked: among(rooms.boards, ranks, boardBytes),
    askedPages: amongPages(ranks),
    refresher: among(rooms.boards, ({ top }) => top.byTask + top.lowered, boardBytes),
  };
}

/** In a second, without the schedule and what happens daily. */
function billGroup(group: Running, stays: Stays, isPlay: boolean): Spendings {
  const { scoresPerSecond: scores, ranksPerSecond: ranks, boards, costs, happens, top } = group;
  const pages = pagesOf(group);
  // Scores that arrive during a commit share the next one.
  const commitSeconds = isPlay ? 0 : usualCommitSeconds;
  const shards = shardsPerSecond(scores, commitSeconds);
  const wholeShare = wholeShareOf(group, shards);
  const all = (...parts: [perSecond: number, cost: Partial<Spent>][]) =>
    sumOf(...parts.map(([perSecond, cost]) => times(boards * perSecond, cost)));
  const counted = (perSecond: number, spent: Spent) => ({ ...spent, times: boards * perSecond });
  const commits = scores === 0 ? 0 : commitsPerSecond(scores, commitSeconds);
  const afterChange = refreshCost(group, shards, wholeShare, documentsOfMove(group));
  // Most refreshes after a lowered gate find nothing that has changed.
  const afterGate = refreshCost(group, shards, wholeShare, 0);
  const atOnceShare = top.atOnce === 0 ? 0 : top.atOnce / (top.atOnce + top.byTask);
  return {
    scores: counted(scores, all([scores, costs.score], [commits, costs.commit], [top.byTask, costs.request])),
    "scores: wakes": counted(happens.wakes, all([happens.wakes, costs.wake])),
    "scores: board": all([boardReads(scores, stays.submitter), costs.board]),
    "scores: gate": all([gateReads(scores, stays.gates), costs.gate]),
    "scores: top": counted(
      top.atOnce,
      all(
        [top.atOnce, afterChange],
        [top.lowered * atOnceShare, costs.request],
        [top.events * atOnceShare, costs.event],
      ),
    ),
    "scores: pages": all([pageReads(scores, pages, happens, stays.submitterPages), costs.page]),
    ranks: counted(ranks, all([ranks, costs.rank])),
    "ranks: board": all([boardReads(ranks, stays.asked), costs.board]),
    "ranks: pages": all([pageReads(ranks, pages, happens, stays.askedPages), costs.page]),
    runs: counted(
      happens.runs,
      all(
        [happens.runs, costs.run],
        [isPlay ? 0 : oldTopsPerSecond(happens, top, wholeShare), costs.oldTop],
        [happens.quietRuns, costs.quiet],
        [shards, costs.shard],
      ),
    ),
    "runs: board": all([happens.runs, costs.board]),
    looks: counted(
      happens.rests + happens.dozes,
      all([happens.rests, costs.rest], [happens.dozes, costs.doze]),
    ),
    "looks: board": all([happens.rests + happens.dozes, costs.board]),
    refreshes: counted(
      top.byTask + top.lowered,
      all(
        [top.byTask, task(afterChange)],
        [top.lowered, task(afterGate)],
        [top.lowered * (1 - atOnceShare), costs.request],
        [top.events * (1 - atOnceShare), costs.event],
      ),
    ),
    "refreshes: board": all([boardReads(top.byTask + top.lowered, stays.refresher), costs.board]),
  };
}

/**
 * How often all players of a top are read in a second, though refreshes read only what has changed: by the first run or
 * refresh after a week. It is billed to runs.
 */
function oldTopsPerSecond({ runs }: Happens, top: Refreshes, wholeShare: number): number {
  const refreshes = top.atOnce + top.byTask + top.lowered;
  const others = runs + refreshes;
  const isOld = Math.exp(-wholeShare * refreshes * (topKeptMsMax / 1_000));
  return others === 0 ? 0 : isOld / (topKeptMsMax / 1_000 + 1 / others);
}

/**
 * The share of refreshes that read all players of the top: where few are listed, and where many shards are pending. Shards
 * gather from one publication to the next.
 */
function wholeShareOf({ players, topSize }: Board, shards: number): number {
  const most = mostChangesOf({ players, topSize });
  const gathered = shards * intervalSeconds;
  if (most < 2) return 1;
  return gathered <= most ? 0 : Math.min(1, 1 - most / gathered + topBusyMs / 1_000 / intervalSeconds);
}

const mostChangesOf = ({ players, topSize }: Board) =>
  Math.floor(Math.min(topSize, players) * topChangesShare);

/** What a refresh costs: it reads what has changed since the one before, or all players. */
function refreshCost(
  { players, topSize, costs }: Running,
  shards: number,
  wholeShare: number,
  changed: number,
): Spent {
  const pending = 1 + Math.min(shards * intervalSeconds, mostChangesOf({ players, topSize })) / 2;
  return sumOf(times(wholeShare, costs.refresh), times(1 - wholeShare, refreshOfChanges(pending + changed)));
}

/** Documents of players that change with one move: who enters is read; of who moves the old score too; of who leaves it, and who follows. */
function documentsOfMove({ players, topSize }: Board): number {
  const inTop = Math.min(1, topSize / players);
  return (3 - inTop) / (2 - inTop);
}

/**
 * Shard documents in a second: one for each slot with a change, and more for what comes within a second of another change.
 * On a busy board they are shared (load/bill.ts).
 */
function shardsPerSecond(changesPerSecond: number, commitSeconds: number): number {
  const perSlot = changesPerSecond * slotSeconds;
  const rare = -Math.expm1(-perSlot) + perSlot * -Math.expm1(-changesPerSecond);
  return Math.min(rare, documentsPerSlot(changesPerSecond, commitSeconds)) / slotSeconds;
}

/**
 * The schedule in a second. Of the ticks of an interval, the one at its end finds all runs that are due, and another one
 * all seasons that have dozed for long enough. The others find nothing.
 */
function billSchedule(running: readonly Running[], sharing: Spendings): Spendings {
  const { tick, due, request, sleep } = costsOf({ players: 1, topSize: 1 });
  const runsOf = ({ due: all, sleeps }: Happens) => all - sleeps;
  const ofRuns = tickThatFinds(running, runsOf);
  const small = tickThatFinds(running.filter(sharesTasks), runsOf);
  const shared = tasksFor(small);
  const ofSleeps = tickThatFinds(running, ({ sleeps }) => sleeps);
  const others = intervalSeconds / tickSeconds - 2;
  const each = sumOf(
    times(2 + others, tick),
    times(ofRuns.beyondFirst + ofSleeps.beyondFirst, due),
    times(ofRuns.found - small.found + shared, request),
    times(ofSleeps.found, sleep),
    calledOn(1 + ofRuns.found),
    calledOn(1 + 3 * ofSleeps.found),
    calledFor(0, others),
  );
  const documents = ["runs", "runs: board", "looks", "looks: board"] as const;
  const { reads, writes, deletes } = sumOf(...documents.map((part) => sharing[part] ?? {}));
  const inTask = shared === 0 ? 0 : (intervalSeconds * (reads + writes + deletes)) / shared;
  return scaleParts(1 / intervalSeconds, {
    schedule: { ...each, times: 2 + others },
    "shared tasks": sumOf({ times: shared, queued: shared }, calledFor(inTask, shared)),
  });
}

/** How many tasks the steps of so many seasons share in the mean. */
function tasksFor({ found, none }: Pick<ReturnType<typeof tickThatFinds>, "found" | "none">): number {
  let further = 0;
  eachOfPoisson(found, (likely, count) => {
    further += likely * Math.max(0, Math.ceil(count / sharedStepsMax) - 1);
  });
  return 1 - none + further;
}

/** Seasons that a tick finds in the mean, and those beyond the first: this one costs no more than to find none. */
function tickThatFinds(running: readonly Running[], perSecondOf: (happens: Happens) => number) {
  let [found, none] = [0, 1];
  for (const { happens, boards } of running) {
    const share = Math.min(1, intervalSeconds * perSecondOf(happens));
    found += boards * share;
    none *= (1 - share) ** boards;
  }
  return { found, none, beyondFirst: found - 1 + none };
}

/** What functions are billed for a call that works on so many documents in the mean: how many is a Poisson number. */
function calledOn(documents: number): Partial<Spent> {
  let call = sumOf();
  eachOfPoisson(documents, (likely, count) => {
    call = sumOf(call, times(likely, calledFor(count)));
  });
  return call;
}

/** Each count that a Poisson number of this mean may be, and how likely it is. */
function eachOfPoisson(mean: number, take: (likely: number, count: number) => void): void {
  const most = Math.ceil(mean + 8 * Math.sqrt(mean) + 8);
  for (let count = 0, logarithm = -mean; count <= most; count++) {
    take(Math.exp(logarithm), count);
    logarithm += Math.log(mean) - Math.log(count + 1);
  }
}

/** What happens once a day: audits of what was published since, and the look for alerts. */
function billDaily(running: readonly Running[]): Spendings {
  const { dailyLook } = costsOf({ players: 1, topSize: 1 });
  let daily = sumOf({ times: 1 }, dailyLook);
  let audits = sumOf();
  /** Of seasons whose audits share tasks. */
  let [sharing, documents] = [0, 0];
  for (const { boards: count, players, scoresPerSecond, happens, costs } of running) {
    const changed = (days: number) => -Math.expm1(-scoresPerSecond * days * secondsOfDay);
    const awake = -Math.expm1(-scoresPerSecond * awakeSeconds);
    const audit = times(count * changed(1), { ...sumOf(costs.audit, costs.board), times: 1 });
    audits = sumOf(audits, audit);
    if (sharesTasks({ players })) {
      sharing += audit.times;
      documents += audit.reads + audit.writes + audit.deletes;
    }
    daily = sumOf(
      daily,
      times(count * changed(3), costs.auditSeen),
      times(count * changed(1), costs.auditAsked),
      times(count * awake, costs.lookedAt),
      times(count * tickSeconds * happens.due, costs.due),
    );
  }
  const tasks = sharing === 0 ? 0 : tasksFor({ found: sharing, none: Math.exp(-sharing) });
  return {
    audits,
    "daily look": sumOf(daily, { queued: tasks }, calledFor(daily.reads + daily.writes)),
    "shared tasks": sumOf(
      { times: tasks, queued: tasks },
      tasks === 0 ? {} : calledFor(documents / tasks, tasks),
    ),
  };
}

function addParts(...all: readonly Spendings[]): Spendings {
  const sum: Spendings = {};
  for (const one of all)
    for (const [part, spent] of Object.entries(one) as [keyof Spendings, Spent][])
      sum[part] = sumOf(sum[part] ?? {}, spent);
  return sum;
}

function scaleParts(factor: number, spendings: Spendings): Spendings {
  const parts = Object.entries(spendings).map(([part, spent]) => [part, times(factor, spent)]);
  return Object.fromEntries(parts) as Spendings;
}
