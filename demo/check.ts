/** Asks for every team's rank, over HTTP, and compares it with the recount. */
import { setTimeout as sleep } from "node:timers/promises";
import type { CallableClient } from "../scripts/callable-client.ts";
import type { Standing } from "./recount.ts";
import { patiently } from "./replay.ts";

type Rank = Awaited<ReturnType<typeof rankOf>>;

/** A function may answer from memory until its pages are due, and for some seconds more where that is overdue. */
const staleSecondsMax = 30;

/**
 * What differs between the ranks of `generation`, or a later one, and the recount: a line for each team, none
 * where all agree.
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

function rankOf(client: CallableClient, leaderboard: string, player: string) {
  return patiently(() => client.call("getRank", { leaderboard, player }));
}
