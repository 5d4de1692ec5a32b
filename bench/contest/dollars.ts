/** What a load costs a day, by the formulas and the price list. Commands to other servers are not in it. */
import { cost, functionTime, type FunctionTime, instances, type PricedRegion } from "../../cli/prices.ts";
import { addTime, callSeconds, jobSeconds, noTime, secondsOfDay } from "../load/bill.ts";
import { runSecondsDefault } from "../systems/system.ts";
import { type Bill, free, sumOf } from "./bill.ts";
import { type Billable, type Grown, type GrownBoard, growthOf } from "./growth.ts";

/** A load on a board. Each update changes a score. */
export interface Load {
  updatesPerSecond: number;
  ranksPerSecond: number;
}

/** A day of a load. */
export interface DayPrice {
  /** Dollars for Firestore's operations. */
  firestore: number;
  /** Dollars for functions that triggers and schedules call. */
  functions: number;
  /** Such calls, and the seconds of a processor that they are billed. */
  calls: number;
  processorSeconds: number;
}

export function dollarsOf({ firestore, functions }: DayPrice): number {
  return firestore + functions;
}

/** Dollars a day on a board; see {@link priceOf}. */
export function dollarsADay(
  system: Billable,
  board: GrownBoard,
  load: Load,
  region: PricedRegion,
): number | undefined {
  const price = priceOf(system, grownUnder(system, board, load), load, region);
  return price && dollarsOf(price);
}

/** The mean bills with as many updates between two runs as a load has. */
export function grownUnder(system: Billable, board: GrownBoard, { updatesPerSecond }: Load): Grown {
  const { runSeconds = runSecondsDefault } = system;
  return growthOf(system, board, Math.max(1, Math.round(updatesPerSecond * runSeconds)));
}

/**
 * A day by mean bills under a load. Below one update an interval the job is taken to run once for each update, as an idle
 * board needs no run. What is read and called by the clock is in it. `undefined` for a system that knows no ranks or
 * cannot hold the board.
 *
 * Functions are billed as in {@link functionTime}: an event one at a time on a sixth of a processor for a tenth of a
 * second, the cheapest there is; a job or schedule on a whole one, for as long as {@link jobSeconds} says.
 */
export function priceOf(
  { runSeconds = runSecondsDefault, clock }: Billable,
  { billed, scores }: Grown,
  load: Load,
  region: PricedRegion,
): DayPrice | undefined {
  const { updatesPerSecond, ranksPerSecond } = load;
  if (billed.rank === undefined) return undefined;
  const runsADay = secondsOfDay * Math.min(1 / runSeconds, updatesPerSecond);
  const update = times(billed.update, secondsOfDay * updatesPerSecond);
  const run = times(billed.run, runsADay);
  const byClock = times(clock?.({ ...load, scores }), secondsOfDay);
  const all = sumOf(update, times(billed.rank, secondsOfDay * ranksPerSecond), run, byClock);
  const { reads, writes, deletes } = all;
  const time = [
    functionTime(update.invocations, callSeconds, instances.trigger),
    functionTime(byClock.invocations, callSeconds, instances.usual),
    functionTime(run.invocations, jobSeconds(operationsOf(run) / run.invocations), instances.usual),
  ].reduce<FunctionTime>((sum, one) => (one.invocations > 0 ? addTime(sum, one) : sum), noTime);
  return {
    firestore: cost({ reads, writes, deletes }, region),
    functions: cost(time, region),
    calls: time.invocations,
    processorSeconds: time.processorSeconds,
  };
}

function operationsOf({ reads, writes, deletes }: Bill): number {
  return reads + writes + deletes;
}

function times(bill: Bill = free, count: number): Bill {
  const names = Object.keys(bill) as (keyof Bill)[];
  return Object.fromEntries(names.map((name) => [name, count * bill[name]])) as unknown as Bill;
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
