/** Counting failed runs. Pure. */
import { definitionId } from "../../../functions/src/model/template.ts";
import { formatCount } from "../format/numbers.ts";

/** The path of a run; a collection group query also finds foreign collections called `runs`. */
const runPath = /^leaderboards\/([^/]+)\/seasons\/[^/]+\/runs\/[^/]+$/;

const seasonPath = /^leaderboards\/([^/]+)\/seasons\/[^/]+$/;

/** The boards and templates that define some seasons, each once; anything else is ignored. */
export function definitionsOfSeasons(seasons: readonly { path: string }[]): string[] {
  const boards = seasons.flatMap(({ path }) => seasonPath.exec(path)?.[1] ?? []);
  return [...new Set(boards.map(definitionId))];
}

export interface Failures {
  ofBoard: ReadonlyMap<string, number>;
  /** Whether there may be more than were read, of any board. */
  isCut: boolean;
}

/** Counts runs by board; anything else is ignored. @param limit the most that were read. */
export function failuresIn(runs: readonly { path: string }[], limit: number): Failures {
  const ofBoard = new Map<string, number>();
  for (const { path } of runs) {
    const leaderboard = runPath.exec(path)?.[1];
    if (leaderboard !== undefined) ofBoard.set(leaderboard, (ofBoard.get(leaderboard) ?? 0) + 1);
  }
  return { ofBoard, isCut: runs.length >= limit };
}

/** How often runs of a board failed, as far as known: `0`, `3`, `37+`, `?`. */
export function failuresText({ ofBoard, isCut }: Failures, board: string): string {
  const count = ofBoard.get(board);
  if (count === undefined) return isCut ? "?" : "0";
  return `${formatCount(count)}${isCut ? "+" : ""}`;
}
