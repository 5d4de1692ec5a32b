/** What Firerank's operations are billed, for each way to use it. docs/costs.md says the same in words. */
import { rowsMax, shardsPerPublicationMax, skippedMax } from "../../functions/src/model/limits.ts";
import { costsOf } from "../boards/costs.ts";
import { happensPerSecond } from "../boards/course.ts";
import { sumOf as spentOn, times } from "../boards/spent.ts";
import { type Bill, bill, sumOf } from "../contest/bill.ts";
import type { Truth } from "../contest/truth.ts";
import { commitsPerSecond, documentsPerSlot, liveAge, pendingOf, shardDocumentsOf } from "../load/bill.ts";
import { countsOf, isChange } from "./players.ts";
import { type Bills, type Clock, runSecondsDefault, type Tasks } from "./system.ts";
import { equalsCountedMax } from "../../functions/src/reading/lists.ts";
import { countedPerRead } from "../../functions/src/reading/offset.ts";
import { rowsPerPage } from "../../functions/src/ranking/pack-pages.ts";
import { publicationExtraWrites } from "../../functions/src/ranking/publication.ts";

/** A way to use it, with scores by the functions' calls. */
export interface Way {
  /** Whether the trigger is deployed. */
  hasTrigger: boolean;
  /** Whether an instance that is asked has the pages in memory. */
  pages: "memory" | "none";
  freshness: "published" | "live";
}

/** Players in the top; the other systems keep as many. */
export const topSize = 10;

/**
 * The schedule is called once a minute, and finds with two reads that nothing is due, and with another one each ten minutes that
 * no private group ends. In a second.
 */
export const schedules = bill({ reads: 2.1 / 60, invocations: 1 / 60 });

/** By the clock, in a second: the schedule, and the board. What is due on the only board costs the schedule no read more. */
export function clockOf(way: Way): Clock {
  return (load) => sumOf(schedules, boardClockOf(way)(load));
}

/**
 * What a board is billed by the clock. Its tasks read the board, find nothing, and let its season fall asleep, which the
 * next score wakes (bench/boards). Each instance reads it once a minute while it has requests, here one for scores,
 * one for events and one for questions; where players change, the top's gate is read once in ten seconds. An instance with
 * pages in memory reads those that it needs. For `live` it reads what is pending.
 */
export function boardClockOf({ hasTrigger, pages, freshness }: Way): Clock {
  return ({ updatesPerSecond, ranksPerSecond, scores }) => {
    const aMinute = (rate: number) => Math.min(1 / 60, rate);
    const boards = 2 * ((hasTrigger ? 2 : 1) * aMinute(updatesPerSecond) + aMinute(ranksPerSecond));
    const pending = Math.min(
      pendingOf(updatesPerSecond, runSecondsDefault),
      (updatesPerSecond * runSecondsDefault) / 2,
    );
    const live = Math.min(ranksPerSecond, 1 / liveAge(pending)) * (1 + pending);
    const idle = idleOf(updatesPerSecond);
    return bill({
      ...idle,
      reads:
        idle.reads +
        boards +
        Math.min(1 / 10, updatesPerSecond) +
        (pages === "memory" ? pagesRead(pagesOf(scores), ranksPerSecond) : 0) +
        (freshness === "live" ? live : 0),
    });
  };
}

/** In a second, beside what is asked for: the board's tasks that publish nothing, and how its season falls asleep. */
function idleOf(updatesPerSecond: number): Bill {
  const costs = costsOf({ players: 1, topSize });
  const { runs, quietRuns, rests, dozes, sleeps, wakes } = happensPerSecond(updatesPerSecond);
  const { reads, writes } = spentOn(
    times(runs + rests + dozes + wakes, costs.board),
    times(quietRuns, costs.quiet),
    times(rests, costs.rest),
    times(dozes, costs.doze),
    times(sleeps, costs.sleep),
    times(wakes, costs.wake),
  );
  return bill({ reads, writes, invocations: rests + dozes });
}

/** A task is requested and delivered. */
export function tasksOf(updatesPerSecond: number): Tasks {
  const { runs, rests, dozes } = happensPerSecond(updatesPerSecond);
  return { runs, queued: 2 * (runs + rests + dozes) };
}

/** Pages that come into memory, in a second: each once between two runs, so many of all as questions hit by chance. */
export function pagesRead(all: number, ranksPerSecond: number): number {
  const needed = all * (1 - (1 - 1 / all) ** (ranksPerSecond * runSecondsDefault));
  return needed / runSecondsDefault;
}

/**
 * @param updatesPerSecond that arrive in one instance; left out where each arrives alone.
 * @param segmentPagesOf the pages that the next publication writes of segments; and whether it has to merge rows of them.
 * @param markOf what a shard counts for a player with a score.
 */
