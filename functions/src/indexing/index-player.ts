/** The Firestore trigger on players' documents: thin, as all it does is ask {@link indexPlayers}. */
import { isDeepStrictEqual } from "node:util";
import type { SeasonKey } from "../model/paths.ts";
import { standingOf } from "../model/standing.ts";
import type { Services } from "../services.ts";
import { indexPlayers, isCounted } from "./index-players.ts";

/** A player's document before and after the write that the event is about. */
export interface PlayerChange {
  before: Record<string, unknown> | undefined;
  after: Record<string, unknown> | undefined;
}

/**
 * Handles one event.
 *
 * Cost: nothing where scores and statuses are equal before and after, and on boards of the source `count`; 2 reads where the index agrees already (a
 * duplicate event); 2 reads and 2 writes for a changed score.
 */
export async function indexPlayer(
  services: Services,
  key: SeasonKey,
  player: string,
  { before, after }: PlayerChange,
): Promise<void> {
  if (isComplete(after)) {
    if (isDeepStrictEqual(standingOf(before), standingOf(after))) return;
    if (await isCounted(services, key)) return;
  }
  const { unusable, attempts } = await indexPlayers(services, key, [player]);
  for (const { problem } of unusable) {
    services.log.error(`player ${player} is not ranked: ${problem}`, { ...key, player, problem });
  }
  if (attempts > 1) services.log.warn("indexing met contention", { ...key, player, attempts });
}

/** Whether nothing is left to fill in; see {@link indexPlayers}. */
export function isComplete(after: Record<string, unknown> | undefined): boolean {
  return (
    standingOf(after) === undefined || (after?.["status"] !== undefined && after["achieved_at"] !== undefined)
  );
}
