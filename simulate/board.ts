/** The one board of a simulation, and which season a document belongs to. */
import { playersPath, type SeasonKey } from "../functions/src/documents/paths.ts";
import { type Change, parentOf } from "./memory/store.ts";

export const leaderboard = "board";

/** The season that a document belongs to, or is. */
export function keyOf(path: string): SeasonKey | undefined {
  const [, board, seasons, season] = path.split("/");
  return board !== undefined && seasons === "seasons" && season !== undefined
    ? { leaderboard: board, season }
    : undefined;
}

/** The player whose document of a season this is. */
export function playerOf(path: string): { key: SeasonKey; player: string } | undefined {
  const key = keyOf(path);
  const parent = parentOf(path);
  return key !== undefined && parent === playersPath(key)
    ? { key, player: path.slice(parent.length + 1) }
    : undefined;
}

/** The changes of players' documents in a commit. */
export const playersChanged = (changes: readonly Change[]) =>
  changes.flatMap((change) => {
    const { key, player } = playerOf(change.path) ?? {};
    return key === undefined || player === undefined ? [] : [{ season: key.season, player, change }];
  });

export const keyIn = (season: string): SeasonKey => ({ leaderboard, season });
