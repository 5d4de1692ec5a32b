/**
 * The places of scores, published and live.
 *
 * All published ones of an answer are of one generation. Pages in memory may be of two while a new one is being published.
 * Then the lookup is repeated with the newer one as the minimum, which reads only the older pages again.
 *
 * Live ranks are the published pages plus everything that was counted since (live-sums.ts). Sums only ever meet pages of
 * their own generation. A page that is missing, and the count that makes a rank in a merged row certain, are read at the
 * sums' own read time: so all parts of an answer belong to one moment.
 */
import type { Query, Timestamp } from "../documents/firestore.ts";
import type { Page } from "../documents/page.ts";
import { readPageOf } from "../documents/segment-page.ts";
import { covers, emptyPage } from "../documents/page-bounds.ts";
import { type RankingKey, rankingName } from "../documents/paths.ts";
import { marksBetween, pageOfOffset, pageOfScore } from "../documents/queries.ts";
import { asOf, getAt, readTogether } from "../documents/reads.ts";
import type { Freshness } from "../model/answers.ts";
import { nothingRankedYet } from "../model/errors.ts";
import { nextKey } from "../model/keys.ts";
import type { Since } from "../model/midnights.ts";
import { generationAttemptsMax, readTimeKeptMs } from "../model/limits.ts";
import { bestPossible, isBetter, type Order, scoreOfKey, sortKey } from "../model/score.ts";
import type { LiveSums, ReadingServices, SeasonSums } from "./live-sums.ts";
import {
  doubted,
  holds,
  mergedRowOf,
  owedRowOf,
  type Place,
  placeInRows,
  placeOf,
  type Places,
  placesIn,
  type Row,
  rowOfOffset,
} from "./lookup.ts";
import { isSameRanking } from "./page-memory.ts";

export interface RanksAsked {
  freshness?: Freshness | undefined;
  /** A generation that the caller has seen: once it is published, no older ranks are answered. */
  min_generation?: number | undefined;
  since?: Since | undefined;
}

export function placesAsked(
  services: ReadingServices,
  key: RankingKey,
  order: Order,
  scores: Iterable<number>,
  { freshness, min_generation: minGeneration }: RanksAsked,
): Promise<Places> {
  return freshness === "live"
    ? livePlacesOf(services, key, order, scores, { minGeneration })
    : placesOf(services, key, order, scores, minGeneration);
}

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
  key: RankingKey,
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
      return (docs[0] && readPageOf(key, order, docs[0].data())) ?? emptyPage(order, readTime);
    }),
  );
  for (const page of found) pages.keep(key, page, begun);
  const places = placesInAll(order, found);
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

/** The places of the scores that a page covers, and what it says of movement. */
export function placesOn(order: Order, page: Page): Places {
  return { ...placesIn(order, page), published: page };
}

/** The places in some pages, best first; undefined if these are of several generations. */
function placesInAll(order: Order, pages: readonly Page[]): Places | undefined {
  const [first] = pages;
  if (first === undefined || !pages.every((page) => isSameRanking(page, first))) return undefined;
  const pageOf = (score: number) =>
    pages.findLast(({ from_score: from }) => !isBetter(order, score, from)) ?? first;
  return { ...placesOn(order, first), of: (score) => placeOf(order, pageOf(score), score) };
}

/**
 * The places of scores with everything counted up to 5 seconds ago; `dense_rank` stays that of the publication.
 *
 * Cost: `sumsOf`, and 1 read for each page that is not in memory. With `exact`, for a score in a merged
 * row 1 read for each 1,000 better players of the row, at least 1; the same without it where the row owes players
 * (fold.ts), as the changes alone do not tell who is better.
 */
export async function livePlacesOf(
  services: ReadingServices,
  key: RankingKey,
  order: Order,
  scores: Iterable<number>,
  { exact = false, minGeneration }: { exact?: boolean; minGeneration?: number | undefined } = {},
): Promise<Places> {
  const sums = await liveSumsOf(services, key, order, minGeneration);
  return placesWith(services, sums, scores, exact);
}

