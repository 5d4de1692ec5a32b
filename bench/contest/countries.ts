/** A day of a board whose ranks are asked for in countries too, by the formulas. */
import { shapes } from "../generators/shapes.ts";
import { countries, countryWays } from "../systems/firerank-countries.ts";
import { firerank } from "../systems/firerank.ts";
import { dayOf, type DayPrice, type Load } from "./dollars.ts";
import { growBoard, type Grown, growthOf } from "./growth.ts";

export interface CountryDay {
  players: number;
  countries: number;
  load: Load;
  ways: { name: string; billed: Pick<Grown["billed"], "update" | "rank" | "run">; price: DayPrice }[];
}

/** The load that all ways are compared at. */
const load: Load = { updatesPerSecond: 10, ranksPerSecond: 10 };

/** Firerank without countries, and the ways with them. Memory: 40 bytes a player. */
export function countryDayOf(seed: number, players = 1_000_000): CountryDay {
  const board = growBoard(shapes.chess, players, seed);
  const ways = [firerank, ...countryWays(board.truth)].map((system) => {
    const { update, rank, run } = growthOf(system, board).billed;
    const name = system === firerank ? "Firerank, ranks of all only" : system.name;
    return { name, billed: { update, rank, ...(run && { run }) }, price: dayOf(system, board, load) };
  });
  return { players, countries, load, ways };
}
