/** Requests refreshes of the top: one task for each season and window, however many requests there are. */
import { type SeasonKey, topPath } from "../documents/paths.ts";
import type { Definition } from "../model/definition.ts";
import { boardCacheMs, topGateKeptMs, topRefreshSecondsDefault } from "../model/limits.ts";
import type { Board } from "../seasons/board.ts";
import { isOvertaken } from "../world/retryable.ts";
import { taskIdOf, type TopRefreshRequest } from "../world/tasks.ts";
import { type Gate, isLowered } from "./gate.ts";
import type { TopServices } from "./gate-memory.ts";
import { type Pace, windowEnd, windowNow } from "./pace.ts";

type Follows = TopRefreshRequest["follows"];

/**
 * Requests a refresh at the end of the present window. The refresh reads the players then, so it includes every change
 * written before. All requests within a window are for the same refresh.
 *
 * Cost: 1 call of the queue, once for each window and instance. A queue that refuses is logged and is no error: the
 * next refresh or publication shows the change too, and failed events are retried for a day.
 */
export async function askForRefresh(
  services: TopServices,
  { key, definition }: Board,
  pace: Pace | undefined,
): Promise<void> {
  const windowMs = windowNow(baseWindowMs(definition), pace, services.now());
  await askOnce(services, key, "change", windowEnd(services.now(), windowMs));
}

/** How long new names and metadata gather, as one player can change them without end: 1,440 refreshes a day. */
const topNamesWindowMs = 60_000;

/**
 * Requests a refresh after a change of name or metadata, at most once a minute, as one player may change them without
 * end. See {@link askForRefresh}.
 */
export async function askForNames(services: TopServices, { key, definition }: Board): Promise<void> {
  const windowMs = Math.max(baseWindowMs(definition), topNamesWindowMs);
  await askOnce(services, key, "names", windowEnd(services.now(), windowMs));
}

async function askOnce(
  services: TopServices,
  key: SeasonKey,
  follows: Follows,
  dueMs: number,
): Promise<void> {
  if (services.gates.lastAsked(key, follows) === dueMs) return;
  if (await enqueue(services, key, dueMs, follows)) services.gates.asked(key, follows, dueMs);
}

/** A board's own window. */
export function baseWindowMs({
  top_refresh_seconds: seconds,
}: Pick<Definition, "top_refresh_seconds">): number {
  return seconds * 1_000;
}

/**
 * Commits a top. If its gate is lower than before, requests a refresh for when no instance remembers the higher gate any
 * more, so that it also shows players who were compared with that one in between. A commit whose answer is lost may have
 * succeeded, and the retry may find nothing left to write. So its gate is followed too.
 * @param gates of the top that the commit replaces and of its own, asked for after the commit.
 * @throws what the commit fails with.
 */
export async function commitTop(
  services: TopServices,
  { key, definition }: Board,
  gates: () => { before: Gate; after: Gate },
  commit: () => Promise<unknown>,
): Promise<void> {
  let wasOvertaken = false;
  try {
    await commit();
  } catch (error) {
    wasOvertaken = isOvertaken(error);
    throw error;
  } finally {
    if (!wasOvertaken) {
      const { before, after } = gates();
      const dueMs = windowEnd(services.now() + topGateKeptMs, baseWindowMs(definition));
      if (isLowered(definition, before, after)) await enqueue(services, key, dueMs, "gate");
    }
  }
}

/**
 * Requests a refresh after the definition changed what a top shows, due when no instance remembers the old definition.
 *
 * Cost: 1 call of the queue.
 */
export async function followDefinition(services: TopServices, key: SeasonKey): Promise<void> {
  const dueMs = windowEnd(services.now() + boardCacheMs, topRefreshSecondsDefault * 1_000);
  await enqueue(services, key, dueMs, "definition");
}

async function enqueue(
  { enqueueTopRefresh, log }: TopServices,
  key: SeasonKey,
  dueMs: number,
  follows: Follows,
): Promise<boolean> {
  const request = { ...key, due_at: new Date(dueMs).toISOString(), follows };
  try {
    await enqueueTopRefresh(request, taskIdOf(topPath(key), dueMs, follows));
    return true;
  } catch (error) {
    log.error("a refresh of the top could not be enqueued", { ...key, error: String(error) });
    return false;
  }
}
