/**
 * Ranks that are more precise than a page alone: `exact` inside a merged row, and `live` between publications.
 *
 * Both are sums of parts that belong to one moment. A merged row says how many players are above it, but not how its
 * own are ordered; a `count()` of the index entries between its best score and the requested one gives that. Taken at
 * the publication's own read time, plus what was pending above the row at that time (the page stores it), this is the
 * rank that a full sort would have given then. Adding a current count to an old page would give a rank that was never
 * true.
 */
import type { Firestore, Query, QueryDocumentSnapshot, Transaction } from "../documents/firestore.ts";
import { type Page, readPage } from "../documents/page.ts";
import { inChunks } from "../documents/in-chunks.ts";
import { pagePath, type SeasonKey, seasonPath } from "../documents/paths.ts";
import { readShard } from "../documents/shard.ts";
import { entriesBetween, pageOfScore, pendingShards, playersBetween } from "../documents/queries.ts";
import { nothingRankedYet } from "../model/errors.ts";
import { readTimeKeptMs, shardsPerReadMax } from "../model/limits.ts";
import { isBetter, type Order } from "../model/score.ts";
import { isLeftOnPage } from "../ranking/left-to-counts.ts";
import { mergedRowOf, owedRowOf, type Place, placeInRows } from "./lookup.ts";
import type { ReadingServices } from "./page-cache.ts";
import { emptyPage } from "./page-memory.ts";
import { publishedPlace, type DatedPlace } from "./rank.ts";

/**
 * The exact place of a score, at the read time of the page's generation. After an hour that time is no longer readable:
 * then the place now, or on a board of the source `count` the place in the page.
 *
 * Cost: nothing in an exact row; else 1 read for each 1,000 players of the row who are better, at least 1. After
 * an hour, and while the ranking owes players (see placeOf), as {@link livePlace}.
 */
export async function exactPlace(
  services: ReadingServices,
  key: SeasonKey,
  order: Order,
  page: Page,
  score: number,
): Promise<DatedPlace> {
  const row = mergedRowOf(order, page, score);
  const published = publishedPlace(order, page, score);
  if (published.place.exact) return published;
  // The owed players are among the pending changes.
  if (row === undefined) return livePlace(services, key, order, score, true);
  const isKept = services.now() - page.read_at.toMillis() < readTimeKeptMs;
  const isCounted = page.source === "count";
  if (row.pendingAbove === undefined || !isKept || (page.owed_players ?? 0) < 0) {
    return isCounted ? published : livePlace(services, key, order, score, true);
  }
  const between = isCounted ? playersBetween : entriesBetween;
  const better = await services.db.runTransaction(
    (transaction) => countOf(transaction, between(services.db, key, order, row.score, score)),
    { readOnly: true, readTime: page.read_at },
  );
  const rank = row.above + row.pendingAbove + better + 1;
  return { ...published, place: certainly(published.place, rank), asOf: page.read_at };
}

/**
 * The place of a score with everything indexed so far: the published page plus all pending shards, in one read-only
 * transaction. `dense_rank` stays that of the publication. For a counted ranking, and where the index was left to counts,
 * this is the published place: an instance may believe for a minute that the board has its index. The page is kept in
 * memory.
 *
 * Cost: the page, the pending shard documents (at least 1), and page 0 if the score is on another page, or before the
 * first publication the season; with `exact`, in a merged row, as {@link exactPlace}, and so in a merged row that owes
 * players, where the changes alone do not tell who is better.
 * @throws `player_not_ranked` if there is no page: before the first publication where the index was left to counts, and
 * where somebody has deleted the pages.
 */
export async function livePlace(
  { db, pages }: ReadingServices,
  key: SeasonKey,
  order: Order,
  score: number,
  exact: boolean,
): Promise<DatedPlace> {
  return db.runTransaction(
    async (transaction) => {
      const asked = pages.mark();
      const found = await transaction.get(pageOfScore(db, key, order, score));
      const document = found.docs[0];
      const page = document === undefined ? emptyPage(order, found.readTime) : readPage(document.data());
      pages.keep(key, page, asked);
      // Shards left over from an index do not belong to a counted ranking.
      if (page.source === "count") return publishedPlace(order, page, score);
      const { isLeft, isLost } = await standingOf(db, transaction, key, document);
      if (isLost || (isLeft && page.generation === 0)) throw nothingRankedYet(key);
      if (isLeft) return publishedPlace(order, page, score);
      const row = (exact ? mergedRowOf(order, page, score) : undefined) ?? owedRowOf(order, page, score);
      const shards = pendingShards(db, key, { from: page.shards_from });
      const pending = await sumPending(transaction, shards, order, page, row?.score ?? score);
      const place = placeInRows(order, page, score);
      const players = page.players + pending.players;
      const common = {
        players,
        freshness: "live" as const,
        asOf: found.readTime,
        generation: page.generation,
      };
      if (row === undefined) return { ...common, place: shifted(place, pending.above) };
      const better = await countOf(transaction, entriesBetween(db, key, order, row.score, score));
      return { ...common, place: certainly(place, row.above + pending.above + better + 1) };
    },
    { readOnly: true },
  );
}

/**
 * Whether the index of a page was left to counts: page 0 says so, and before the first publication the season. And whether
 * there is no page although the season was published: somebody has deleted it.
 */
async function standingOf(
  db: Firestore,
  transaction: Transaction,
  key: SeasonKey,
  page: QueryDocumentSnapshot | undefined,
): Promise<{ isLeft: boolean; isLost: boolean }> {
  const path = page === undefined ? seasonPath(key) : pagePath(key, 0);
  const document = page?.ref.path === path ? page : await transaction.get(db.doc(path));
  const isLost = page === undefined && Number(document.get("ranking.generation") ?? 0) > 0;
  return { isLeft: isLeftOnPage(document.data() ?? {}), isLost };
}

/** How many players the changes that are not yet in the page's rows add above a score, and in all. */
async function sumPending(
  transaction: Transaction,
  pending: Query,
  order: Order,
  page: Page,
  score: number,
): Promise<{ above: number; players: number }> {
  const sum = { above: page.owed_above ?? 0, players: page.owed_players ?? 0 };
  for (const owed of page.owed ?? []) if (isBetter(order, owed.score, score)) sum.above += owed.players;
  for await (const shards of inChunks(pending, shardsPerReadMax, (query) => transaction.get(query))) {
    for (const [changed, delta] of shards.flatMap((shard) => readShard(shard.data()).changes)) {
      sum.players += delta;
      if (isBetter(order, changed, score)) sum.above += delta;
    }
  }
  return sum;
}

async function countOf(transaction: Transaction, query: Query): Promise<number> {
  return (await transaction.get(query.count())).data().count;
}

/** The distinct better scores of the publication, but no more than there are better players. */
function denseAt({ dense_rank: dense }: Place, rank: number): number {
  return Math.min(dense, rank);
}

/** A place with its ranks moved by some players, and the same uncertainty. */
function shifted(place: Place, by: number): Place {
  const move = (rank: number) => Math.max(1, rank + by);
  return {
    ...place,
    dense_rank: denseAt(place, move(place.rank)),
    rank: move(place.rank),
    rank_best: move(place.rank_best),
    rank_worst: move(place.rank_worst),
  };
}

function certainly(place: Place, rank: number): Place {
  const dense = denseAt(place, rank);
  return { ...place, rank, dense_rank: dense, rank_best: rank, rank_worst: rank, exact: true };
}
