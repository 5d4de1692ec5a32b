/** Requests refreshes of the top: one task for each season and window, however many requests there are. */
import { type SeasonKey, topPath } from "../documents/paths.ts";
import type { Top } from "../documents/top.ts";
import type { Definition } from "../model/definition.ts";
import { boardCacheMs, topGateKeptMs, topRefreshSecondsDefault } from "../model/limits.ts";
import type { Board } from "../seasons/board.ts";
import { isOvertaken } from "../world/retryable.ts";
import { taskIdOf, type TopRefreshRequest } from "../world/tasks.ts";
import { type FoundDocument, gateOf } from "./document.ts";
import { gateIn, isLowered } from "./gate.ts";
import type { TopServices } from "./gate-memory.ts";
import { windowEnd } from "./pace.ts";
import { describeError } from "../world/describe-error.ts";

/** A board's own window. */
export function baseWindowMs(definition: Pick<Definition, "top_refresh_seconds">): number {
  return definition.top_refresh_seconds * 1_000;
}

/**
 * Commits a top. If its gate is lower than before, requests a refresh for when every instance has forgotten the higher
 * gate: it shows players who were compared with that one in between. A commit whose answer is lost may have succeeded,
 * so its gate is followed too.
 * @param change the document that the commit replaces and its own top, asked for after the commit.
 * @throws what the commit fails with.
 */
export async function commitTop(
  services: TopServices,
  { key, definition }: Board,
  change: () => { document: FoundDocument; top: Top } | undefined,
  commit: () => Promise<unknown>,
): Promise<void> {
  let wasOvertaken = false;
  try {
    await commit();
  } catch (error) {
    wasOvertaken = isOvertaken(error);
    throw error;
  } finally {
    const made = wasOvertaken ? undefined : change();
    if (made !== undefined && isLowered(definition, gateOf(made.document), gateIn(made.top))) {
      const dueMs = windowEnd(services.now() + topGateKeptMs, baseWindowMs(definition));
      await askForRefresh(services, key, "gate", dueMs);
    }
  }
}

/**
 * Requests a refresh after the definition changed what a top shows, due when no instance remembers the old definition.
 * Cost: 1 call of the queue.
 */
export async function followDefinition(services: TopServices, key: SeasonKey): Promise<void> {
  const dueMs = windowEnd(services.now() + boardCacheMs, topRefreshSecondsDefault * 1_000);
  await askForRefresh(services, key, "definition", dueMs);
}

/**
 * Requests a refresh. It reads the players when it is due, so it includes every change written before. All requests with
 * the same due time are for the same refresh.
 *
 * Cost: 1 call of the queue. A queue that refuses is only logged: the next refresh or publication also shows the
 * change, and failed events are retried for a day.
 * @returns whether the queue has taken it.
 */
export async function askForRefresh(
  { enqueueTopRefresh, log }: TopServices,
  key: SeasonKey,
  follows: TopRefreshRequest["follows"],
  dueMs: number,
): Promise<boolean> {
  const request = { ...key, due_at: new Date(dueMs).toISOString(), follows };
  try {
    await enqueueTopRefresh(request, taskIdOf(topPath(key), dueMs, follows));
    return true;
  } catch (error) {
    log.error("a refresh of the top could not be enqueued", { ...key, error: describeError(error) });
    return false;
  }
}
