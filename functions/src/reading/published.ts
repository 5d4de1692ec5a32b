/**
 * The ranks of the last publication: the places of scores in its pages.
 *
 * All places of an answer are of one generation. Pages in memory may be of two while a new one is being published. Then the
 * lookup is repeated with the newer one as the minimum, which reads only the older pages again.
 */
import { covers, emptyPage, type PageRead } from "../documents/page-bounds.ts";
import { type RankingKey, rankingName } from "../documents/paths.ts";
import { marksBetween, pageOfScore } from "../documents/queries.ts";
import { readTogether } from "../documents/reads.ts";
import { readPageOf } from "../documents/segment-page.ts";
import { nothingRankedYet } from "../model/errors.ts";
import { generationAttemptsMax, readTimeKeptMs, segmentRowCountedMax } from "../model/limits.ts";
import { bestPossible, isBetter, type Order } from "../model/score.ts";
import type { RankingBoard } from "../seasons/read-board.ts";
import { certainly, countAt, livePlaces, liveSumsOf } from "./live.ts";
import { mergedRowOf, placeOf, type Places, placesIn, rowOfOffset } from "./lookup.ts";
import { isSameRanking } from "./page-memory.ts";
import type { Ranks, RanksAsked, RowFound } from "./ranking-view.ts";
import type { Services } from "../world/services.ts";
import { pageCacheOf } from "./page-cache.ts";

/**
 * The published ranks of a ranking. Cost of {@link Ranks.placesOf}: {@link publishedPlaces}; of a row 1 read for the page,
 * 0 while in memory; of a place {@link exactPlaceOf}, where the request wants it exact, or the row is one of a segment with
 * at most 1,000 players.
 */
export function publishedRanks(
  services: Services,
  { key, definition: { order } }: RankingBoard,
  { min_generation: seen = 0, exact = false }: RanksAsked,
): Ranks {
  const pages = pageCacheOf(services);
  const inSmallRows = key.segment === undefined ? 0 : segmentRowCountedMax;
  return {
    placesOf: (scores, atLeast = 0) => publishedPlaces(services, key, order, scores, Math.max(seen, atLeast)),
    async placeOf(score, _held, atLeast = 0) {
      const page = await pages.pageOf(key, order, score, Math.max(seen, atLeast));
      if (page.generation === 0) throw nothingRankedYet(key);
      const places = placesOn(order, page);
      if (places.of(score).exact) return places;
      return exactPlaceOf(services, { key, order, page }, score, exact ? Infinity : inSmallRows);
    },
    async rowAt(offset, atLeast = 0) {
      const page = await pages.pageAt(key, order, offset, Math.max(seen, atLeast));
      return rowFound(order, page, offset);
    },
  };
}

/** The row with the player at a 0-based offset, on the page that holds it. */
export function rowFound(order: Order, page: PageRead, offset: number): RowFound {
  const row = rowOfOffset(page, offset);
  const exact = row === undefined || placeOf(order, page, row.score).exact;
  return { row, ranking: placesOn(order, page), exact };
}

/**
 * The places of scores in the published ranking, or in a copy of one. Cost: 1 read for each page that is not in memory, or
 * is older than `minGeneration`; at least one page is needed.
 * @param scores in any order; none to learn only about the whole ranking.
 */
