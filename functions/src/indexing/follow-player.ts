/** What happens after a write to a player's document, as its event says: {@link indexPlayers} and {@link keepTopLive}. */
import { isDeepStrictEqual } from "node:util";
import { type SeasonKey, seasonPath } from "../documents/paths.ts";
import type { PlayerChange } from "../documents/player.ts";
import { rankedScoreOf } from "../documents/ranked-score.ts";
import { readSeason } from "../documents/season.ts";
import { isInstant } from "../model/instant.ts";
import { boardIfAny } from "../seasons/board.ts";
import { isEnded } from "../seasons/open-now.ts";
import type { TopServices } from "../top/gate-memory.ts";
import { recentStretch } from "../seasons/stretch.ts";
import { keepTopLive } from "../top/keep-live.ts";
import { indexPlayers, leaveToCounts } from "./index-players.ts";

/**
 * Handles one event. An event of a season that has ended or was deleted changes nothing, however late it arrives.
 *
 * Cost: 2 reads a minute for the board; 1 read for an event of a season that does not exist. For the index:
 * nothing where scores and statuses are equal before and after, and on boards of the source `count` unless one is
 * asleep; 2 reads where it agrees already (a duplicate event); 2 reads and 2 writes for a changed score. For the
 * top: {@link keepTopLive}.
 */
export async function followPlayer(
  services: TopServices,
  key: SeasonKey,
  player: string,
  change: PlayerChange,
): Promise<void> {
  if (await hasEnded(services, key)) return;
  if (await mayConcernIndex(services, key, change)) await index(services, key, player);
  await keepTopLive(services, key, change);
}

/**
 * Whether a season takes no more changes: it is closed, being deleted, or gone. A season that is not in memory may have
 * been opened since, or a trusted server's first document is just about to open it.
 */
async function hasEnded(services: TopServices, key: SeasonKey): Promise<boolean> {
  const board = await boardIfAny(services, key, () => services.boards.load(key));
  if (board === undefined) return false;
  if (board.season !== undefined) return isEnded(board.season);
  // The season before the present one is the newest of those that have ended, so it has not been deleted.
  if (recentStretch(key.leaderboard, board, key.season, services.now()) !== undefined) return false;
  const document = await services.db.doc(seasonPath(key)).get();
  return !document.exists || isEnded(readSeason(document.data()));
}

async function mayConcernIndex(
  services: TopServices,
  key: SeasonKey,
  { before, after }: PlayerChange,
): Promise<boolean> {
  if (!isComplete(after)) return true;
  if (isDeepStrictEqual(rankedScoreOf(before), rankedScoreOf(after))) return false;
  return !(await leaveToCounts(services, key));
}

async function index(services: TopServices, key: SeasonKey, player: string): Promise<void> {
  const { unusable, attempts } = await indexPlayers(services, key, [player]);
  for (const { problem } of unusable) {
    services.log.error(`player ${player} is not ranked: ${problem}`, { ...key, player, problem });
  }
  if (attempts > 1) services.log.warn("indexing met contention", { ...key, player, attempts });
}

/** Whether nothing is left to fill in; see {@link indexPlayers}. */
export function isComplete(after: Record<string, unknown> | undefined): boolean {
  return rankedScoreOf(after) === undefined || (after?.["status"] != null && isInstant(after["achieved_at"]));
}
