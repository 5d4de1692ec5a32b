/**
 * The places of several scores, all in one generation. Pages in memory may be of two while a new one is being published.
 * Then the lookup is repeated with the newer one as the minimum, which reads only the older pages again.
 */
import { type Page, readPage } from "../documents/page.ts";
import { covers } from "../documents/page-bounds.ts";
import { type SeasonKey, seasonPath } from "../documents/paths.ts";
import { pageOfScore } from "../documents/queries.ts";
import { readTogether } from "../documents/reads.ts";
import { generationAttemptsMax } from "../model/limits.ts";
import { bestPossible, isBetter, type Order } from "../model/score.ts";
import { type Place, placeOf, type Places, placesIn } from "./lookup.ts";
import type { ReadingServices } from "./live-sums.ts";
import { emptyPage, isSameRanking } from "./page-memory.ts";

/** Places that are known already. */
export function knownPlaces(about: Omit<Places, "of">, places: ReadonlyMap<number, Place>): Places {
  return {
    ...about,
    of(score) {
      const place = places.get(score);
      if (place === undefined) throw new Error(`${score} was not asked for`);
      return place;
    },
  };
}

/**
 * The places of scores in the published ranking. Cost: 1 read for each page that is not in memory, or is older than
 * `minGeneration`; at least one page is needed.
 * @param scores in any order; none to learn only about the whole ranking.
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
    const places = placesInAll(order, found);
    if (places !== undefined) return places;
    atLeast = Math.max(atLeast, ...found.map(({ generation }) => generation));
  }
  const begun = pages.mark();
  const found = await readTogether(db, (transaction) =>
    pagesOf(order, asked, async (score) => {
      const { docs, readTime } = await transaction.get(pageOfScore(db, key, order, score));
      return docs[0] === undefined ? emptyPage(order, readTime) : readPage(docs[0].data());
    }),
  );
  for (const page of found) pages.keep(key, page, begun);
  const places = placesInAll(order, found);
  if (places !== undefined) return places;
  throw new Error(`The pages of ${seasonPath(key)} are of several generations: repairSeason mends them.`);
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
  const better = others.filter((score) => isBetter(order, score, middle));
  const sides = [better, others.slice(better.length)];
  const [before = [], after = []] = await Promise.all(sides.map((side) => pagesOf(order, side, pageOf)));
  return [...before, page, ...after];
}

/** The places in some pages, best first; undefined if these are of several generations. */
function placesInAll(order: Order, pages: readonly Page[]): Places | undefined {
  const [first] = pages;
  if (first === undefined || !pages.every((page) => isSameRanking(page, first))) return undefined;
  const pageOf = (score: number) =>
    pages.findLast(({ from_score: from }) => !isBetter(order, score, from)) ?? first;
  return { ...placesIn(order, first), of: (score) => placeOf(order, pageOf(score), score) };
}
