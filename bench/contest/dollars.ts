/** What a load costs a day, by the formulas and the price list. */
import { cost, functionTime, instances, queueOperation, totalOf } from "../../cli/prices.ts";
import { callSeconds, jobSeconds, secondsOfDay } from "../load/bill.ts";
import { runSecondsDefault } from "../systems/system.ts";
import { free, mapBill, sumOf } from "./bill.ts";
import { type Billable, type Grown, type GrownBoard, growthOf } from "./growth.ts";

/** A load on a board. Each update changes a score. */
export interface Load {
  updatesPerSecond: number;
  ranksPerSecond: number;
}

/** A day of a load, in us-central1. */
export interface DayPrice {
  /** Dollars for Firestore's operations. */
  firestore: number;
  /** Dollars for functions that triggers, schedules and tasks call, and for tasks. */
  functions: number;
  /** Such calls, and the seconds of a processor that they are billed. */
  calls: number;
  processorSeconds: number;
}

export function dollarsOf({ firestore, functions }: DayPrice): number {
  return firestore + functions;
}

/** A day on a board, with as many updates between two runs as the load has; see {@link priceOf}. */
export function dayOf(system: Billable, board: GrownBoard, load: Load): DayPrice {
  const { runSeconds = runSecondsDefault } = system;
  const updates = Math.max(1, Math.round(load.updatesPerSecond * runSeconds));
  return priceOf(system, growthOf(system, board, updates), load);
}

/**
 * A day by mean bills under a load. Below one update an interval a job without tasks is taken to run once for each update, as
 * an idle board needs no run. What is read and called by the clock is in it.
 *
 * Functions are billed as in {@link functionTime}: an event one at a time on a sixth of a processor for a tenth of a
 * second, the cheapest there is; a job or schedule on a whole one, for as long as {@link jobSeconds} says.
 */
export function priceOf(
  { runSeconds = runSecondsDefault, clock, tasks }: Billable,
  { billed, scores }: Grown,
  load: Load,
): DayPrice {
  const { updatesPerSecond, ranksPerSecond } = load;
  const inADay = (bill = free, perSecond = 1) => mapBill(bill, (amount) => secondsOfDay * perSecond * amount);
  const update = inADay(billed.update, updatesPerSecond);
  const { runs, queued } = tasks?.(updatesPerSecond) ?? {
    runs: Math.min(1 / runSeconds, updatesPerSecond),
    queued: 0,
  };
  const run = inADay(billed.run, runs);
  const byClock = inADay(clock?.({ ...load, scores }));
  const { reads, writes, deletes } = sumOf(update, inADay(billed.rank, ranksPerSecond), run, byClock);
  const jobs = (run.reads + run.writes + run.deletes) / run.invocations;
  const called = [
    functionTime(update.invocations, callSeconds, instances.trigger),
    functionTime(byClock.invocations, callSeconds, instances.usual),
    functionTime(run.invocations, jobSeconds(jobs), instances.usual),
  ];
  const time = totalOf(called.filter(({ invocations }) => invocations > 0));
  return {
    firestore: cost({ reads, writes, deletes }, "us-central1"),
    functions: cost(time, "us-central1") + secondsOfDay * queued * queueOperation,
    calls: time.invocations,
    processorSeconds: time.processorSeconds,
  };
}

/** Where one system stops or starts being cheaper than another as updates grow: see {@link breakEven}. */
export interface BreakEven {
  /** The cheaper one at the least load. */
  cheaperBelow: "first" | "second";
  /** Loads, rising, at which both cost the same, and from which on the other one is cheaper; empty if none is. */
  at: number[];
}

/** Compares dollars of two systems at rising loads, or on growing boards; between two of them it interpolates on both logarithms. */
export function breakEven(
  rates: readonly number[],
  first: readonly number[],
  second: readonly number[],
): BreakEven {
  const ratios = rates.map((_, i) => Math.log((first[i] ?? NaN) / (second[i] ?? NaN)));
  const at = ratios.flatMap((after, i) => {
    const [before = NaN, from = NaN, until = NaN] = [ratios[i - 1], rates[i - 1], rates[i]];
    if (i === 0 || before <= 0 === after <= 0) return [];
    return [from * (until / from) ** (before / (before - after))];
  });
  return { cheaperBelow: (ratios[0] ?? 0) <= 0 ? "first" : "second", at };
}
