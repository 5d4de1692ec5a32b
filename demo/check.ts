/** Asks for every team's rank and every final table, over HTTP, and compares them with the recount. */
import type { CallableClient } from "../scripts/callable-client.ts";
import type { Standing } from "./recount.ts";
import { patiently } from "./replay.ts";

/** A team's place in an answer. */
export interface Place {
  player?: string | undefined;
  rank: number;
  columns?: Record<string, number> | undefined;
  /** Only of an answer about one player. */
  players?: number;
  /** Absent in a list if it is exact. */
  exact?: boolean | undefined;
  /** Only of a list. */
  position?: number;
}

export interface Table {
  /** The best first. */
  places: readonly Place[];
  players: number;
}

/** The ranks of these teams in a generation, or a later one. @throws if a call fails */
export async function ranksOf(
  client: CallableClient,
  leaderboard: string,
  generation: number,
  teams: readonly Standing[],
): Promise<Table> {
  const places = [];
  for (const { team } of teams) {
    const asked = { leaderboard, player: team, min_generation: generation };
    places.push(await patiently(() => client.call("getRank", asked)));
  }
  return { places, players: Math.min(...places.map(({ players }) => players)) };
}

/** Entries of a page of a final table: few, so that a league has several. */
const entriesPerPage = 7;

/** The final table of a tournament: page after page by offset, until one is empty. */
export async function finalTableOf(
  client: CallableClient,
  leaderboard: string,
  season: string,
): Promise<Table> {
  const places: Place[] = [];
  for (;;) {
    const asked = { leaderboard, season, offset: places.length, limit: entriesPerPage };
    const { entries, players } = await patiently(() => client.call("getPage", asked));
    if (entries.length === 0) return { places, players };
    places.push(...entries);
  }
}

/** What is wrong with a table, in words: each team is there once, in order, with what was recounted. */
export function* differences({ places, players }: Table, expected: readonly Standing[]): Generator<string> {
  if (players !== expected.length) yield `${players} players, recounted ${expected.length}`;
  const byTeam = Map.groupBy(places, ({ player }) => player);
  for (const { team, rank, points, goalDifference, goals } of expected) {
    const right = textOf({ rank, columns: { points, goal_difference: goalDifference, goals } });
    const found = (byTeam.get(team) ?? []).map(textOf).join(" and ") || "missing";
    if (found !== right) yield `${team}: ${found}; recounted ${right}`;
  }
  const teams = new Set(expected.map(({ team }) => team));
  for (const [i, { player = "", position = i + 1, rank }] of places.entries()) {
    if (!teams.has(player)) yield `${player} did not play`;
    if (position !== i + 1) yield `${player}: position ${position}, listed ${i + 1}`;
    if (rank < (places[i - 1]?.rank ?? 1)) yield `${player} is listed behind a worse rank`;
  }
}

function textOf({ rank, columns, exact = true }: Place): string {
  const { points, goal_difference: difference, goals } = columns ?? {};
  const text = `rank ${rank}, points ${points}, goal difference ${difference}, goals ${goals}`;
  return exact ? text : `${text}, not exact`;
}