export function billsOf(
  way: Way,
  start: Truth,
  updatesPerSecond?: number,
  segmentPagesOf: () => { count: number; isMerged: boolean } = () => ({ count: 0, isMerged: false }),
  markOf: (score: number, player: string) => string = String,
): Bills {
  // A contest uses one shard and one slot.
  const shardsOf = (changes: number) =>
    updatesPerSecond === undefined
      ? 1
      : Math.min(changes, shardDocumentsOf(updatesPerSecond, runSecondsDefault));
  let pages = start.players === 0 ? 0 : pagesOf(start.distinct);
  let segmentPages = start.players === 0 ? 0 : segmentPagesOf().count;
  let changes = 0;
  /** The score that a change must come up to, before or after, for the next run to read the players of the top. */
  let gate = start.players === 0 ? -Infinity : gateOf(start);
  let mayShow = start.players === 0;
  /** By mark, how many players more or fewer the shard has; only where there is one. */
  const moved = new Map<string, number>();
  return {
    update(_, change) {
      if (!isChange(change)) return bill({ reads: 1 });
      changes += 1;
      mayShow ||= change.after >= gate || (change.before ?? -Infinity) >= gate;
      for (const { score, by } of updatesPerSecond === undefined ? countsOf(change) : []) {
        const mark = markOf(score, change.player);
        moved.set(mark, (moved.get(mark) ?? 0) + by);
      }
      const shared =
        updatesPerSecond === undefined ? 1 : commitsPerSecond(updatesPerSecond) / updatesPerSecond;
      // The player; and of one without a document, what an erasure may have left.
      const reads = change.before === null ? 2 : 1;
      return bill({ reads, writes: 1 + shared, invocations: way.hasTrigger ? 1 : 0 });
    },
    ...questions(way),
    run(truth) {
      if (changes === 0) return bill({ reads: 1, invocations: 1 });
      // Where changes cancel out, the run cannot know which scores have changed. With a shard for each commit few do.
      if (updatesPerSecond === undefined) mayShow ||= come(moved) < changes;
      moved.clear();
      const shards = shardsOf(changes);
      const publications = Math.ceil(shards / shardsPerPublicationMax);
      const written = pagesOf(truth.distinct);
      const ofSegments = segmentPagesOf();
      // Where rows are merged, a publication reads the shards of the open slot too.
      const open = ofSegments.isMerged ? documentsPerSlot(updatesPerSecond ?? 0) : 0;
      const found = bill({
        reads:
          publications * (pages + segmentPages + open + 1) +
          (mayShow ? topReads(truth) : 0) +
          shards +
          firstReads(pages),
        writes: publications * (written + ofSegments.count + publicationExtraWrites),
        deletes: shards + Math.max(0, pages - written) + Math.max(0, segmentPages - ofSegments.count),
        invocations: 1,
      });
      changes = 0;
      if (mayShow) gate = gateOf(truth);
      mayShow = false;
      pages = written;
      segmentPages = ofSegments.count;
      return found;
    },
  };
}

/** The first run finds no page, which is a read too; and it looks for shards of any age, or reads the top. */
function firstReads(pages: number): number {
  return pages === 0 ? 2 : 0;
}

/** The players of the top, and 1 for the index entries of these. The contest has no refreshes, which show changes earlier. */
function topReads({ players }: Truth): number {
  return Math.max(1, Math.min(topSize, players)) + 1;
}

/**
 * How many players a shard has more, over the marks that have more. Each change brings one, unless another takes it out.
 */
function come(moved: ReadonlyMap<string, number>): number {
  return [...moved.values()].reduce((sum, by) => sum + Math.max(0, by), 0);
}

/** The lowest score of a full top. */
function gateOf(truth: Truth): number {
  return truth.players < topSize ? -Infinity : truth.scoreAt(topSize - 1);
}

function pagesOf(rows: number): number {
  const stored = Math.min(rows, rowsMax);
  return Math.max(1, Math.ceil(stored / rowsPerPage(stored)));
}

/** What questions read. */
function questions({ pages, freshness }: Way): Omit<Bills, "update" | "run"> {
  const isKept = pages === "memory";
  /** Pages on which players from an index to another are, with as many scores on each. */
  const pagesBetween = (truth: Truth, from: number, until: number) => {
    if (isKept) return 0;
    const perPage = Math.max(rowsPerPage(truth.distinct), truth.distinct / pagesOf(truth.distinct));
    const pageOf = (index: number) => Math.floor(truth.distinctAbove(truth.scoreAt(index)) / perPage);
    return pageOf(until) - pageOf(from) + 1;
  };
  const page: Bills["page"] = (truth, from, size) => {
    // A board without players has no page that could be kept; its live sums can.
    if (from >= truth.players)
      return bill({ reads: isKept && (truth.players > 0 || freshness === "live") ? 0 : 2 });
    const last = Math.min(truth.players, from + size) - 1;
    const skipped = from - truth.above(truth.scoreAt(from));
    if (skipped > skippedMax) return undefined;
    return bill({ reads: skipped + (last - from + 1) + pagesBetween(truth, from, last) });
  };
  return {
    rank: () => bill({ reads: isKept ? 1 : 2 }), // The player, and the page.
    top: (truth, count) => (freshness === "live" ? (page(truth, 0, count) ?? bill({})) : bill({ reads: 1 })),
    around(truth, index, before, after) {
      const first = Math.max(0, index - before);
      const last = Math.min(truth.players - 1, index + after);
      const neighbours = Math.max(1, index - first) + Math.max(1, last - index);
      return bill({
        reads:
          1 + neighbours + pagesBetween(truth, first, last) + equalsReads(truth, first, last, index - before),
      });
    },
    page,
  };
}

/**
 * Where all players of a list have one score, their equals before them are counted, unless the list begins with the best.
 * @param wanted the index with which the list would begin if there were enough players.
 */
function equalsReads(truth: Truth, first: number, last: number, wanted: number): number {
  const score = truth.scoreAt(first);
  if (wanted < 0 || score !== truth.scoreAt(last)) return 0;
  const counted = Math.min(equalsCountedMax, first - truth.above(score));
  return Math.max(1, Math.ceil(counted / countedPerRead));
}
