/**
 * How often an instance of a function reads what it keeps in memory: boards, gates of tops, and pages. What is asked for
 * comes at random. Pure.
 */
import { emptyPage } from "../../functions/src/documents/page-bounds.ts";
import { Timestamp } from "../../functions/src/documents/firestore.ts";
import {
  boardCacheMs,
  boardRenewedAt,
  overduePageMs,
  topGateKeptMs,
} from "../../functions/src/model/limits.ts";
import { bytesOfPage, pagesShare } from "../../functions/src/reading/page-cache.ts";
import { slimPage } from "../../functions/src/reading/slim-page.ts";
import { boardsShare } from "../../functions/src/seasons/board.ts";
import { topGatesKeptMax } from "../../functions/src/top/gate-memory.ts";
import { instances } from "../../cli/prices.ts";
import type { Happens } from "./course.ts";

const instanceBytes = instances.usual.gib * 2 ** 30;

/** Bytes that an instance has for boards and for pages, and the gates that it keeps. */
export const rooms = {
  boards: instanceBytes * boardsShare,
  pages: instanceBytes * pagesShare,
  gates: topGatesKeptMax,
};

/** A board with usual settings; test/memory/reading/kept.test.ts weighs one. */
export const boardBytes = 2_400;

/** A page with so many scores, each of another player. */
export function pageBytes(scores: number): number {
  const rows = Array.from({ length: Math.ceil(scores) }, (_, row) => row);
  const page = { ...emptyPage("descending", Timestamp.fromMillis(0)), players_above: rows };
  return bytesOfPage(slimPage({ ...page, scores: rows.map((row) => 1_000_000 - row) }));
}

/** What an instance is asked for: so many things of a size, each so often in a second. */
export interface Asked {
  things: number;
  perSecond: number;
  size: number;
}

/**
 * How long something stays in memory that is not asked for again, until others have taken its room: as long as it takes
 * until as many others were asked for (Che's approximation of a cache that drops what was used least recently).
 */
export function staysSeconds(asked: readonly Asked[], room: number): number {
  const taken = (seconds: number) =>
    asked.reduce(
      (sum, { things, perSecond, size }) => sum + size * things * -Math.expm1(-perSecond * seconds),
      0,
    );
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
