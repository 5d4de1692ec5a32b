/** Asks for every team's rank and every final table, over HTTP, and compares them with the recount. */
import type { CallableClient } from "../scripts/callable-client.ts";
import type { Standing, StandingOfAll } from "./recount.ts";
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
  /** If it was asked for: the place in each segment, and how far the rank has moved. */
  segments?: Record<string, Place | null> | undefined;
  moved?: { from_rank: number; places: number; exact: boolean } | null | undefined;
}

export interface Table {
  /** The best first. */
  places: readonly Place[];
  players: number;
}

/**
 * The ranks of these teams in a generation, or a later one: everywhere, in their leagues, and since the week began. One call
 * answers all of it. @throws if a call fails
 */
export async function ranksOf(
  client: CallableClient,
  leaderboard: string,
  generation: number,
  teams: readonly Standing[],
): Promise<Table> {
  const places = [];
  for (const { team } of teams) {
    const asked = { leaderboard, player: team, ...rankAsked, min_generation: generation };
    places.push(await patiently(() => client.call("getRank", asked)));
  }
  return { places, players: Math.min(...places.map(({ players }) => players)) };
}

/** What `getRank` is asked for beside the rank everywhere. */
export const rankAsked = { segments: ["league"], since: "week" };

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
export function* differences(
  { places, players }: Table,
  expected: readonly (Standing | StandingOfAll)[],
): Generator<string> {
  if (players !== expected.length) yield `${players} players, recounted ${expected.length}`;
  const byTeam = Map.groupBy(places, ({ player }) => player);
  for (const { team, rank, points, goalDifference, goals, ...more } of expected) {
    const columns = { points, goal_difference: goalDifference, goals };
    const right = textOf({ rank, columns, ...("inLeague" in more && placeOf(rank, more)) });
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

/** What a call says of a place in a league, and of movement. */
function placeOf(rank: number, { inLeague, rankBefore }: Pick<StandingOfAll, "inLeague" | "rankBefore">) {
  const moved =
    rankBefore === undefined ? null : { from_rank: rankBefore, places: rankBefore - rank, exact: true };
  return { segments: { league: inLeague }, moved };
}

function textOf({ rank, columns, exact = true, segments, moved }: Place): string {
  const { points, goal_difference: difference, goals } = columns ?? {};
  const texts = [`rank ${rank}, points ${points}, goal difference ${difference}, goals ${goals}`];
  if (!exact) texts.push("not exact");
  for (const [name, place] of Object.entries(segments ?? {}))
    texts.push(
      `rank ${place?.rank} of ${place?.players} in its ${name}${place?.exact === false ? ", not exact" : ""}`,
    );
  if (moved !== undefined)
    texts.push(
      moved === null
        ? "new"
        : `${moved.places} places up from ${moved.from_rank}${moved.exact ? "" : ", not exact"}`,
    );
  return texts.join(", ");
}
