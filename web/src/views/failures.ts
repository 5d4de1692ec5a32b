/** Counting runs. Pure. */
import { seasonOfPath } from "../../../functions/src/model/paths.ts";

/** How many of some runs belong to each board. */
export function countByBoard(runs: readonly { path: string }[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { path } of runs) {
    const { leaderboard } = seasonOfPath(path);
    counts.set(leaderboard, (counts.get(leaderboard) ?? 0) + 1);
  }
  return counts;
}
