/**
 * How often the top is refreshed. Each refresh is sent to everybody who listens, which is most of its price. So the
 * window in which changes gather widens while they continue, and returns to the board's own after a quiet time. Pure.
 *
 * The state is in the top document, which a refresh writes and from which the gate is read, so it costs nothing more.
 * Instances learn of it as late as of the gate, so for some seconds they may use different windows. Then there are too
 * many refreshes, and never too few.
 */
import { millisOf } from "../model/instant.ts";
import { topGateKeptMs, topWideningMax, topWindowMsMax } from "../model/limits.ts";
import { slotEnd } from "../model/slot.ts";

/** The state after the last refresh that followed a change. */
export interface Pace {
  dueMs: number;
  /** How long changes gather after it. */
  windowMs: number;
}

/** The pace in the fields of a top document; undefined before the first refresh. */
export function paceIn({
  refresh_due_at: dueAt,
  refresh_window_seconds: seconds,
}: { refresh_due_at?: unknown; refresh_window_seconds?: unknown } = {}): Pace | undefined {
  const dueMs = millisOf(dueAt);
  if (dueMs === undefined || typeof seconds !== "number" || !(seconds > 0)) return undefined;
  return { dueMs, windowMs: seconds * 1_000 };
}

/** When the window of a moment ends: all requests within it are for the same refresh. */
export const windowEnd = slotEnd;

/** How late a refresh may be written for the changes after it still to count as following it. */
export const topLateMsMax = 5_000;

/** Whether the window after the last refresh is over. @param baseMs the board's own. */
export function isWindowOver(baseMs: number, pace: Pace | undefined, nowMs: number): boolean {
  return pace === undefined || nowMs - pace.dueMs > bounded(baseMs, pace.windowMs);
}

/** The window of a change now. @param baseMs the board's own. */
export function windowNow(baseMs: number, pace: Pace | undefined, nowMs: number): number {
  if (pace === undefined) return baseMs;
  const quietMs = pace.windowMs + topGateKeptMs + topLateMsMax;
  return nowMs - pace.dueMs > quietMs ? baseMs : bounded(baseMs, pace.windowMs);
}

/**
 * The pace after a refresh. If the window right after the last refresh had a change too, it is twice as wide, up to
 * sixteen times the board's own and a minute at most; otherwise it is the board's own.
 */
export function paceAfter(baseMs: number, before: Pace | undefined, dueMs: number): Pace {
  if (before === undefined) return { dueMs, windowMs: baseMs };
  // A task that comes late or twice says nothing about how closely changes follow each other.
  if (dueMs <= before.dueMs) return before;
  const follows = dueMs - before.dueMs <= bounded(baseMs, before.windowMs);
  return { dueMs, windowMs: follows ? bounded(baseMs, 2 * before.windowMs) : baseMs };
}

/** A window within the board's bounds: its own window may have changed. */
function bounded(baseMs: number, windowMs: number): number {
  const widest = Math.max(baseMs, Math.min(baseMs * topWideningMax, topWindowMsMax));
  return Math.min(Math.max(windowMs, baseMs), widest);
}
