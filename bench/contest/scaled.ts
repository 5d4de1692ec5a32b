/** What follows from the formulas for boards and loads that no emulator holds. */
import type { PricedRegion } from "../../cli/prices.ts";
import { shapes } from "../generators/shapes.ts";
import {
  type BreakEven,
  breakEven,
  type DayPrice,
  dollarsOf,
  grownUnder,
  type Load,
  priceOf,
} from "./dollars.ts";
import { type Billable, growBoard, type Grown, type GrownBoard, growthOf } from "./growth.ts";

export interface Scaled {
  growth: { id: string; sizes: Grown[] }[];
  days: Day[];
  /** Dollars a day as updates grow, on one board, with one rank for each update. */
  course: { players: number; rates: number[]; region: PricedRegion; dollars: Record<string, number[]> };
  /** Where each system stops or starts being cheaper than the first one, in updates a second on the board of the course. */
  evens: Record<string, BreakEven>;
  /** Dollars a day as players grow, with as many updates and ranks for all sizes. */
  sizes: { players: number[]; load: Load; region: PricedRegion; dollars: Record<string, number[]> };
  /** Where each system stops or starts being cheaper than the first one, in players. */
  sizeEvens: Record<string, BreakEven>;
}

/** Dollars a day for a load, those of functions included; `null` for a system that knows no ranks, or cannot hold the board. */
export interface Day {
  players: number;
  load: Load;
  region: PricedRegion;
  dollars: Record<string, number | null>;
  /** The same in parts, of those that have a price. */
  parts: Record<string, DayPrice>;
}

/** Loads a day is priced for, from a small game to a large one; the larger of two has more ranks for each update. */
const loads: { players: number; load: Load }[] = [
  { players: 1_000, load: { updatesPerSecond: 0.01, ranksPerSecond: 0.1 } },
  { players: 30_000, load: { updatesPerSecond: 0.1, ranksPerSecond: 1 } },
  { players: 30_000, load: { updatesPerSecond: 1, ranksPerSecond: 10 } },
  { players: 1_000_000, load: { updatesPerSecond: 10, ranksPerSecond: 10 } },

  { players: 1_000_000, load: { updatesPerSecond: 10, ranksPerSecond: 100 } },
  { players: 10_000_000, load: { updatesPerSecond: 100, ranksPerSecond: 1_000 } },
];
const regions = ["us-central1", "nam5"] as const satisfies PricedRegion[];
/** The region of what is priced in one. */
const [home] = regions;
const rates = [0.001, 0.01, 0.1, 1, 10, 100];
const coursePlayers = 1_000_000;
/** What all sizes of boards are priced for; as many updates as {@link growthOf} has where nobody says another number. */
export const sizesLoad: Load = { updatesPerSecond: 1, ranksPerSecond: 1 };

/** Sizes of boards; no emulator holds the larger ones. */
const boardSizes = [1_000, 10_000, 100_000, 1_000_000, 10_000_000];

/**
 * Computes it for all systems, the first of which the others are compared with. Memory: 16 bytes a player.
 * @param playersMax of the boards: larger ones are left out.
 */
export function scaledOf(systems: readonly Billable[], seed: number, playersMax = Infinity): Scaled {
  const all = new Set([...boardSizes, ...loads.map(({ players }) => players)]);
  const boards = [...all].filter((players) => players <= playersMax).sort((a, b) => a - b);
  const sizes = boardSizes.filter((players) => players <= playersMax);
  const growth = systems.map(({ id }): Scaled["growth"][number] => ({ id, sizes: [] }));
  const days: Scaled["days"] = [];
  for (const players of boards) {
    const board = growBoard(shapes.chess, players, seed);
    if (sizes.includes(players)) {
      systems.forEach((system, i) => growth[i]?.sizes.push(growthOf(system, board)));
    }
    for (const { load } of loads.filter((one) => one.players === players)) {
      days.push(...daysOf(systems, board, load));
    }
  }
  const course = courseOf(systems, Math.min(coursePlayers, Math.max(...sizes)), seed);
  const dollars = sizeDollars(systems, growth);
  return {
    growth,
    days,
    course,
    evens: evensOf(systems, course.rates, course.dollars),
    sizes: { players: sizes, load: sizesLoad, region: home, dollars },
    sizeEvens: evensOf(systems, sizes, dollars),
  };
}

/** A load priced in all regions. */
export function daysOf(systems: readonly Billable[], board: GrownBoard, load: Load): Day[] {
  const grown = systems.map((system) => grownUnder(system, board, load));
  return regions.map((region) => {
    const prices = systems.flatMap((system, i) => {
      const price = pricedIn(system, grown[i], load, region);
      return price === undefined ? [] : [[system.id, price] as const];
    });
    const parts: Day["parts"] = Object.fromEntries(prices);
    const dollars = systems.map(({ id }) => [id, parts[id] === undefined ? null : dollarsOf(parts[id])]);
    return {
      players: board.truth.players,
      load,
      region,
      dollars: Object.fromEntries(dollars) as Day["dollars"],
      parts,
    };
  });
}

/** Dollars a day; Enterprise edition has prices of its own, which are known for one region. */
function pricedIn(
  system: Billable,
  grown: Grown | undefined,
  load: Load,
  region: (typeof regions)[number],
): DayPrice | undefined {
  if (grown === undefined) return undefined;
  if (system.edition === undefined) return priceOf(system, grown, load, region);
  return region === home ? priceOf(system, grown, load, "us-central1, Enterprise") : undefined;
}

function priced(system: Billable, grown: Grown | undefined, load: Load): number | undefined {
  const price = pricedIn(system, grown, load, home);
  return price && dollarsOf(price);
}

/** Dollars a day at each size: the bills of growth are those with one update a second. */
export function sizeDollars(
  systems: readonly Billable[],
  growth: Scaled["growth"],
): Record<string, number[]> {
  return knownOf(
    systems.map((system, i) => [
      system.id,
      (growth[i]?.sizes ?? []).map((grown) => priced(system, grown, sizesLoad)),
    ]),
  );
}

function courseOf(systems: readonly Billable[], players: number, seed: number): Scaled["course"] {
  const board = growBoard(shapes.chess, players, seed);
  const days = systems.map((system): [string, (number | undefined)[]] => [
    system.id,
    rates.map((rate) => {
      const load = { updatesPerSecond: rate, ranksPerSecond: rate };
      return priced(system, grownUnder(system, board, load), load);
    }),
  ]);
  return { players, rates, region: home, dollars: knownOf(days) };
}

/** Without the systems that know no ranks, which have no price. */
function knownOf(prices: readonly [id: string, dollars: (number | undefined)[]][]): Record<string, number[]> {
  const known = prices.filter(([, dollars]) => !dollars.includes(undefined));
  return Object.fromEntries(known) as Record<string, number[]>;
}

export function evensOf(
  [first]: readonly Billable[],
  loads: readonly number[],
  dollars: Record<string, number[]>,
): Scaled["evens"] {
  const base = dollars[first?.id ?? ""];
  const evens: Scaled["evens"] = {};
  for (const [id, days] of Object.entries(dollars)) {
    if (base !== undefined && id !== first?.id) evens[id] = breakEven(loads, days, base);
  }
  return evens;
}
