/** The pages that one instance of the functions has in memory; see page-memory.ts. */
import type { Firestore, QuerySnapshot } from "../firestore.ts";
import { type SeasonKey, seasonPath } from "../model/paths.ts";
import { pageOfOffset, pageOfScore } from "../model/queries.ts";
import { bestPossible, type Order } from "../model/score.ts";
import { createPageMemory, emptyPage } from "./page-memory.ts";
import { type Page, readPage } from "./pages.ts";

export interface PageCache {
  /**
   * The page that covers a score: of the published generation, or of the one before while its successor is not
   * yet due. Before the first publication, an empty page of generation 0,
   * which is not kept, so that the first ranking shows at once.
   * Cost: 1 read; 0 while the page is in memory.
   */
  pageOf(key: SeasonKey, order: Order, score: number): Promise<Page>;
  /**
   * The page with the player at a 0-based offset; where there are fewer players, any page, which says how many.
   * Cost: 1 read, 0 while the page is in memory; 1 more where there are fewer players and no page is in memory.
   */
  pageAt(key: SeasonKey, order: Order, offset: number): Promise<Page>;
  /**
   * Until when what is in memory of a season is of use, in milliseconds since 1970; nothing where nothing is. Costs
   * no read.
   */
  freshUntilMs(key: SeasonKey): number | undefined;
}

/** Pages kept in all, so that a busy instance serving many boards stays small: 256 pages of about 10 KB each. */
const pagesKeptMax = 1_024;

export function createPageCache({ db, now }: { db: Firestore; now: () => number }): PageCache {
  const memory = createPageMemory<Page>({ now, pagesMax: pagesKeptMax });

  async function pageOf(key: SeasonKey, order: Order, score: number): Promise<Page> {
    const inMemory = memory.find(seasonPath(key), order, score);
    if (inMemory !== undefined) return inMemory;
    const found = await pageOfScore(db, key, order, score).get();
    return keepFound(key, found) ?? emptyPage(order, found.readTime);
  }

  async function pageAt(key: SeasonKey, order: Order, offset: number): Promise<Page> {
    const answers = (page: Page) => holds(page, offset) || page.players <= offset;
    const inMemory = memory.findWhere(seasonPath(key), answers);
    if (inMemory !== undefined) return inMemory;
    const found = await pageOfOffset(db, key, offset).get();
    return keepFound(key, found) ?? pageOf(key, order, bestPossible(order));
  }

  /** The page that a query found, kept in memory. */
  function keepFound(key: SeasonKey, { docs: [document] }: QuerySnapshot): Page | undefined {
    if (document === undefined) return undefined;
    const page = readPage(document.data());
    memory.keep(seasonPath(key), page);
    return page;
  }

  return { pageOf, pageAt, freshUntilMs: (key) => memory.freshUntilMs(seasonPath(key)) };
}

/** Whether the player at a 0-based offset is on a page. */
function holds({ players_above: [first], players_until: until }: Page, offset: number): boolean {
  return first !== undefined && first <= offset && offset < until;
}
