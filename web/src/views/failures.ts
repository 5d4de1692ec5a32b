/** Counting runs. Pure. */

/** The path of a run; other collections of a database may be called `runs` too, and a query for all finds them. */
const runPath = /^leaderboards\/([^/]+)\/seasons\/[^/]+\/runs\/[^/]+$/;

/** How many of some runs belong to each board; what is no run of a board is passed over. */
export function countByBoard(runs: readonly { path: string }[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { path } of runs) {
    const leaderboard = runPath.exec(path)?.[1];
    if (leaderboard !== undefined) counts.set(leaderboard, (counts.get(leaderboard) ?? 0) + 1);
  }
  return counts;
}
