/**
 * What is pending, as an instance remembers it for live ranks (live.ts): the sums of a season's shard documents, read
 * with page 0 in one read-only transaction. It reads only when somebody asks, at most every 5 seconds, and for all who
 * ask. Where many documents are pending it reads them less often, so that all seasons together cost an instance 1,000 reads
 * a minute in the long run. The first read of a season, and the first after a publication or a pause, come at once. Seasons
 * that nobody has opened have a budget of their own: whoever makes up names of boards delays no other board's ranks.
 */
import { LRUCache } from "lru-cache";
import type { Query, Timestamp } from "../documents/firestore.ts";
import { inChunks, readTogether } from "../documents/reads.ts";
import { readPage } from "../documents/page.ts";
import { emptyPage, type PageRead } from "../documents/page-bounds.ts";
import { pagePath, type RankingKey, type SeasonKey, seasonPath } from "../documents/paths.ts";
import { pendingShards } from "../documents/queries.ts";
import { nothingRankedYet } from "../model/errors.ts";
import { liveMsMax, liveReadsPerMinuteMax, readTimeKeptMs, shardsPerReadMax } from "../model/limits.ts";
import { bestPossible, isBetter, type Order } from "../model/score.ts";
import { firstWhere } from "../model/search.ts";
import { noRows, type Rows } from "../ranking/rows.ts";
import { foldPending } from "../ranking/shards.ts";
import type { PageRow } from "./lookup.ts";
import { pageCacheOf } from "./page-cache.ts";
import type { Services } from "../world/services.ts";

/** What was pending at one moment, and the ranking that it was pending for. */
export interface LiveSums extends Pending {
  key: RankingKey;
  order: Order;
  /** The first page, or of a segment any; before the first publication an empty one of generation 0. */
  first: PageRead;
  readAt: Timestamp;
  /** Pages of the same ranking that were needed so far. */
  pages: PageRead[];
}

export interface Pending {
  /** Players more, or fewer, than in the pages. */
  players: number;
  /** Of these, how many have a better score than this one. */
  above(score: number): number;
  /** Of the scores between two, which no row covers, the first up to which these are more than so many. */
  scoreAt(count: number, better: number, worse: number): PageRow | undefined;
}

export interface SeasonSums extends LiveSums {
  segment(segment: string): Pending;
}

type Budget = "opened" | "unopened";

interface SumsKept extends SeasonSums {
  beganMs: number;
  /** Whether the season is there decides which budget it is read from. */
  budget: Budget;
  /** In how much time the budget allows what the read has cost. */
  costMs: number;
  bytes: number;
}

/** Bytes of the sums that an instance keeps, of all seasons together. */
const liveBytesKeptMax = 32 * 1_048_576;
/** Of a season, and of each score in the sums of all players. */
const bytesOfSeason = 1_024;
const bytesOfScore = 24;

/** Seasons whose read failed: more than are asked for within a minute. */
const failuresKeptMax = 100;

/** The sums that an instance has in memory. */
export const liveReadsOf = ({ memory }: Pick<Services, "memory">) => memory(createLiveReads);

function createLiveReads(services: Services) {
  const { now } = services;
  const pages = pageCacheOf(services);
  const memory = new LRUCache<string, SumsKept>({
    maxSize: liveBytesKeptMax,
    // A season that fills it alone is kept too: else each question would read it again.
    sizeCalculation: ({ bytes }) => Math.min(bytes, liveBytesKeptMax),
  });
  const reads = createReads(services);

  const isYoung = ({ beganMs }: SumsKept, atMs = now()) => atMs - beganMs < liveMsMax;

  /**
   * Whether older sums are used, as new ones cost too much, and their time can still be read at: for the time that their
   * own reading takes of the budget, and until they are older than what the instance has overdrawn. So no season waits for
   * others that are asked for more often.
   */
  const isFrugal = ({ beganMs, costMs, budget }: SumsKept) =>
    now() - beganMs < Math.min(Math.max(costMs, reads.nextMs(budget) - now()), readTimeKeptMs);

  async function again(key: SeasonKey, order: Order): Promise<SumsKept> {
    const kept = await reads.again(key, order);
    memory.set(seasonPath(key), kept);
    return kept;
  }

  async function isOvertaken(sums: SumsKept, minGeneration: number): Promise<boolean> {
    const { key, order, first } = sums;
    const atLeast = Math.max(minGeneration, pages.generationOf(key));
    if (atLeast <= first.generation && isYoung(sums)) return false;
    // Anybody may claim to have seen a generation: the pages' memory knows what it costs to find out.
    return (await pages.pageOf(key, order, bestPossible(order), atLeast)).generation > first.generation;
  }

  return {
    /**
     * A season's sums. Cost: page 0 and the pending shard documents, at least 1 for these, 0 while in memory or being read;
     * before the first publication 1 more.
     * @throws `player_not_ranked` where somebody has deleted the pages.
     */
    async sumsOf(key: SeasonKey, order: Order, minGeneration = 0): Promise<SeasonSums> {
      const askedMs = now();
      const serves = (kept: SumsKept) => isYoung(kept, askedMs) || isFrugal(kept);
      const kept = memory.get(seasonPath(key));
      let sums = kept !== undefined && serves(kept) ? kept : await again(key, order);
      // It may have been under way for long when this question joined it.
      if (!serves(sums)) sums = await again(key, order);
      // A read that was under way may have begun before the publication.
      for (let looks = 0; looks < 2 && (await isOvertaken(sums, minGeneration)); looks++)
        sums = await again(key, order);
      return sums;
    },
    /** The sums in memory, if they are at most 5 seconds old. Costs nothing. */
    peek(key: SeasonKey): SeasonSums | undefined {
      const kept = memory.get(seasonPath(key));
      return kept !== undefined && isYoung(kept) ? kept : undefined;
    },
  };
}

