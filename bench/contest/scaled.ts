/** What follows from the formulas for boards and loads that no emulator holds. */
import { prices, type PricedRegion } from "../../functions/src/model/prices.ts";
import { shapes } from "../generators/shapes.ts";
import { type BreakEven, breakEven, dollarsADay, type Load } from "./dollars.ts";
import { type Billable, growBoard, type Grown, type GrownBoard, growthOf } from "./growth.ts";

export interface Scaled {
  growth: { id: string; sizes: Grown[] }[];
  /** Dollars a day for some loads; `null` for a system that knows no ranks. */
  days: { players: number; load: Load; region: PricedRegion; dollars: Record<string, number | null> }[];
  /** Dollars a day as updates grow, on one board, with one rank for each update. */
  course: { players: number; rates: number[]; region: PricedRegion; dollars: Record<string, number[]> };
  /** Where each system stops or starts being cheaper than the first one, on the board of the course. */
  evens: Record<string, BreakEven>;
}

/** Loads a day is priced for: a small game, a middle one and a large one. */
const loads: { players: number; load: Load }[] = [
  { players: 30_000, load: { updatesPerSecond: 0.1, ranksPerSecond: 1 } },
  { players: 30_000, load: { updatesPerSecond: 1, ranksPerSecond: 10 } },
  { players: 1_000_000, load: { updatesPerSecond: 10, ranksPerSecond: 10 } },
  { players: 10_000_000, load: { updatesPerSecond: 100, ranksPerSecond: 1_000 } },
];
const regions = ["us-central1", "nam5"] as const satisfies (keyof typeof prices)[];
const rates = [0.001, 0.01, 0.1, 1, 10, 100];
const coursePlayers = 1_000_000;

/** Computes it for all systems, the first of which the others are compared with. Memory: 16 bytes a player. */
export function scaledOf(systems: readonly Billable[], seed: number, smoke: boolean): Scaled {
  const shape = shapes.chess;
  const sizes = smoke ? [1_000, 10_000] : [1_000, 10_000, 100_000, 1_000_000, 10_000_000];
  const growth = systems.map(({ id }): Scaled["growth"][number] => ({ id, sizes: [] }));
  const days: Scaled["days"] = [];
  for (const players of new Set([...sizes, ...loads.map((load) => load.players)])) {
    if (smoke && !sizes.includes(players)) continue;
    const board = growBoard(shape, players, seed);
    if (sizes.includes(players)) {
      systems.forEach((system, i) => growth[i]?.sizes.push(growthOf(system, board)));
    }
    for (const { load } of loads.filter((one) => one.players === players)) {
      for (const region of regions) {
        const dollars = systems.map((system) => [system.id, priced(system, board, load, region) ?? null]);
        days.push({
          players,
          load,
          region,
          dollars: Object.fromEntries(dollars) as Record<string, number | null>,
        });
      }
    }
  }
  const course = courseOf(systems, smoke ? 10_000 : coursePlayers, seed);
  return { growth, days, course, evens: evensOf(systems, course) };
}

/** Dollars a day; Enterprise edition has prices of its own, which are known for one region. */
function priced(
  system: Billable,
  board: GrownBoard,
  load: Load,
  region: (typeof regions)[number],
): number | undefined {
  if (system.edition === undefined) return dollarsADay(system, board, load, region);
  return region === "us-central1" ? dollarsADay(system, board, load, "us-central1, Enterprise") : undefined;
}

function courseOf(systems: readonly Billable[], players: number, seed: number): Scaled["course"] {
  const board = growBoard(shapes.chess, players, seed);
  const region = "us-central1" as const;
  const dollars = systems.flatMap((system) => {
    const days = rates.map((rate) =>
      priced(system, board, { updatesPerSecond: rate, ranksPerSecond: rate }, region),
    );
    const known = days.filter((day) => day !== undefined);
    return known.length === rates.length ? [[system.id, known]] : [];
  });
  return { players, rates, region, dollars: Object.fromEntries(dollars) as Record<string, number[]> };
}

function evensOf(systems: readonly Billable[], { dollars }: Scaled["course"]): Scaled["evens"] {
  const [first] = systems;
  const base = dollars[first?.id ?? ""];
  const evens: Scaled["evens"] = {};
  for (const [id, days] of Object.entries(dollars)) {
    if (base !== undefined && id !== first?.id) evens[id] = breakEven(rates, days, base);
  }
  return evens;
}
