/**
 * Pages in memory, until the next publication is due.
 *
 * An instance keeps the pages of one generation of a season only: the first page that arrives of a newer one
 * drops the rest, so that two answers of one instance never mix generations backwards.
 */
import { type Firestore, Timestamp } from "../firestore.ts";
import { overduePageMs } from "../model/limits.ts";
import { type SeasonKey, seasonPath } from "../model/paths.ts";
import { pageOfScore } from "../model/queries.ts";
import { bestPossible, type Order } from "../model/score.ts";
import { covers, type Page, readPage } from "./pages.ts";

export interface PageCache {
  /**
   * The page that covers a score: of the published generation, or of the one before while its successor is not
   * yet due. Before the first publication, an empty page of generation 0,
   * which is not kept, so that the first ranking shows at once.
   * Cost: 1 read; 0 while the page is in memory.
   */
  pageOf(key: SeasonKey, order: Order, score: number): Promise<Page>;
}

interface Kept {
  page: Page;
  untilMs: number;
}

/** Pages kept in all, so that a busy instance serving many boards stays small: 256 pages of about 10 KB each. */
const pagesKeptMax = 1_024;

export function createPageCache({ db, now }: { db: Firestore; now: () => number }): PageCache {
  const kept = new Map<string, Kept[]>();

  function find(path: string, order: Order, score: number): Page | undefined {
    const fresh = kept.get(path)?.filter(({ untilMs }) => untilMs > now());
    return fresh?.find(({ page }) => covers(order, page, score))?.page;
  }

  function keep(path: string, page: Page): void {
    const before = kept.get(path) ?? [];
    // Asked for earlier and answered later than a page of a newer generation.
    if (before.some((other) => other.page.generation > page.generation)) return;
    const same = before.filter(
      (other) => other.page.generation === page.generation && other.page.page !== page.page,
    );
    const dueMs = page.next_publish_at.toMillis();
    const untilMs = dueMs > now() ? dueMs : now() + overduePageMs;
    kept.delete(path);
    kept.set(path, [...same, { page, untilMs }]);
    dropOldest();
  }

  function dropOldest(): void {
    let count = 0;
    for (const pages of kept.values()) count += pages.length;
    for (const [path, pages] of kept) {
      if (count <= pagesKeptMax) return;
      kept.delete(path);
      count -= pages.length;
    }
  }

  return {
    async pageOf(key, order, score) {
      const path = seasonPath(key);
      const inMemory = find(path, order, score);
      if (inMemory !== undefined) return inMemory;
      const found = await pageOfScore(db, key, order, score).get();
      const document = found.docs[0];
      if (document === undefined) return emptyPage(order, found.readTime);
      const page = readPage(document.data());
      keep(path, page);
      return page;
    },
  };
}

/** What is published before the first publication: nobody. */
export function emptyPage(order: Order, readAt: Timestamp): Page {
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
