/**
 * Pages in memory, until the next publication is due; both the functions and the client package use it. It keeps only
 * one generation of a ranking: the first page of a newer one drops the rest, so that answers never go back.
 */
import { covers, type PageBounds, type PageRead } from "../documents/page-bounds.ts";
import type { Instant } from "../model/instant.ts";
import { overduePageMs } from "../model/limits.ts";
import type { Order } from "../model/score.ts";

export type KeptPage = PageBounds &
  Pick<PageRead, "page" | "generation"> &
  Record<"as_of" | "next_publish_at", Instant>;

export type PageMemory<Kept extends KeptPage> = ReturnType<typeof createPageMemory<Kept>>;

interface PageMemoryOptions<Kept> {
  now: () => number;
  /** Grows between what was known and a later request. By default the time. */
  lastRead?: () => number;
  /** The largest total size of the pages kept; rankings that were not used for longest are dropped first. */
  sizeMax: number;
  /** The size of a page; by default each is 1. */
  sizeOf?: (page: Kept) => number;
  /**
   * When the successor of a ranking's pages is due, if known from another source, in milliseconds since 1970; `Infinity`
   * if they have none. Called with the page that was read first.
   */
  dueMsOf?: (ranking: string, kept: InMemory<Kept>) => number | undefined;
}

export interface InMemory<Kept> {
  page: Kept;
  size: number;
  untilMs: number;
  readMs: number;
  at: number;
}

// eslint-disable-next-line max-lines-per-function -- short functions over one memory
export function createPageMemory<Kept extends KeptPage>(options: PageMemoryOptions<Kept>) {
  const { now, lastRead = now, sizeMax, sizeOf = () => 1, dueMsOf = () => undefined } = options;
  /** Those used last come last. */
  const rankings = new Map<string, InMemory<Kept>[]>();
  let size = 0;

  /** The pages kept of a ranking, usable or not, as they were read; all belong to one generation of one ranking. */
  const kept = (ranking: string): readonly InMemory<Kept>[] => rankings.get(ranking) ?? [];

  function drop(ranking: string): void {
    for (const one of kept(ranking)) size -= one.size;
    rankings.delete(ranking);
  }

  /** The usable pages that meet a condition: a successor may be due earlier than was known when they were published. */
  function usable(ranking: string, isWanted: (page: Kept) => boolean): { page: Kept; untilMs: number }[] {
    const pages = rankings.get(ranking);
    if (pages === undefined) return [];
    rankings.delete(ranking);
    rankings.set(ranking, pages);
    const [first] = pages;
    const dueMs = first && dueMsOf(ranking, first);
    const nowMs = now();
    return pages
      .filter(({ page }) => isWanted(page))
      .map((one) => ({ page: one.page, untilMs: dueMs === undefined ? one.untilMs : untilDue(one, dueMs) }))
      .filter(({ untilMs }) => untilMs > nowMs);
  }

  /** A page that meets a condition, if it is in memory and its successor is not due. */
  const findWhere = (ranking: string, isWanted: (page: Kept) => boolean): Kept | undefined =>
    usable(ranking, isWanted)[0]?.page;

  return {
    kept,
    findWhere,
    find: (ranking: string, order: Order, score: number) =>
      findWhere(ranking, (page) => covers(order, page, score)),
    /**
     * Until when the pages of a generation may be used, in milliseconds since 1970; undefined if there are none in
     * memory. By default the generation in memory.
     */
    freshUntilMs(ranking: string, generation?: number): number | undefined {
      const fresh = usable(ranking, (page) => page.generation === (generation ?? page.generation));
      return fresh.length > 0 ? Math.min(...fresh.map(({ untilMs }) => untilMs)) : undefined;
    },
    /**
     * Keeps a page that has just been read, unless a newer generation was kept since it was requested. If a page was
     * requested later but is older, or has the same generation and another time, the ranking was restarted.
     * @param asked `lastRead` when the page was requested; by default now.
     */
    keep(ranking: string, page: Kept, asked = lastRead()): void {
      const isNewer = (one: InMemory<Kept>) =>
        one.at >= asked && one.page.generation >= page.generation && !isSameRanking(one.page, page);
      if (kept(ranking).some(isNewer)) return;
      const same = kept(ranking).filter(
        (one) => isSameRanking(one.page, page) && one.page.page !== page.page,
      );
      const readMs = now();
      const untilMs = dueOrSoonMs(page.next_publish_at.toMillis(), readMs);
      const pages = [...same, { page, size: sizeOf(page), untilMs, readMs, at: lastRead() }];
      drop(ranking);
      rankings.set(ranking, pages);
      for (const one of pages) size += one.size;
      for (const oldest of rankings.keys()) {
        if (size <= sizeMax) return;
        drop(oldest);
      }
    },
  };
}

type Dated = Pick<KeptPage, "generation" | "as_of">;

/** Whether pages are of one publication: a board that was created again, or restored, counts from 1 again. */
export function isSameRanking(a: Dated, b: Dated): boolean {
  return a.generation === b.generation && a.as_of.toMillis() === b.as_of.toMillis();
}

/** Until when a page may be used if the due time of its successor was not known when it was read. */
function untilDue({ untilMs, readMs }: InMemory<unknown>, dueMs: number): number {
  if (dueMs === Infinity) return Infinity;
  return Math.min(untilMs, dueOrSoonMs(dueMs, readMs));
}

/** When the successor of a page is due, or a moment after the page was read if that had passed. */
function dueOrSoonMs(dueMs: number, readMs: number): number {
  return dueMs > readMs ? dueMs : readMs + overduePageMs;
}
