/** Asking for refreshes of the top: one task for each season and window of two seconds, however many ask. */
import { z } from "zod";
import { leaderboardId, seasonId } from "../model/ids.ts";
import { boardCacheMs, topGateKeptMs, topWindowMs } from "../model/limits.ts";
import { type SeasonKey, topPath } from "../model/paths.ts";
import { hashOf } from "../model/shard.ts";
import { slotEnd } from "../model/slot.ts";
import type { Board } from "../seasons/board.ts";
import type { Services } from "../services.ts";
import { type Gate, isLowered } from "./top-gate.ts";

/** What a task `refreshTop` carries. It is not to read before `due_at`: queues may deliver too early. */
export const topRefreshRequest = z.object({
  leaderboard: leaderboardId,
  season: seasonId,
  due_at: z.iso.datetime(),
  /** Whether it is the definition that changed, so that the one in memory is not to be used. */
  is_redefined: z.boolean().default(false),
});

export type TopRefreshRequest = z.infer<typeof topRefreshRequest>;

/**
 * Asks for a refresh at the end of the present window. It reads the players then, so every change that was written
 * before is in it, and asking again within the window is asking for the same.
 *
 * Cost: 1 call of the queue, once in a window and instance. A queue that refuses is logged and no error: the next
 * refresh or publication shows the change too, and events that fail come again for a day.
 */
export async function askForRefresh(services: Services, key: SeasonKey): Promise<void> {
  const dueMs = slotEnd(services.now(), topWindowMs);
  if (services.gates.isAsked(key, dueMs)) return;
  if (await enqueue(services, key, dueMs)) services.gates.asked(key, dueMs);
}

/**
 * Asks for a refresh after a top was written whose gate is lower than before, for when no instance remembers the
 * higher one any more. A player who was measured by that in between is in the top then.
 */
export async function followGate(
  services: Services,
  { key, definition }: Board,
  before: Gate,
  after: Gate,
): Promise<void> {
  if (!isLowered(definition, before, after)) return;
  await enqueue(services, key, slotEnd(services.now() + topGateKeptMs, topWindowMs));
}

/**
 * Asks for a refresh after the definition changed what a top shows, for when no instance remembers the one before.
 *
 * Cost: 1 call of the queue.
 */
export async function followDefinition(services: Services, key: SeasonKey): Promise<void> {
  await enqueue(services, key, slotEnd(services.now() + boardCacheMs, topWindowMs), true);
}

async function enqueue(
  { enqueueTopRefresh, log }: Services,
  key: SeasonKey,
  dueMs: number,
  isRedefined = false,
): Promise<boolean> {
  const name = `${topPath(key).replaceAll("/", "-")}-${dueMs}${isRedefined ? "-redefined" : ""}`;
  const request = { ...key, due_at: new Date(dueMs).toISOString(), is_redefined: isRedefined };
  try {
    // The name begins with a hash: names in sequence slow a queue down.
    await enqueueTopRefresh(request, `${hashOf(name).toString(36)}-${name}`);
    return true;
  } catch (error) {
    log.error("a refresh of the top could not be enqueued", { ...key, error: String(error) });
    return false;
  }
}
