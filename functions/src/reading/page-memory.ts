/**
 * Pages in memory, until the next publication is due. Pure, except for its memory; both the functions and the client
 * package use it.
 *
 * It keeps only one generation of a season: the first page of a newer one drops the rest, so that answers never go back
 * to an older generation.
 */
import type { Page } from "../documents/page.ts";
import { covers, type PageBounds } from "../documents/page-bounds.ts";
import type { Instant } from "../model/instant.ts";
import { overduePageMs } from "../model/limits.ts";
import { bestPossible, type Order } from "../model/score.ts";

type TimeField = "as_of" | "read_at" | "next_publish_at";

/** A page as any Firestore library reads it. */
export type PageRead<Time> = Omit<Page, TimeField | "shards_from"> &
  Record<TimeField, Time> & { shards_from?: Time | undefined };

/** The fields needed to keep a page. */
export type KeptPage = PageBounds &
  Pick<Page, "page" | "generation"> &
  Record<"as_of" | "next_publish_at", Instant>;

export interface PageMemory<Kept extends KeptPage> {
  /** The page that covers a score, if it is in memory and its successor is not due. */
  find(season: string, order: Order, score: number): Kept | undefined;
  /** A page that meets a condition, likewise. */
  findWhere(season: string, isWanted: (page: Kept) => boolean): Kept | undefined;
  /**
   * Until when the pages of a generation may be used, in milliseconds since 1970; undefined if there are none in
   * memory. By default the generation in memory.
   */
  freshUntilMs(season: string, generation?: number): number | undefined;
  /**
   * The pages kept of a season, usable or not, in the order in which they were read; all belong to one generation of
   * one ranking.
   */
  kept(season: string): readonly InMemory<Kept>[];
  /**
   * Keeps a page that has just been read, unless a newer generation was kept since it was requested. If a page was
   * requested later but is older, or has the same generation and another time, the ranking was restarted.
   * @param asked the mark when the page was requested; by default now.
   */
  keep(season: string, page: Kept, asked?: number): void;
}

interface Parts<Kept> {
  now: () => number;
  /** A mark that grows between what was known and a later request. By default the time. */
  mark?: () => number;
  /** The most pages kept; the least recently kept seasons are dropped first. */
  pagesMax: number;
  /**
   * When the successor of a season's pages is due, if known from another source, in milliseconds since 1970; `Infinity`
   * if they have none. Called with the page that was read first.
   */
  dueMsOf?: (season: string, kept: InMemory<Kept>) => number | undefined;
}

/** A page as it is kept. */
export interface InMemory<Kept> {
  page: Kept;
  /** Until when it may be used, in milliseconds since 1970. */
  untilMs: number;
  /** When it was read. */
  readMs: number;
  /** The mark when it was kept. */
  at: number;
}

// eslint-disable-next-line max-lines-per-function -- short functions over one memory
export function createPageMemory<Kept extends KeptPage>({
  now,
  mark = now,
  pagesMax,
  dueMsOf = () => undefined,
}: Parts<Kept>): PageMemory<Kept> {
  const kept = new Map<string, InMemory<Kept>[]>();

  function dropOldest(): void {
    let count = 0;
    for (const pages of kept.values()) count += pages.length;
    for (const [season, pages] of kept) {
      if (count <= pagesMax) return;
      kept.delete(season);
      count -= pages.length;
    }
  }

  const keptOf = (season: string): InMemory<Kept>[] => kept.get(season) ?? [];

  /** Until when a season's page may be used: its successor may be due earlier than was known when it was published. */
  function untilMsIn(season: string, [first]: readonly InMemory<Kept>[]): (kept: InMemory<Kept>) => number {
    const dueMs = first === undefined ? undefined : dueMsOf(season, first);
    return (kept) => (dueMs === undefined ? kept.untilMs : untilDue(kept, dueMs));
  }

  function findWhere(season: string, isWanted: (page: Kept) => boolean): Kept | undefined {
    const pages = keptOf(season);
    const untilMs = untilMsIn(season, pages);
    const nowMs = now();
    return pages.find((kept) => isWanted(kept.page) && untilMs(kept) > nowMs)?.page;
  }

  return {
    find: (season, order, score) => findWhere(season, (page) => covers(order, page, score)),
    findWhere,
    freshUntilMs(season, generation) {
      const pages = keptOf(season);
      const nowMs = now();
      const fresh = pages.map(untilMsIn(season, pages)).filter((untilMs) => untilMs > nowMs);
      const there = pages[0]?.page.generation;
      return fresh.length > 0 && (generation ?? there) === there ? Math.min(...fresh) : undefined;
    },
    kept: keptOf,
    keep(season, page, asked = mark()) {
      const before = keptOf(season);
      const since = before.filter(({ at }) => at >= asked);
      if (since.some((other) => other.page.generation >= page.generation && !isSameRanking(other.page, page)))
        return;
      const same = before.filter((other) => isSameRanking(other.page, page) && other.page.page !== page.page);
      kept.delete(season);
      const readMs = now();
      kept.set(season, [...same, { page, untilMs: keptUntilMs(page, readMs), readMs, at: mark() }]);
      dropOldest();
    },
  };
}

/**
 * Whether two pages belong to one publication. A board that was deleted and created again, or restored, counts its
 * generations from 1 again.
 */
export function isSameRanking(
  a: Pick<KeptPage, "generation" | "as_of">,
  b: Pick<KeptPage, "generation" | "as_of">,
): boolean {
  return a.generation === b.generation && a.as_of.toMillis() === b.as_of.toMillis();
}

/** Until when a page may be used if the due time of its successor was not known when it was read. */
function untilDue({ untilMs, readMs }: InMemory<unknown>, dueMs: number): number {
  if (dueMs === Infinity) return Infinity;
  return Math.min(untilMs, dueMs > readMs ? dueMs : readMs + overduePageMs);
}

/**
 * Until when a page may be used: until its successor's time, or for a moment if that has passed. Never longer than from
 * one publication to the next, as the clock of a player's device may be hours behind.
 */
function keptUntilMs({ as_of: asOf, next_publish_at: next }: KeptPage, nowMs: number): number {
  const dueMs = next.toMillis();
  if (dueMs <= nowMs) return nowMs + overduePageMs;
  return Math.min(dueMs, nowMs + Math.max(overduePageMs, dueMs - asOf.toMillis()));
}

/** The page before the first publication, without players. */
export function emptyPage<Time>(order: Order, readAt: Time): PageRead<Time> {
  return {
    page: 0,
    pages: 1,
    generation: 0,
    source: "index",
    players: 0,
    rows: 0,
    unusable_scores: 0,
    as_of: readAt,
    read_at: readAt,
    next_publish_at: readAt,
    from_score: bestPossible(order),
    until_score: null,
    rows_above: 0,
    scores: [],
    players_above: [],
    players_until: 0,
  };
}
