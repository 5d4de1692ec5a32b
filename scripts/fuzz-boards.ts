/** Boards of each kind, with ranked players, for generated requests to hit. */
import type { CallableClient } from "./callable-client.ts";

/** The existing names for requests. */
export interface Known {
  leaderboards: string[];
  players: string[];
  /** Those of the board with columns. */
  columns: typeof columns;
}

const players = ["ann", "bob", "cyd", "dan ü", "e,f&g=h"];

const columns = [
  { name: "points", min: 0, max: 99 },
  { name: "goals", min: -50, max: 50, order: "ascending" },
];

const definitions: Record<string, object> = {
  open: { visibility: "public", tiers: [{ name: "gold", top_percent: 10 }], max_score: 1e9 },
  cup: { visibility: "public", columns },
  sum: { aggregation: "sum", order: "ascending", max_change: 1_000, ties: "last" },
  served: { submit: "server", min_seconds_between: 1 },
  empty: { max_attempts: 3, top_size: 2 },
};

/** Saves the boards, submits scores to all but `empty`, and ranks them. */
export async function seedBoards(admin: CallableClient): Promise<Known> {
  for (const [leaderboard, definition] of Object.entries(definitions)) {
    await admin.call("saveLeaderboard", { leaderboard, definition });
    if (leaderboard === "empty") continue;
    const submissions = players.map((player, i) => ({
      player,
      ...(leaderboard === "cup" ? { columns: { points: i % 3, goals: i } } : { score: 10 * (i % 3) }),
      display_name: player,
      metadata: { team: "x", tags: ["a", { b: null }] },
    }));
    await admin.call("submitScores", { leaderboard, submissions });
    await admin.call("runRanking", { leaderboard, include_open_slot: true });
  }
  return { leaderboards: Object.keys(definitions), players: [...players, "nobody"], columns };
}
