/** Counting failed runs. Pure. */
import { formatCount } from "../format/numbers.ts";

/** The path of a run; other collections of a database may be called `runs` too, and a query for all finds them. */
const runPath = /^leaderboards\/([^/]+)\/seasons\/[^/]+\/runs\/[^/]+$/;

const seasonPath = /^leaderboards\/([^/]+)\/seasons\/[^/]+$/;

/** The boards that seasons belong to, each once; what is no season of a board is passed over. */
export function boardsOfSeasons(seasons: readonly { path: string }[]): string[] {
  return [...new Set(seasons.flatMap(({ path }) => seasonPath.exec(path)?.[1] ?? []))];
}

/** Failed runs by board. */
export interface Failures {
  ofBoard: ReadonlyMap<string, number>;
  /** Whether there may be more than were read, of any board. */
  isCut: boolean;
}

/** Counts runs by board; what is no run of a board is passed over. @param limit how many were read at most. */
export function failuresIn(runs: readonly { path: string }[], limit: number): Failures {
  const ofBoard = new Map<string, number>();
  for (const { path } of runs) {
    const leaderboard = runPath.exec(path)?.[1];
    if (leaderboard !== undefined) ofBoard.set(leaderboard, (ofBoard.get(leaderboard) ?? 0) + 1);
  }
  return { ofBoard, isCut: runs.length >= limit };
}

/** How often runs of a board failed, as far as that is known: `0`, `3`, `37+`, `?`. */
export function failuresText({ ofBoard, isCut }: Failures, board: string): string {
  const count = ofBoard.get(board);
  if (count === undefined) return isCut ? "?" : "0";
  return `${formatCount(count)}${isCut ? "+" : ""}`;
}
