/**
 * How often an instance of a function reads what it keeps in memory: boards, gates of tops, and pages. What is asked for
 * comes at random. Pure.
 */
import {
  boardCacheMs,
  boardRenewedAt,
  overduePageMs,
  topGateKeptMs,
} from "../../functions/src/model/limits.ts";
import type { Happens } from "./course.ts";

/** Boards and gates, and pages, that an instance has room for; the functions' caches have these numbers. */
export const boardsKept = 1_000;
export const pagesKept = 1_024;

/** What an instance is asked for: so many things, each so often in a second. */
export interface Asked {
  things: number;
  perSecond: number;
}

/**
 * How long something stays in memory that is not asked for again, until others have taken its room: as long as it takes
 * until as many others were asked for (Che's approximation of a cache that drops what was used least recently).
 */
export function staysSeconds(asked: readonly Asked[], room: number): number {
  const taken = (seconds: number) =>
    asked.reduce((sum, { things, perSecond }) => sum + things * -Math.expm1(-perSecond * seconds), 0);
  let [low, high] = [0, 1];
  while (taken(high) < room) {
    if (high > 1e9) return Infinity;
    high *= 2;
  }
  for (let round = 0; round < 60; round++) {
    const middle = (low + high) / 2;
    if (taken(middle) < room) low = middle;
    else high = middle;
  }
  return high;
}

/** Reads in a second of what is served for some seconds from its read on. @param stays {@link staysSeconds} */
function readsOf(asksPerSecond: number, seconds: number, stays: number): number {
  if (asksPerSecond === 0) return 0;
  return Math.max(1 / (seconds + 1 / asksPerSecond), goneOf(asksPerSecond, stays));
}

const goneOf = (asksPerSecond: number, stays: number) => asksPerSecond * Math.exp(-asksPerSecond * stays);

/** A board is read again before it is too old, while it is asked for. */
export const boardReads = (asksPerSecond: number, stays: number) =>
  readsOf(asksPerSecond, (boardCacheMs * boardRenewedAt) / 1_000, stays);

export const gateReads = (asksPerSecond: number, stays: number) =>
  readsOf(asksPerSecond, topGateKeptMs / 1_000, stays);

/** A page stays until the next publication is due. If that is over, it stays for some seconds. */
export function pageReads(asksPerSecond: number, pages: number, happens: Happens, stays: number): number {
  if (asksPerSecond === 0) return 0;
  const { runs, freshSeconds } = happens;
  const each = asksPerSecond / pages;
  // Once in the time of each publication in which it is asked for.
  const fresh = runs === 0 ? 0 : runs * -Math.expm1((-each * freshSeconds) / runs);
  const stale = (1 - freshSeconds) / (overduePageMs / 1_000 + 1 / each);
  return pages * Math.max(fresh + stale, goneOf(each, stays));
}
