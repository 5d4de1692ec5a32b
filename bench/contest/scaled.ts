/** What follows from the formulas for boards and loads that no emulator holds. */
import { shapes } from "../generators/shapes.ts";
import { dayOf, type DayPrice, dollarsOf, type Load, priceOf } from "./dollars.ts";
import { type Billable, growBoard, type Grown, type GrownBoard, growthOf } from "./growth.ts";

/** Prices are of us-central1. */
export interface Scaled {
  growth: { id: string; sizes: Grown[] }[];
  days: Day[];
  /** Dollars a day as updates grow, on one board, with one rank for each update. */
  course: { players: number; rates: number[]; dollars: Record<string, number[]> };
  /** Dollars a day as players grow, with as many updates and ranks for all sizes. */
  sizes: { players: number[]; load: Load; dollars: Record<string, number[]> };
}

/** A day of each system under a load. */
export interface Day {
  players: number;
  load: Load;
  prices: Record<string, DayPrice>;
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
const rates = [0.001, 0.01, 0.1, 1, 10, 100];
const coursePlayers = 1_000_000;
/** What all sizes of boards are priced for; as many updates as {@link growthOf} has where nobody says another number. */
const sizesLoad: Load = { updatesPerSecond: 1, ranksPerSecond: 1 };

/** Sizes of boards; no emulator holds the larger ones. */
const boardSizes = [1_000, 10_000, 100_000, 1_000_000, 10_000_000];

/** Computes it for all systems. Memory: 16 bytes a player. */
export function scaledOf(systems: readonly Billable[], seed: number): Scaled {
  const growth = systems.map(({ id }): Scaled["growth"][number] => ({ id, sizes: [] }));
  const days: Day[] = [];
  const course: Scaled["course"] = { players: coursePlayers, rates, dollars: {} };
  const all = new Set([...boardSizes, ...loads.map(({ players }) => players)]);
  for (const players of [...all].sort((a, b) => a - b)) {
    const board = growBoard(shapes.chess, players, seed);
    if (boardSizes.includes(players))
      systems.forEach((system, i) => growth[i]?.sizes.push(growthOf(system, board)));
    for (const { load } of loads.filter((one) => one.players === players))
      days.push(pricedDay(systems, board, load));
    if (players !== coursePlayers) continue;
    for (const system of systems)
      course.dollars[system.id] = rates.map((rate) => dollarsAt(system, board, rate));
  }
  const dollars = systems.map((system, i): [string, number[]] => [
    system.id,
    (growth[i]?.sizes ?? []).map((grown) => dollarsOf(priceOf(system, grown, sizesLoad))),
  ]);
  const sizes = { players: boardSizes, load: sizesLoad, dollars: Object.fromEntries(dollars) };
  return { growth, days, course, sizes };
}

/** A load priced for all systems. */
export function pricedDay(systems: readonly Billable[], board: GrownBoard, load: Load): Day {
  const prices = systems.map((system) => [system.id, dayOf(system, board, load)]);
  return {
    players: board.truth.players,
    load,
    prices: Object.fromEntries(prices) as Day["prices"],
  };
}

function dollarsAt(system: Billable, board: GrownBoard, rate: number): number {
  return dollarsOf(dayOf(system, board, { updatesPerSecond: rate, ranksPerSecond: rate }));
}
