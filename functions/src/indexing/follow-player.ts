/** What follows a write to a player's document, as an event tells of it: {@link indexPlayers} and {@link keepTopLive}. */
import { isDeepStrictEqual } from "node:util";
import type { SeasonKey } from "../documents/paths.ts";
import type { PlayerChange } from "../documents/player.ts";
import { rankedScoreOf } from "../documents/ranked-score.ts";
import { isInstant } from "../model/instant.ts";
import type { TopServices } from "../top/gate-memory.ts";
import { keepTopLive } from "../top/keep-live.ts";
import { indexPlayers, leaveToCounts } from "./index-players.ts";

/**
 * Handles one event.
 *
 * Cost: for the index nothing where scores and statuses are equal before and after, and on boards of the source
 * `count` unless one is asleep; 2 reads where it agrees already (a duplicate event); 2 reads and 2 writes for a changed score. For the
 * top {@link keepTopLive}.
 */
export async function followPlayer(
  services: TopServices,
  key: SeasonKey,
  player: string,
  change: PlayerChange,
): Promise<void> {
  if (await mayConcernIndex(services, key, change)) await index(services, key, player);
  await keepTopLive(services, key, change);
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
  return (
    rankedScoreOf(after) === undefined || (after?.["status"] !== undefined && isInstant(after["achieved_at"]))
  );
}
