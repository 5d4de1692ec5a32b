/** What a load costs a day, by the formulas and the price list. Commands to other servers are not in it. */
import { cost, type PricedRegion } from "../../functions/src/model/prices.ts";
import { runSecondsDefault } from "../systems/system.ts";
import { type Billable, type GrownBoard, growthOf } from "./growth.ts";

const secondsOfDay = 86_400;

/** A load on a board. Each update changes a score. */
export interface Load {
  updatesPerSecond: number;
  ranksPerSecond: number;
}

/**
 * Dollars a day on a board. Below one update an interval the job is taken to run once for each update, as an idle board
 * needs no run. `undefined` for a system that knows no ranks.
 */
export function dollarsADay(
  system: Billable,
  board: GrownBoard,
  { updatesPerSecond, ranksPerSecond }: Load,
  region: PricedRegion,
): number | undefined {
  const { runSeconds = runSecondsDefault } = system;
  const updates = Math.max(1, Math.round(updatesPerSecond * runSeconds));
  const { billed } = growthOf(system, board, updates);
  if (billed.rank === undefined) return undefined;
  const runsPerSecond = Math.min(1 / runSeconds, updatesPerSecond);
  const perSecond =
    updatesPerSecond * (billed.update === undefined ? 0 : cost(billed.update, region)) +
    ranksPerSecond * cost(billed.rank, region) +
    runsPerSecond * (billed.run === undefined ? 0 : cost(billed.run, region));
  return secondsOfDay * perSecond;
}

/** Where one system stops being cheaper than another as updates grow: see {@link breakEven}. */
export interface BreakEven {
  /** The cheaper one at the least load. */
  cheaperBelow: "first" | "second";
  /** Updates a second at which both cost the same; absent if the same one stays cheaper. */
  at?: number;
}

/** Compares dollars of two systems at rising loads, or on growing boards; between two of them it interpolates on both logarithms. */
export function breakEven(
  rates: readonly number[],
  first: readonly number[],
  second: readonly number[],
): BreakEven {
  const ratios = rates.map((_, i) => Math.log((first[i] ?? NaN) / (second[i] ?? NaN)));
  const cheaperBelow = (ratios[0] ?? 0) <= 0 ? "first" : "second";
  for (let i = 1; i < rates.length; i++) {
    const [before = NaN, after = NaN] = [ratios[i - 1], ratios[i]];
    if (before <= 0 === after <= 0) continue;
    const [from = NaN, until = NaN] = [rates[i - 1], rates[i]];
    return { cheaperBelow, at: from * (until / from) ** (before / (before - after)) };
  }
  return { cheaperBelow };
}