/** What is pending, of all players or of a segment. Cost: `sumsOf`; of a segment 1 for a page, 0 while in memory. */
export async function liveSumsOf(
  services: ReadingServices,
  key: RankingKey,
  order: Order,
  minGeneration?: number,
): Promise<LiveSums> {
  const { leaderboard, season, segment } = key;
  const sums = await services.live.sumsOf({ leaderboard, season }, order, minGeneration);
  return segment === undefined ? sums : sumsIn(services, sums, segment);
}

async function sumsIn({ db, pages }: ReadingServices, season: SeasonSums, segment: string) {
  const { order, first, readAt } = season;
  const key = { ...season.key, segment };
  const sums = { ...season.segment(segment), key, order, readAt, first, pages: [] };
  const best = bestPossible(order);
  const own = await samePage(db, sums, pageOfScore(db, key, order, best), {
    isWanted: (one) => covers(order, one, best),
    newest: () => pages.pageOf(key, order, best, first.generation),
  });
  return { ...sums, first: own };
}

/** The same with sums that the caller has. Cost: as {@link livePlacesOf} without these. */
export async function placesWith(
  services: ReadingServices,
  sums: LiveSums,
  scores: Iterable<number>,
  exact = false,
): Promise<Places> {
  const places = new Map<number, Place>();
  for (const score of new Set(scores)) places.set(score, await livePlaceOf(services, sums, score, exact));
  const { generation, players, owed_players: owed = 0 } = sums.first;
  const about = { generation, asOf: sums.readAt, players: players + owed + sums.players };
  return knownPlaces({ ...about, freshness: "live", published: sums.first }, places);
}

/** Whether nothing can be said yet, before the first publication; a live answer can. */
export function isUnpublished({ generation, freshness }: Pick<Places, "generation" | "freshness">): boolean {
  return generation === 0 && freshness === "published";
}

async function livePlaceOf({ db, pages }: ReadingServices, sums: LiveSums, score: number, exact: boolean) {
  const { key, order } = sums;
  const page = await samePage(db, sums, pageOfScore(db, key, order, score), {
    isWanted: (one) => covers(order, one, score),
    newest: () => pages.pageOf(key, order, score, sums.first.generation),
  });
  const place = placeInRows(order, page, score);
  const row = (exact ? mergedRowOf(order, page, score) : undefined) ?? owedRowOf(order, page, score);
  if (row === undefined) return doubted(sums.first, shifted(place, pendingAbove(page, sums, score)));
  const better = await countAt(db, sums.readAt, marksBetween(db, key, order, row.score, score));
  return doubted(sums.first, certainly(place, row.above + pendingAbove(page, sums, row.score) + better + 1));
}

/** How many players a query finds, as of a time of the last hour. Cost: 1 read for each 1,000 of them, at least 1. */
async function countAt(db: ReadingServices["db"], at: Timestamp, query: Query): Promise<number> {
  return (await asOf(db, at, (transaction) => transaction.get(query.count()))).data().count;
}

/** A page of the sums' ranking: known, in memory, or read as of the sums' own read time. */
async function samePage(
  db: ReadingServices["db"],
  sums: LiveSums,
  query: Query,
  { isWanted, newest }: { isWanted: (page: Page) => boolean; newest: () => Promise<Page> },
): Promise<Page> {
  const known = sums.pages.find(isWanted);
  if (known !== undefined || sums.first.generation === 0) return known ?? sums.first;
  let page: Page | undefined = await newest();
  if (!isSameRanking(page, sums.first)) {
    const [found] = (await getAt(db, sums.readAt, query)).docs;
    page = found && readPageOf(sums.key, sums.order, found.data());
    if (page === undefined) throw nothingRankedYet(sums.key);
  }
  sums.pages.push(page);
  return page;
}

/**
 * The row with the player at a 0-based offset, with the players above it and in it as they are live. Between two rows,
 * and before and behind all, it is one of the scores that are new since the publication.
 * Cost: 1 read for each page that is not in memory, mostly one.
 */
