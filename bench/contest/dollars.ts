/** What a load costs a day, by the formulas and the price list. Commands to other servers are not in it. */
import { cost, type PricedRegion } from "../../functions/src/model/prices.ts";
import { runSecondsDefault } from "../systems/system.ts";
import { type Billable, type Grown, type GrownBoard, growthOf } from "./growth.ts";

const secondsOfDay = 86_400;

/** A load on a board. Each update changes a score. */
export interface Load {
  updatesPerSecond: number;
  ranksPerSecond: number;
}

/** Dollars a day on a board; see {@link priceOf}. */
export function dollarsADay(
  system: Billable,
  board: GrownBoard,
  load: Load,
  region: PricedRegion,
): number | undefined {
  return priceOf(system, grownUnder(system, board, load), load, region);
}

/** The mean bills with as many updates between two runs as a load has. */
export function grownUnder(system: Billable, board: GrownBoard, { updatesPerSecond }: Load): Grown {
  const { runSeconds = runSecondsDefault } = system;
  return growthOf(system, board, Math.max(1, Math.round(updatesPerSecond * runSeconds)));
}

/**
 * Dollars a day by mean bills under a load. Below one update an interval the job is taken to run once for each update, as
 * an idle board needs no run. What is read by the clock is in it. `undefined` for a system that knows no ranks or cannot
 * hold the board.
 */
export function priceOf(
  { runSeconds = runSecondsDefault, clock }: Billable,
  { billed }: Grown,
  load: Load,
  region: PricedRegion,
): number | undefined {
  const { updatesPerSecond, ranksPerSecond } = load;
  if (billed.rank === undefined) return undefined;
  const runsPerSecond = Math.min(1 / runSeconds, updatesPerSecond);
  const perSecond =
    updatesPerSecond * (billed.update === undefined ? 0 : cost(billed.update, region)) +
    ranksPerSecond * cost(billed.rank, region) +
    runsPerSecond * (billed.run === undefined ? 0 : cost(billed.run, region)) +
    (clock === undefined ? 0 : cost(clock(load), region));
  return secondsOfDay * perSecond;
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
