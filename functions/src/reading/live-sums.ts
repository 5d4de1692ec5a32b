/**
 * What is pending, as an instance remembers it for live ranks (live.ts): the sums of a season's shard documents, read
 * with page 0 in one read-only transaction. It reads only when somebody asks, at most every 5 seconds, and for all who
 * ask. Where many documents are pending it reads them less often, so that all seasons together cost an instance at most
 * 1,000 reads a minute, besides the first read of a season and one after each publication; the read time says how old
 * they are.
 */
import { LRUCache } from "lru-cache";
import type { Timestamp } from "../documents/firestore.ts";
import { inChunks } from "../documents/in-chunks.ts";
import { type Page, readPage } from "../documents/page.ts";
import { pagePath, type SeasonKey, seasonPath } from "../documents/paths.ts";
import { pendingShards } from "../documents/queries.ts";
import { nothingRankedYet } from "../model/errors.ts";
import {
  liveMsMax,
  liveReadsPerMinuteMax,
  readTimeKeptMs,
  sharedReadsMax,
  shardsPerReadMax,
} from "../model/limits.ts";
import { bestPossible, isBetter, type Order } from "../model/score.ts";
import { firstWhere } from "../model/search.ts";
import { createFold } from "../ranking/fold.ts";
import { noRows } from "../ranking/rows.ts";
import { addShard, noSums } from "../ranking/shard-sums.ts";
import { createSharedReads } from "../world/shared-reads.ts";
import type { World } from "../world/world.ts";
import type { PageCache } from "./page-cache.ts";
import { emptyPage } from "./page-memory.ts";

/** What was pending at one moment, and the ranking that it was pending for. */
export interface LiveSums {
  key: SeasonKey;
  order: Order;
  /** Page 0; before the first publication an empty one of generation 0. */
  first: Page;
  readAt: Timestamp;
  /** Players more, or fewer, than in the pages. */
  players: number;
  /** Of these, how many have a better score than this one. */
  above(score: number): number;
  /** Pages of the same ranking that were needed so far. */
  pages: Page[];
}

export type LiveReads = ReturnType<typeof createLiveReads>;

interface Kept extends LiveSums {
  beganMs: number;
  changes: number;
}

type Parts = Pick<World, "db" | "now"> & { pages: PageCache };

/** Scores with pending changes that an instance keeps, of all seasons: about 30 MB. */
const liveChangesKeptMax = 1_000_000;

export function createLiveReads({ db, now, pages }: Parts) {
  const reads = createSharedReads<Kept>({ now, max: sharedReadsMax, keepMs: 0 });
  const memory = new LRUCache<string, Kept>({
    maxSize: liveChangesKeptMax,
    // A season that fills it alone is kept too: else each question would read it again.
    sizeCalculation: ({ changes }) => Math.min(1 + changes, liveChangesKeptMax),
  });
  /** When this instance may read again for sums that it has, as their last reads cost so much. */
  let nextReadMs = 0;

  const isYoung = ({ beganMs }: Kept) => now() - beganMs < liveMsMax;

  async function read(key: SeasonKey, order: Order): Promise<Kept> {
    const beganMs = now();
    const asked = pages.mark();
    const { documents, changes, ...sums } = await readPending(db, key, order);
    // From its beginning on: sums that took long to read are old already, and must not be kept for that.
    nextReadMs = Math.max(nextReadMs, beganMs) + ((documents + 1) * 60_000) / liveReadsPerMinuteMax;
    pages.keep(key, sums.first, asked);
    const kept = { ...sums, beganMs, changes };
    memory.set(seasonPath(key), kept);
    return kept;
  }

  /** Whether older sums have to do, as others cost so much; but not until their time can't be read any more. */
  const isFrugal = ({ beganMs }: Kept) => now() < Math.min(nextReadMs, beganMs + readTimeKeptMs);

  /** Whether a newer generation is known to be published. */
  async function isOvertaken(sums: Kept, minGeneration: number): Promise<boolean> {
    const { key, order, first } = sums;
    const atLeast = Math.max(minGeneration, pages.generationOf(key));
    if (atLeast <= first.generation && isYoung(sums)) return false;
    // Anybody may claim to have seen a generation: the pages' memory knows what it costs to find out.
    return (await pages.pageOf(key, order, bestPossible(order), atLeast)).generation > first.generation;
  }

  return {
    /**
     * A season's sums. Cost: page 0 and the pending shard documents, 0 while in memory or being read; before the first
     * publication 1 more.
     * @param minGeneration a generation that the caller has seen: if it is published, the sums are not of an older one.
     * @throws `player_not_ranked` where somebody has deleted the pages.
     */
    async sumsOf(key: SeasonKey, order: Order, minGeneration = 0): Promise<LiveSums> {
      const path = seasonPath(key);
      const again = async () => (await reads.get(path, () => read(key, order))).value;
      const kept = memory.get(path);
      let sums = kept !== undefined && (isYoung(kept) || isFrugal(kept)) ? kept : await again();
      // A read that was under way may have begun before the publication.
      for (let looks = 0; looks < 2 && (await isOvertaken(sums, minGeneration)); looks++)
        sums = await again();
      return sums;
    },
    /** The sums in memory, if they are at most 5 seconds old. Costs nothing. */
    peek(key: SeasonKey): LiveSums | undefined {
      const kept = memory.get(seasonPath(key));
      return kept !== undefined && isYoung(kept) ? kept : undefined;
    },
  };
}

/** Reads the sums, of so many documents and changes. Cost: 1 read, and 1 for each document; see `sumsOf`. */
function readPending(
  db: World["db"],
  key: SeasonKey,
  order: Order,
): Promise<LiveSums & { documents: number; changes: number }> {
  return db.runTransaction(
    async (transaction) => {
      const found = await transaction.get(db.doc(pagePath(key, 0)));
      if (!found.exists) {
        const season = await transaction.get(db.doc(seasonPath(key)));
        if (Number(season.get("ranking.generation") ?? 0) > 0) throw nothingRankedYet(key);
      }
      const first = found.exists ? readPage(found.data()) : emptyPage(order, found.readTime);
      const fold = createFold(order, noRows);
      const sum = noSums();
      let documents = 0;
      const shards = pendingShards(db, key, { from: first.shards_from });
      // Final pages are made of the players: what is still pending is in them.
      const chunks = first.final ? [] : inChunks(shards, shardsPerReadMax, (query) => transaction.get(query));
      for await (const chunk of chunks) {
        for (const document of chunk) addShard(fold, sum, document.data());
        documents += chunk.length;
      }
      const { scores, players } = fold.finish();
      const until = new Float64Array(players.length + 1);
      players.forEach((count, i) => (until[i + 1] = (until[i] ?? 0) + count));
      return {
        key,
        order,
        first,
        readAt: found.readTime,
        players: until.at(-1) ?? 0,
        above: (score) => until[firstWhere(scores, (other) => !isBetter(order, other, score))] ?? 0,
        pages: [first],
        documents,
        changes: scores.length,
      };
    },
    { readOnly: true },
  );
}