export async function publishedPlaces(
  services: Pick<Services, "db" | "memory">,
  key: RankingKey,
  order: Order,
  scores: Iterable<number>,
  minGeneration = 0,
): Promise<Places> {
  const { db } = services;
  const pages = pageCacheOf(services);
  const asked = [...new Set(scores)].sort((a, b) => (isBetter(order, a, b) ? -1 : 1));
  if (asked.length === 0) asked.push(bestPossible(order));
  let atLeast = minGeneration;
  for (let attempt = 0; attempt < generationAttemptsMax; attempt++) {
    const found = await pagesOf(order, asked, (score) => pages.pageOf(key, order, score, atLeast));
    const places = placesOnPages(order, found);
    if (places !== undefined) return places;
    atLeast = Math.max(atLeast, ...found.map(({ generation }) => generation));
  }
  const begun = pages.lastRead();
  const found = await readTogether(db, (transaction) =>
    pagesOf(order, asked, async (score) => {
      const { docs, readTime } = await transaction.get(pageOfScore(db, key, order, score));
      return (docs[0] && readPageOf(key, order, docs[0].data())) ?? emptyPage(order, readTime);
    }),
  );
  for (const page of found) pages.keep(key, page, begun);
  const places = placesOnPages(order, found);
  if (places !== undefined) return places;
  throw new Error(`The pages of ${rankingName(key)} are of several generations: repairSeason mends them.`);
}

/**
 * The pages that cover scores, best first: first the page of the middle score, then in parallel the pages of the scores
 * better and worse than it covers. So no page is requested twice, and 100 pages take 7 rounds.
 * @param scores best first, without duplicates.
 */
async function pagesOf(
  order: Order,
  scores: readonly number[],
  pageOf: (score: number) => Promise<PageRead>,
): Promise<PageRead[]> {
  const middle = scores[scores.length >>> 1];
  if (middle === undefined) return [];
  const page = await pageOf(middle);
  const others = scores.filter((score) => score !== middle && !covers(order, page, score));
  if (others.length === 0) return [page];
  const better = others.filter((score) => isBetter(order, score, middle));
  const sides = [better, others.slice(better.length)];
  const [before = [], after = []] = await Promise.all(sides.map((side) => pagesOf(order, side, pageOf)));
  return [...before, page, ...after];
}

/** The places of the scores that a page covers, and what it says of movement. */
function placesOn(order: Order, page: PageRead): Places {
  return { ...placesIn(order, page), published: page };
}

/** The places of the scores that some pages cover, best first; undefined if the pages are of several generations. */
function placesOnPages(order: Order, pages: readonly PageRead[]): Places | undefined {
  const [first] = pages;
  if (first === undefined || !pages.every((page) => isSameRanking(page, first))) return undefined;
  const pageOf = (score: number) =>
    pages.findLast(({ from_score: from }) => !isBetter(order, score, from)) ?? first;
  return { ...placesOn(order, first), of: (score) => placeOf(order, pageOf(score), score) };
}

/**
 * The exact place of a score that lies in a merged row, at the read time of the page's generation: a current count added to an
 * old page would give a rank that was never true. After an hour, when that time is no longer readable, the place now.
 *
 * Cost: 1 read for each 1,000 players of the row who are better, at least 1. After an hour, and while the ranking owes
 * players (see {@link placeOf}), what live and exact places cost.
 * @param playersMax the largest row to count; without a bound the caller has asked for `exact`. In a larger row, and after an
 * hour, the published place is returned.
 */
export async function exactPlaceOf(
  services: Services,
  { key, order, page }: { key: RankingKey; order: Order; page: PageRead },
  score: number,
  playersMax = Infinity,
): Promise<Places> {
  const published = placesOn(order, page);
  const place = published.of(score);
  const row = mergedRowOf(order, page, score);
  const isTooOld = services.now() - page.read_at.toMillis() >= readTimeKeptMs;
  const isAsked = playersMax === Infinity;
  if (!isAsked && place.rank_worst - place.rank_best > playersMax) return published;
  // Players who are owed are among the pending changes.
  if (row?.pendingAbove === undefined || isTooOld || (page.owed_players ?? 0) < 0)
    return isAsked ? livePlaces(services, await liveSumsOf(services, key, order), [score], true) : published;
  const { db } = services;
  const better = await countAt(db, page.read_at, marksBetween(db, key, order, row.score, score));
  const rank = row.above + row.pendingAbove + better + 1;
  return { ...published, asOf: page.read_at, of: () => certainly(place, rank) };
}