/** Reads of sums within an instance's budget. All who ask for a season meanwhile share a read. */
function createReads(services: Services) {
  const { db, now } = services;
  const pages = pageCacheOf(services);
  const underWay = new Map<string, Promise<SumsKept>>();
  /** Failed reads cost as much, and are not repeated by each question. */
  const failures = new LRUCache<string, { error: unknown; untilMs: number }>({ max: failuresKeptMax });
  /** Until when the reads so far have used up each budget. */
  const nextMs: Record<Budget, number> = { opened: 0, unopened: 0 };

  async function read(key: SeasonKey, order: Order): Promise<SumsKept> {
    const beganMs = now();
    const asked = pages.lastRead();
    const spent: Spent = { reads: 0, budget: "opened" };
    // Counted from its beginning: sums that took long to read are old already.
    const charge = () => {
      const costMs = (spent.reads * 60_000) / liveReadsPerMinuteMax;
      nextMs[spent.budget] = Math.max(nextMs[spent.budget], beganMs) + costMs;
      return costMs;
    };
    try {
      const sums = await readSums(db, key, order, spent);
      pages.keep(key, sums.first, asked);
      return { ...sums, beganMs, budget: spent.budget, costMs: charge() };
    } catch (error) {
      charge();
      failures.set(seasonPath(key), { error, untilMs: nextMs[spent.budget] });
      throw error;
    }
  }

  return {
    nextMs: (budget: Budget) => nextMs[budget],
    async again(key: SeasonKey, order: Order): Promise<SumsKept> {
      const path = seasonPath(key);
      const failure = failures.get(path);
      if (failure !== undefined && now() < failure.untilMs) throw failure.error;
      const reading = underWay.get(path) ?? read(key, order).finally(() => underWay.delete(path));
      underWay.set(path, reading);
      return reading;
    },
  };
}

/** What a read of sums is billed so far, and from which budget it goes. */
interface Spent {
  reads: number;
  budget: Budget;
}

/** Reads the sums, and says what they take in memory. Cost: as `sumsOf`. @param spent is kept up to date */
function readSums(
  db: Services["db"],
  key: SeasonKey,
  order: Order,
  spent: Spent,
): Promise<SeasonSums & { bytes: number }> {
  return readTogether(db, async (transaction) => {
    const found = await transaction.get(db.doc(pagePath(key, 0)));
    spent.reads++;
    if (!found.exists) {
      const season = await transaction.get(db.doc(seasonPath(key)));
      spent.reads++;
      if (!season.exists) spent.budget = "unopened";
      if (Number(season.get("ranking.generation") ?? 0) > 0) throw nothingRankedYet(key);
    }
    const first = found.exists ? readPage(found.data()) : emptyPage(order, found.readTime);
    const shards = pendingShards(db, key, { from: first.shards_from });
    // Final pages are made of the players: what is still pending is in them.
    const get = async (query: Query) => {
      const chunk = await transaction.get(query);
      // A query that finds nothing is billed too.
      spent.reads += Math.max(1, chunk.size);
      return chunk;
    };
    const chunks = first.final !== undefined ? [] : inChunks(shards, shardsPerReadMax, get);
    const { rows, segments } = (await foldPending(order, chunks)).pending;
    return {
      ...pendingIn(order, rows),
      key,
      order,
      first,
      readAt: found.readTime,
      pages: [first],
      segment: (segment) => pendingIn(order, segments.get(segment) ?? noRows),
      bytes: bytesOfSeason + bytesOfScore * rows.scores.length + segments.bytes,
    };
  });
}

/** Sums of changes, sorted by score. */
function pendingIn(order: Order, { scores, players }: Rows): Pending {
  const until = new Float64Array(players.length + 1);
  players.forEach((count, i) => (until[i + 1] = (until[i] ?? 0) + count));
  return {
    players: until.at(-1) ?? 0,
    above: (score) => until[firstWhere(scores, (other) => !isBetter(order, other, score))] ?? 0,
    scoreAt(count, better, worse) {
      const first = firstWhere(scores, (other) => isBetter(order, better, other));
      const end = firstWhere(scores, (other) => !isBetter(order, other, worse));
      const at = first + firstWhere(until.subarray(first + 1, end + 1), (sum) => sum > count);
      const [score, above = 0, through = 0] = [scores[at], until[at], until[at + 1]];
      if (at >= end || score === undefined) return undefined;
      return { score, low: score, above, players: through - above };
    },
  };
}
