/** The pages that one instance of the functions has in memory; see page-memory.ts. */
import type { Firestore } from "../firestore.ts";
import { type SeasonKey, seasonPath } from "../model/paths.ts";
import { pageOfScore } from "../model/queries.ts";
import type { Order } from "../model/score.ts";
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
   * Until when what is in memory of a season is of use, in milliseconds since 1970; nothing where nothing is. Costs
   * no read.
   */
  freshUntilMs(key: SeasonKey): number | undefined;
}

/** Pages kept in all, so that a busy instance serving many boards stays small: 256 pages of about 10 KB each. */
const pagesKeptMax = 1_024;

export function createPageCache({ db, now }: { db: Firestore; now: () => number }): PageCache {
  const memory = createPageMemory<Page>({ now, pagesMax: pagesKeptMax });
  return {
    async pageOf(key, order, score) {
      const path = seasonPath(key);
      const inMemory = memory.find(path, order, score);
      if (inMemory !== undefined) return inMemory;
      const found = await pageOfScore(db, key, order, score).get();
      const document = found.docs[0];
      if (document === undefined) return emptyPage(order, found.readTime);
      const page = readPage(document.data());
      memory.keep(path, page);
      return page;
    },
    freshUntilMs: (key) => memory.freshUntilMs(seasonPath(key)),
  };
}