export async function liveRowAt({ db, pages }: ReadingServices, sums: LiveSums, offset: number) {
  const { key, order } = sums;
  const { players, generation } = sums.first;
  const [best, beyond] = [bestPossible(order), Infinity * Math.sign(bestPossible(order))];
  let target = offset;
  /** The rows on both sides, by published places: the offset is between them once no other row is. */
  let better = { until: 0, low: beyond };
  let worse = { above: players, score: -beyond };
  let nearest: Row = { score: best, low: best, above: 0, players: 0 };
  for (let looks = 0; looks < liveLooksMax && better.until < worse.above; looks++) {
    const at = Math.max(better.until, Math.min(target, worse.above - 1));
    const page = await samePage(db, sums, pageOfOffset(db, key, at), {
      isWanted: (one) => holds(one, at),
      newest: () => pages.pageAt(key, order, at, generation),
    });
    const row = rowOfOffset(page, at);
    if (row === undefined) break;
    const above = row.above + pendingAbove(page, sums, row.score);
    const until = row.above + row.players;
    const below = until + sums.above(nextScore(order, row.low));
    nearest = { ...row, above: Math.min(above, offset), players: Math.max(1, below - above) };
    if (offset < above) {
      worse = row;
      target = row.above - (above - offset);
    } else if (offset >= below) {
      better = { until, low: row.low };
      target = until + (offset - below);
    } else return nearest;
  }
  const { until } = better;
  const found = until < worse.above ? undefined : sums.scoreAt(offset - until, better.low, worse.score);
  return found === undefined ? nearest : { ...found, above: until + found.above };
}

/** Looks for the row of an offset: each comes nearer by as many players as have moved. */
const liveLooksMax = 8;

/** The next worse score that there can be. */
export function nextScore(order: Order, score: number): number {
  return scoreOfKey(order, nextKey(sortKey(order, score)));
}

/** How many players the changes that are not in the page's rows add above a score. */
function pendingAbove(page: Page, sums: LiveSums, score: number): number {
  const owed = (page.owed ?? []).filter((row) => isBetter(sums.order, row.score, score));
  return sums.above(score) + (page.owed_above ?? 0) + owed.reduce((sum, { players }) => sum + players, 0);
}

function shifted(place: Place, by: number): Place {
  const move = (rank: number) => Math.max(1, rank + by);
  const [rank_best, rank_worst] = [move(place.rank_best), move(place.rank_worst)];
  return { ...certainly(place, move(place.rank)), rank_best, rank_worst, exact: place.exact };
}

/** A place whose rank is certain; no more distinct scores are better than players. */
function certainly({ dense_rank: dense }: Place, rank: number): Place {
  return { rank, dense_rank: Math.min(dense, rank), rank_best: rank, rank_worst: rank, exact: true };
}

/**
 * The exact place of a score, at the read time of the page's generation: a current count added to an old page would give
 * a rank that was never true. After an hour, when that time is no longer readable, the place now.
 *
 * Cost: nothing in an exact row; else 1 read for each 1,000 players of the row who are better, at least 1. After
 * an hour, and while the ranking owes players (see placeOf), as {@link livePlacesOf}.
 * @param playersMax of a row for which nobody has asked: in a larger one, and after an hour, the place stays as published.
 */
export async function exactPlaceOf(
  services: ReadingServices,
  { key, order, page }: { key: RankingKey; order: Order; page: Page },
  score: number,
  playersMax = Infinity,
): Promise<Places> {
  const published = placesOn(order, page);
  const place = published.of(score);
  if (place.exact) return published;
  const row = mergedRowOf(order, page, score);
  const isTooOld = services.now() - page.read_at.toMillis() >= readTimeKeptMs;
  const isAsked = playersMax === Infinity;
  if (!isAsked && place.rank_worst - place.rank_best > playersMax) return published;
  // Players who are owed are among the pending changes.
  if (row?.pendingAbove === undefined || isTooOld || (page.owed_players ?? 0) < 0)
    return !isAsked ? published : livePlacesOf(services, key, order, [score], { exact: true });
  const { db } = services;
  const better = await countAt(db, page.read_at, marksBetween(db, key, order, row.score, score));
  const rank = row.above + row.pendingAbove + better + 1;
  return { ...published, asOf: page.read_at, of: () => certainly(place, rank) };
}
