/**
 * How often the top is refreshed. Each refresh is sent to everybody who listens, and that is its real price: so the
 * window in which changes gather widens while they do not stop, and is the board's own again after a quiet time. Pure.
 *
 * The state is in the top document, which a refresh writes and the gate is read from anyway: nobody reads or writes
 * more for it. Instances know it as late as the gate, so that for some seconds they may ask by different windows; then
 * there are refreshes too many, and none too few.
 */
import { millisOf } from "../model/instant.ts";
import { topGateKeptMs, topLateMsMax, topWideningMax, topWindowMsMax } from "../model/limits.ts";

/** What the last refresh left behind that followed a change. */
export interface Pace {
  /** When it was due. */
  dueMs: number;
  /** How long changes gather after it. */
  windowMs: number;
}

/** The pace of a top document by its fields; nothing before the first refresh. */
export function paceIn(dueAt: unknown, windowSeconds: unknown): Pace | undefined {
  const dueMs = millisOf(dueAt);
  if (dueMs === undefined || typeof windowSeconds !== "number" || !(windowSeconds > 0)) return undefined;
  return { dueMs, windowMs: windowSeconds * 1_000 };
}

/** When the window of a moment ends, in milliseconds since 1970: whoever asks in it asks for the same refresh. */
export function windowEnd(nowMs: number, windowMs: number): number {
  return (Math.floor(nowMs / windowMs) + 1) * windowMs;
}

/** The window of a change now. @param baseMs the board's own. */
export function windowNow(baseMs: number, pace: Pace | undefined, nowMs: number): number {
  if (pace === undefined) return baseMs;
  const quietMs = pace.windowMs + topGateKeptMs + topLateMsMax;
  return nowMs - pace.dueMs > quietMs ? baseMs : bounded(baseMs, pace.windowMs);
}

/**
 * The pace after a refresh: twice as wide if the window right after the last refresh had a change too, up to sixteen
 * times the board's own and a minute at most; else the board's own.
 */
export function paceAfter(baseMs: number, before: Pace | undefined, dueMs: number): Pace {
  if (before === undefined) return { dueMs, windowMs: baseMs };
  // A task that comes late or twice says nothing of how the changes follow each other.
  if (dueMs <= before.dueMs) return before;
  const follows = dueMs - before.dueMs <= bounded(baseMs, before.windowMs);
  return { dueMs, windowMs: follows ? bounded(baseMs, 2 * before.windowMs) : baseMs };
}

/** A window that a board may have, whose own one may have changed. */
function bounded(baseMs: number, windowMs: number): number {
  const widest = Math.max(baseMs, Math.min(baseMs * topWideningMax, topWindowMsMax));
  return Math.min(Math.max(windowMs, baseMs), widest);
}
