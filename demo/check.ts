/** Asks for every team's rank and every final table, over HTTP, and compares them with the recount. */
import { setTimeout as sleep } from "node:timers/promises";
import type { CallableClient } from "../scripts/callable-client.ts";
import { type Row, rowsOf } from "./drawing.ts";
import type { Standing } from "./recount.ts";
import { patiently } from "./replay.ts";

type Rank = Awaited<ReturnType<typeof rankOf>>;
type Entry = Awaited<ReturnType<typeof tableOf>>["entries"][number];

/** A function may answer from memory until its pages are due, and for some seconds more if that is overdue. */
const staleSecondsMax = 30;

/**
 * The differences between the ranks of `generation`, or a later one, and the recount: a line for each team, none if all
 * agree.
 * @throws if a call fails, or a rank is still of an older generation after 30 seconds.
 */
export async function differences(
  client: CallableClient,
  leaderboard: string,
  generation: number,
  expected: readonly Standing[],
): Promise<string[]> {
  const lines: string[] = [];
  for (const standing of expected) {
    const rank = await currentRank(client, leaderboard, standing.team, generation);
    const found = [...compare(standing, rank, expected.length)];
    if (found.length > 0) {
      lines.push(`${standing.team}: ${found.join(", ")}`);
    }
  }
  return lines;
}

/** Entries of a page of a final table: few, so that a league has several. */
const entriesPerPage = 7;

/** The final table of a tournament: page after page by offset, until one is empty. */
export async function tableOf(
  client: CallableClient,
  leaderboard: string,
  season: string,
): Promise<{ entries: Awaited<ReturnType<typeof pageOf>>["entries"]; players: number }> {
  const entries = [];
  for (;;) {
    const page = await pageOf(client, { leaderboard, season, offset: entries.length, limit: entriesPerPage });
    if (page.entries.length === 0) {
      return { entries, players: page.players };
    }
    entries.push(...page.entries);
  }
}

/** What is wrong with a final table, in words: each team once, in order, with its rank, position and columns. */
export function* compareTables(
  expected: readonly Standing[],
  { entries, players }: { entries: readonly Entry[]; players: number },
): Generator<string> {
  for (const standing of expected) {
    const found = entries.filter(({ player }) => player === standing.team);
    const [entry] = found;
    if (entry === undefined || found.length > 1) {
      yield `${standing.team} is there ${found.length} times`;
      continue;
    }
    const wrong = [...compare(standing, { ...entry, players, exact: entry.exact ?? true }, expected.length)];
    if (wrong.length > 0) {
      yield `${standing.team}: ${wrong.join(", ")}`;
    }
  }
  for (const [i, { player, position, rank }] of entries.entries()) {
    if (position !== i + 1) {
      yield `${player}: position ${position}, listed ${i + 1}`;
    }
    if (rank < (entries[i - 1]?.rank ?? 1)) {
      yield `${player} is listed behind a worse rank`;
    }
    if (!expected.some(({ team }) => team === player)) {
      yield `${player} did not play`;
    }
  }
}

/** A final table for drawing. */
export function drawnTable(table: { entries: readonly Entry[] }): Row[] {
  return rowsOf({ entries: [...table.entries] });
}

/** What is wrong with a rank, in words. */
export function* compare(
  standing: Standing,
  rank: Pick<Rank, "rank" | "players" | "exact" | "columns">,
  teams: number,
): Generator<string> {
  const { points, goal_difference: difference, goals } = rank.columns ?? {};
  const pairs = [
    ["rank", rank.rank, standing.rank],
    ["points", points, standing.points],
    ["goal difference", difference, standing.goalDifference],
    ["goals", goals, standing.goals],
    ["players", rank.players, teams],
  ] as const;
  for (const [what, found, counted] of pairs) {
    if (found !== counted) {
      yield `${what} ${String(found)}, recounted ${counted}`;
    }
  }
  if (!rank.exact) {
    yield "not exact";
  }
}

async function currentRank(
  client: CallableClient,
  leaderboard: string,
  player: string,
  generation: number,
): Promise<Rank> {
  const deadline = Date.now() + staleSecondsMax * 1_000;
  for (;;) {
    const rank = await rankOf(client, leaderboard, player);
    if (rank.generation >= generation) {
      return rank;
    }
    if (Date.now() > deadline) {
      throw new Error(
        `getRank still answers from generation ${rank.generation} for ${player}; ${generation} was published ` +
          `${staleSecondsMax} seconds ago.`,
      );
    }
    await sleep(500);
  }
}

function pageOf(client: CallableClient, request: object) {
  return patiently(() => client.call("getPage", request));
}

function rankOf(client: CallableClient, leaderboard: string, player: string) {
  return patiently(() => client.call("getRank", { leaderboard, player }));
}
