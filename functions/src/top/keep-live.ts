/**
 * The live top: between runs it follows the players within about two seconds, or later while changes do not stop
 * (pace.ts), at a bounded cost. A change is compared with the gate (gate.ts), and is only a hint: the refresh reads the
 * players themselves.
 */
import type { SeasonKey } from "../documents/paths.ts";
import type { PlayerChange } from "../documents/player.ts";
import { topRefreshWaitMsMax } from "../model/limits.ts";
import { boardIfAny } from "../seasons/board.ts";
import type { TopRefreshRequest } from "../world/tasks.ts";
import { askForRefresh, baseWindowMs } from "./ask-refresh.ts";
import { shownChange, showsInTop } from "./gate.ts";
import type { TopServices } from "./gate-memory.ts";
import { windowEnd, windowNow } from "./pace.ts";
import { renewTop } from "./renew.ts";

/** How long new names and metadata gather, as one player can change them without end: 1,440 refreshes a day. */
const topNamesWindowMs = 60_000;

/**
 * Requests a refresh of the top at the end of the present window if a player's change may show in it.
 *
 * Cost: nothing where nothing changed that a top shows; otherwise 1 read for the gate, once in ten seconds, the board's
 * 2 a minute, and {@link askForRefresh} once for each window and instance.
 * @throws Firestore's error when the gate or the board cannot be read.
 */
export async function keepTopLive(
  services: TopServices,
  key: SeasonKey,
  change: PlayerChange,
): Promise<void> {
  const follows = shownChange(change);
  if (follows === undefined) return;
  const board = await boardIfAny(services, key);
  if (board === undefined) return;
  const { gate, pace } = await services.gates.gateOf(key);
  if (!showsInTop(board.definition, gate, change)) return;
  const nowMs = services.now();
  const baseMs = baseWindowMs(board.definition);
  const windowMs = follows === "names" ? Math.max(baseMs, topNamesWindowMs) : windowNow(baseMs, pace, nowMs);
  const dueMs = windowEnd(nowMs, windowMs);
  if (services.gates.lastAsked(key, follows) === dueMs) return;
  if (await askForRefresh(services, key, follows, dueMs)) services.gates.asked(key, follows, dueMs);
}

/** Runs a task `refreshTop`: waits until it is due, then {@link renewTop}. */
export async function refreshTopWhenDue(
  services: TopServices,
  { due_at: dueAt, follows, ...key }: TopRefreshRequest,
): Promise<void> {
  const waitMs = Math.min(Date.parse(dueAt) - services.now(), topRefreshWaitMsMax);
  if (waitMs > 0) await services.sleep(waitMs);
  if (follows === "definition") services.boards.forget(key.leaderboard);
  const board = await boardIfAny(services, key);
  if (board === undefined) return;
  await renewTop(services, board, follows === "change" ? { dueMs: Date.parse(dueAt) } : {});
}
