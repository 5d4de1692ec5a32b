/**
 * Live ranks: the published pages plus everything that was counted since (live-sums.ts).
 *
 * Sums only ever meet pages of their own generation. A page that is missing, and the count that makes a rank in a merged row
 * certain, are read at the sums' own read time: so all parts of an answer belong to one moment.
 */
import type { Query, Timestamp } from "../documents/firestore.ts";
import { covers, type PageRead } from "../documents/page-bounds.ts";
import type { RankingKey } from "../documents/paths.ts";
import { marksBetween, pageOfOffset, pageOfScore } from "../documents/queries.ts";
import { asOf, getAt } from "../documents/reads.ts";
import { readPageOf } from "../documents/segment-page.ts";
import { nothingRankedYet } from "../model/errors.ts";
import { nextKey } from "../model/keys.ts";
import { bestPossible, isBetter, type Order, scoreOfKey, sortKey } from "../model/score.ts";
import type { RankingBoard } from "../seasons/read-board.ts";
import { type LiveSums, type SeasonSums, liveReadsOf } from "./live-sums.ts";
import {
  doubted,
  holds,
  mergedRowOf,
  owedRowOf,
  type Place,
  placeInRows,
  type Places,
  placesKnown,
  type PageRow,
  rowOfOffset,
} from "./lookup.ts";
import { isSameRanking } from "./page-memory.ts";
import type { Ranks, RanksAsked } from "./ranking-view.ts";
import type { Services } from "../world/services.ts";
import { pageCacheOf } from "./page-cache.ts";

/**
 * The live ranks of a ranking, as of the sums that its first question reads. Cost: {@link liveSumsOf}, once; then as
 * {@link livePlaces}, and for a row mostly 1 page.
 * @param remembered sums that the caller has.
 */
export function liveRanks(
  services: Services,
  { key, definition: { order } }: RankingBoard,
  { min_generation: seen = 0, exact = false }: RanksAsked,
  remembered?: LiveSums,
): Ranks {
  let sums = remembered;
  async function sumsOf(atLeast = 0): Promise<LiveSums> {
    if (sums === undefined || sums.first.generation < atLeast)
      sums = await liveSumsOf(services, key, order, Math.max(seen, atLeast));
    return sums;
  }
  return {
    placesOf: async (scores, atLeast) => livePlaces(services, await sumsOf(atLeast), scores),
    placeOf: async (score, _held, atLeast) => livePlaces(services, await sumsOf(atLeast), [score], exact),
    async rowAt(offset, atLeast) {
      const own = await sumsOf(atLeast);
      const ranking = await livePlaces(services, own, []);
      const row = offset < ranking.players ? await liveRowAt(services, own, offset) : undefined;
      return { row, ranking, exact: (own.first.owed_players ?? 0) >= 0 };
    },
  };
}

/** What is pending, of all players or of a segment. Cost: `sumsOf`; of a segment 1 for a page, 0 while in memory. */
export async function liveSumsOf(
  services: Services,
  key: RankingKey,
  order: Order,
  minGeneration = 0,
): Promise<LiveSums> {
  const { leaderboard, season, segment } = key;
  // Pages of a segment may be newer in memory than those of the season: no older generation is answered after them.
  const atLeast = Math.max(minGeneration, pageCacheOf(services).generationOf(key));
  const sums = await liveReadsOf(services).sumsOf({ leaderboard, season }, order, atLeast);
  return segment === undefined ? sums : sumsIn(services, sums, segment);
}

async function sumsIn(services: Services, season: SeasonSums, segment: string) {
  const { db } = services;
  const pages = pageCacheOf(services);
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

/**
 * The places of scores in the ranking that some sums are pending for; `dense_rank` stays as published.
 *
 * Cost: 1 read for each page that is not in memory. With `exact`, for a score in a merged row 1 read for each 1,000 better
 * players of the row, at least 1; without `exact` only where the row owes players (fold.ts), as the changes alone do not
 * tell who is better.
 */
export async function livePlaces(
  services: Services,
  sums: LiveSums,
  scores: Iterable<number>,
  exact = false,
): Promise<Places> {
  const places = new Map<number, Place>();
  for (const score of new Set(scores)) places.set(score, await livePlaceOf(services, sums, score, exact));
  const { generation, players, owed_players: owed = 0 } = sums.first;
  const about = { generation, asOf: sums.readAt, players: players + owed + sums.players };
  return placesKnown({ ...about, freshness: "live", published: sums.first }, places);
}

async function livePlaceOf(services: Services, sums: LiveSums, score: number, exact: boolean) {
  const { db } = services;
  const pages = pageCacheOf(services);
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
export async function countAt(db: Services["db"], at: Timestamp, query: Query): Promise<number> {
  return (await asOf(db, at, (transaction) => transaction.get(query.count()))).data().count;
}

/** A page of the sums' ranking: known, in memory, or read as of the sums' own read time. */
async function samePage(
  db: Services["db"],
  sums: LiveSums,
  query: Query,
  { isWanted, newest }: { isWanted: (page: PageRead) => boolean; newest: () => Promise<PageRead> },
): Promise<PageRead> {
  const known = sums.pages.find(isWanted);
  if (known !== undefined || sums.first.generation === 0) return known ?? sums.first;
  let page: PageRead | undefined = await newest();
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
async function liveRowAt(services: Services, sums: LiveSums, offset: number) {
  const { db } = services;
  const pages = pageCacheOf(services);
  const { key, order } = sums;
  const { players, generation } = sums.first;
  const [best, beyond] = [bestPossible(order), Infinity * Math.sign(bestPossible(order))];
  let target = offset;
  /** The rows on both sides, by published places: the offset is between them once no other row is. */
  let better = { until: 0, low: beyond };
  let worse = { above: players, score: -beyond };
  let nearest: PageRow = { score: best, low: best, above: 0, players: 0 };
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
function pendingAbove(page: PageRead, sums: LiveSums, score: number): number {
  const owed = (page.owed ?? []).filter((row) => isBetter(sums.order, row.score, score));
  return sums.above(score) + (page.owed_above ?? 0) + owed.reduce((sum, { players }) => sum + players, 0);
}

function shifted(place: Place, by: number): Place {
  const move = (rank: number) => Math.max(1, rank + by);
  const [rank_best, rank_worst] = [move(place.rank_best), move(place.rank_worst)];
  return { ...certainly(place, move(place.rank)), rank_best, rank_worst, exact: place.exact };
}

/** A place whose rank is certain; no more distinct scores are better than players. */
export function certainly({ dense_rank: dense }: Place, rank: number): Place {
  return { rank, dense_rank: Math.min(dense, rank), rank_best: rank, rank_worst: rank, exact: true };
}
