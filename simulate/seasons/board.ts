/** The one board of a world of seasons, and which season a document belongs to. */
import type { SeasonKey } from "../../functions/src/documents/paths.ts";

export const leaderboard = "board";

/** The season that a document belongs to, or is. */
export function keyOf(path: string): SeasonKey | undefined {
  const [, board, seasons, season] = path.split("/");
  return board !== undefined && seasons === "seasons" && season !== undefined
    ? { leaderboard: board, season }
    : undefined;
}
