/**
 * The places of several scores, all in one generation.
 *
 * Pages are kept in memory one by one, so those of a list may come from two generations while a new one is being
 * published. Then the lookup is repeated with the newer one as the minimum, which reads only the older pages again.
 */
import type { Firestore, Timestamp, Transaction } from "../documents/firestore.ts";
import { type Page, readPage } from "../documents/page.ts";
import { covers } from "../documents/page-bounds.ts";
import { type SeasonKey, seasonPath } from "../documents/paths.ts";
import { pageOfScore } from "../documents/queries.ts";
import { generationAttemptsMax } from "../model/limits.ts";
import { bestPossible, isBetter, type Order } from "../model/score.ts";
import { type Place, placeOf } from "./lookup.ts";
import type { ReadingServices } from "./page-cache.ts";
import { emptyPage, isSameRanking } from "./page-memory.ts";

/** What one generation says about some scores. */
export interface Places {
  /** 0 before the first publication. */
  generation: number;
  asOf: Timestamp;
  /** Players ranked. */
  players: number;
  /** The place of one of the scores. */
  of(score: number): Place;
}

/**
 * The places of scores in the published ranking. Cost: 1 read for each page that is not in memory, or is older than
 * `minGeneration`; at least one page is needed.
 * @param scores in any order; none to learn only about the whole ranking.
 * @param minGeneration a generation that the caller has seen: if it is published, the places are not of an older one.
 */
export async function placesOf(
  { db, pages }: Pick<ReadingServices, "db" | "pages">,
  key: SeasonKey,
  order: Order,
  scores: Iterable<number>,
  minGeneration = 0,
): Promise<Places> {
  const asked = [...new Set(scores)].sort((a, b) => (isBetter(order, a, b) ? -1 : 1));
  if (asked.length === 0) asked.push(bestPossible(order));
  let atLeast = minGeneration;
  for (let attempt = 0; attempt < generationAttemptsMax; attempt++) {
    const found = await pagesOf(order, asked, (score) => pages.pageOf(key, order, score, atLeast));
    if (isOneGeneration(found)) return placesIn(order, found);
    atLeast = Math.max(atLeast, ...found.map(({ generation }) => generation));
  }
  const begun = pages.mark();
  const found = await db.runTransaction(
    (transaction) => pagesOf(order, asked, (score) => readInTransaction(db, transaction, key, order, score)),
    { readOnly: true },
  );
  for (const page of found) pages.keep(key, page, begun);
  if (isOneGeneration(found)) return placesIn(order, found);
  throw new Error(
    `The pages of ${seasonPath(key)} are of several generations: the season must be rebuilt with rebuildSeason.`,
  );
}

/**
 * The pages that cover scores, best first: first the page of the middle score, then in parallel the pages of the scores
 * better and worse than it covers. So no page is requested twice, and 100 pages take 7 rounds.
 * @param scores best first, without duplicates.
 */
async function pagesOf(
  order: Order,
  scores: readonly number[],
  pageOf: (score: number) => Promise<Page>,
): Promise<Page[]> {
  const middle = scores[scores.length >>> 1];
  if (middle === undefined) return [];
  const page = await pageOf(middle);
  const others = scores.filter((score) => score !== middle && !covers(order, page, score));
  const [better, worse] = await Promise.all([
    pagesOf(
      order,
      others.filter((score) => isBetter(order, score, middle)),
      pageOf,
    ),
    pagesOf(
      order,
      others.filter((score) => isBetter(order, middle, score)),
      pageOf,
    ),
  ]);
  return [...better, page, ...worse];
}

function isOneGeneration(pages: readonly Page[]): boolean {
  const [first] = pages;
  return first === undefined || pages.every((page) => isSameRanking(page, first));
}

function placesIn(order: Order, pages: readonly Page[]): Places {
  const first = pages[0];
  if (first === undefined) throw new Error("places are found in a page at least");
  const pageOf = (score: number) =>
    pages.findLast(({ from_score: from }) => !isBetter(order, score, from)) ?? first;
  return {
    generation: first.generation,
    asOf: first.as_of,
    players: first.players,
    of: (score) => placeOf(order, pageOf(score), score),
  };
}

async function readInTransaction(
  db: Firestore,
  transaction: Transaction,
  key: SeasonKey,
  order: Order,
  score: number,
): Promise<Page> {
  const found = await transaction.get(pageOfScore(db, key, order, score));
  const document = found.docs[0];
  return document === undefined ? emptyPage(order, found.readTime) : readPage(document.data());
}
