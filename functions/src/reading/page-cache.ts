/**
 * The pages that one instance of the functions has in memory; see page-memory.ts.
 *
 * A missing page is read once for all requests that wait for it. Which page answers a request is known only once it is
 * read. So a request about a place between two known pages waits for the read that is under way between them, and looks
 * again: each read halves what is unknown. A crowd on a cold instance thus costs one read a page, in a number of rounds
 * that is the logarithm of the pages; if the pages are known and due, in one round.
 *
 * A caller who has seen a newer generation than the one in memory makes the cache look for it. Any caller may claim
 * that, so looks that find nothing are a second apart, and all requests in between wait for the next look: an answer is
 * never older than what was published when the request came, at one read a second.
 *
 * A page names the time of its successor. The season may name an earlier one, if the ranking interval was shortened or
 * an admin started a run; that applies once the instance has read the season again.
 */
import { LRUCache } from "lru-cache";
import type { Query, Timestamp } from "../documents/firestore.ts";
import { readPageOf } from "../documents/segment-page.ts";
import { covers, emptyPage, type PageRead } from "../documents/page-bounds.ts";
import { baselinesPath, type RankingKey, rankingName, seasonOfPath } from "../documents/paths.ts";
import { pageOfOffset, pageOfScore } from "../documents/queries.ts";
import { sharedReadsMax } from "../model/limits.ts";
import { bestPossible, isBetter, type Order } from "../model/score.ts";
import { type BoardCache, boardCacheOf } from "../seasons/board.ts";
import { bytesInMemory } from "../world/bytes-in-memory.ts";
import { createSharedReads, type Shared } from "../world/shared-reads.ts";
import { holds } from "./lookup.ts";
import { createPageMemory, type InMemory } from "./page-memory.ts";
import { slimPage } from "./slim-page.ts";
import type { Services } from "../world/services.ts";

export type PageCache = ReturnType<typeof createPageCache>;

/** The pages that an instance has in memory. */
export const pageCacheOf = ({ memory }: Pick<Services, "memory">): PageCache => memory(makePageCache);

const makePageCache = (services: Services) =>
  createPageCache({ ...services, boards: boardCacheOf(services) });

/** The share of an instance's memory for pages: 85 MiB of 512. A page of 1,000 scores takes some 8 KB. */
export const pagesShare = 1 / 6;

/** What a page takes in memory: its own bytes, the name of its ranking, and its place among the others. Pure. */
export const bytesOfPage = (page: PageRead): number => 600 + bytesInMemory(page);

/** Which page a request needs. */
interface PageQuestion {
  /** The name of the ranking (documents/paths.ts). */
  ranking: string;
  /** Where the page that answers lies relative to another page; `here` if it is that page. */
  liesFrom: (page: PageRead) => "before" | "here" | "behind";
  /** Finds that page; or, if one in memory answers but may be too old, one of the published generation. */
  query: (inMemory?: PageRead) => Query;
  /** The page in the document that this query finds; undefined if the document is of other segments. */
  pageIn: (data: Record<string, unknown>, inMemory?: PageRead) => PageRead | undefined;
  /** Queries by score and by offset are not shared. */
  by: "score" | "offset";
  /** The newest generation that the caller has seen. */
  minGeneration: number;
}

interface PageFound {
  /** Undefined where the query finds none. */
  page: PageRead | undefined;
  readTime: Timestamp;
  /** The question whose query found the page: the page answers that question, whatever it covers. */
  question: PageQuestion;
}

/** Rounds of shared reads that find pages: each halves what is unknown of 256. Then each request reads for itself. */
const sharingRoundsMax = 10;

/** Looks that may find nothing new are this far apart, for each ranking: any caller may ask for them. */
export const lookEveryMs = 1_000;

/**
 * How far ahead of a page in memory a generation may be, and how much further for each second of the page's age. Each
 * publication writes page 0, about one write a second: a higher number is made up, or of a ranking that started over.
 */
const generationsAheadMax = 100;
const generationsPerSecondMax = 10;

// eslint-disable-next-line max-lines-per-function -- short functions over one memory
export function createPageCache(
  parts: Pick<Services, "db" | "now" | "sleep" | "memoryBytes"> & { boards: Pick<BoardCache, "peek"> },
) {
  const { db, now, sleep, memoryBytes, boards } = parts;
  const reads = createSharedReads<PageFound>({ now, max: sharedReadsMax, keepMs: 0 });
  const memory = createPageMemory<PageRead>({
    now,
    lastRead: reads.lastRead,
    sizeMax: memoryBytes * pagesShare,
    sizeOf: bytesOfPage,
    dueMsOf,
  });
  const looks = createSharedReads<Shared<PageFound>>({ now, max: sharedReadsMax, keepMs: 0 });
  /** When the last look for a newer generation of a ranking ended, if it found none. */
  const vainMs = new LRUCache<string, number>({ max: sharedReadsMax });

  /** When the successors of the pages in memory are due, as the season in memory says; 0 if they are outdated. */
  function dueMsOf(path: string, { page, readMs }: InMemory<PageRead>): number | undefined {
    const key = seasonOfPath(path);
    // A copy for movement stays as it is.
    if (path.startsWith(baselinesPath(key))) return Infinity;
    const board = boards.peek(key);
    if (board === undefined) return undefined;
    const { season } = board.value;
    const { generation = 0, as_of: asOf } = season?.ranking ?? {};
    if (generation > page.generation) return 0;
    if (season !== undefined && generation === page.generation && asOf?.isEqual(page.as_of) === true)
      // A season that has closed, or sleeps, publishes nothing until the board is read again and says otherwise.
      return season.status === "closed" ? Infinity : (season.next_run_at?.toMillis() ?? Infinity);
    // Either the season was read before the pages, or the ranking was restarted since, or another board has the id.
    return board.beganMs > readMs ? 0 : undefined;
  }

  /** The page that answers a question: in memory, or found by reads that each halve what is unknown. */
  async function ask(question: PageQuestion): Promise<Pick<PageFound, "page" | "readTime">> {
    const asked = reads.lastRead();
    /** Whether a read that began after the question has shown which generation is published. */
    let isTold = false;
    for (let round = 0; ; round++) {
      const inMemory = memory.findWhere(question.ranking, (page) => question.liesFrom(page) === "here");
      if (inMemory !== undefined) {
        if (isTold || !mayBeOutdated(inMemory, question))
          return { page: inMemory, readTime: inMemory.read_at };
        await lookForNewer(question, inMemory, asked);
        isTold = true;
      } else if (round >= sharingRoundsMax) {
        return (await reads.alone(() => read(question))).value;
      } else {
        const { value: found, began } = await reads.get(unknownPartOf(question), () => read(question));
        isTold ||= began > asked;
        if (answers(question, found, isTold)) return found;
      }
    }
  }

  /** Whether what a read has found answers a question; the read may have been for another question. */
  function answers(question: PageQuestion, found: PageFound, isTold: boolean): boolean {
    const { ranking, liesFrom, minGeneration } = question;
    const { page } = found;
    const isNewEnough = isTold || (page?.generation ?? 0) >= minGeneration;
    if (page === undefined) return isNewEnough;
    const isAskedFor = found.question === question || liesFrom(page) === "here";
    return isAskedFor && isNewEnough && page.generation >= generationOf(ranking);
  }

  /** Whether the caller has seen a newer generation than that of a page in memory, or only claims that. */
  function mayBeOutdated(inMemory: PageRead, { ranking, minGeneration }: PageQuestion): boolean {
    return inMemory.generation < minGeneration && mayBePublished(minGeneration, ranking);
  }

  async function read(question: PageQuestion, inMemory?: PageRead): Promise<PageFound> {
    const { ranking, query, pageIn } = question;
    const asked = reads.lastRead();
    const { docs, readTime } = await query(inMemory).get();
    const page = docs[0] && pageIn(docs[0].data(), inMemory);
    if (page !== undefined) memory.keep(ranking, slimPage(page), asked);
    return { page, readTime, question };
  }

  function generationOf(ranking: string): number {
    return memory.kept(ranking).at(-1)?.page.generation ?? 0;
  }

  /** Whether a generation may have been published since the last page in memory was read. */
  function mayBePublished(generation: number, ranking: string): boolean {
    const seconds = Math.max(0, now() - (memory.kept(ranking).at(-1)?.readMs ?? 0)) / 1_000;
    return generation <= generationOf(ranking) + generationsAheadMax + generationsPerSecondMax * seconds;
  }

  /** Loads a page into memory that is new enough for a question, or was read after the question was asked. */
  async function lookForNewer(question: PageQuestion, inMemory: PageRead, asked: number): Promise<void> {
    const { ranking, minGeneration } = question;
    for (let began = 0; began <= asked && generationOf(ranking) < minGeneration;) {
      const { value: look } = await looks.get(ranking, async () => {
        const waitMs = (vainMs.get(ranking) ?? 0) + lookEveryMs - now();
        if (waitMs > 0) await sleep(waitMs);
        const before = generationOf(ranking);
        const found = await reads.alone(() => read(question, inMemory));
        vainMs.set(ranking, generationOf(ranking) > before ? 0 : now());
        return found;
      });
      began = look.began;
    }
  }

  /**
   * The part of a ranking that a question is about, as far as the pages in memory show it, due or not: one page, or the part
   * between two pages. Questions about the same part may have the same page, and wait for one read.
   */
  function unknownPartOf({ ranking, by, liesFrom }: PageQuestion): string {
    const pages = memory.kept(ranking).map(({ page }) => page);
    const { here, before = [], behind = [] } = Object.groupBy(pages, liesFrom);
    if (here?.[0] !== undefined) return `${ranking} ${by} on ${here[0].page}`;
    const numbers = (some: readonly PageRead[]) => some.map(({ page }) => page);
    return `${ranking} ${by} ${Math.max(-1, ...numbers(behind))}-${Math.min(Infinity, ...numbers(before))}`;
  }

  /**
   * The page that covers a score: of the published generation, or of an older one whose successor is not due yet.
   * Before the first publication, an empty page of generation 0, which is not kept.
   *
   * Cost: 1 read, shared by all requests that wait for it; 0 while the page is in memory and not older than
   * `minGeneration`. Of a segment 2 more if the publication is older than the board's segments.
   */
  async function pageOf(key: RankingKey, order: Order, score: number, minGeneration = 0): Promise<PageRead> {
    const found = await askPageOf(key, order, score, minGeneration);
    if (found.page !== undefined) return found.page;
    if (key.segment === undefined) return emptyPage(order, found.readTime);
    // No segment has a page: there is one of the generation published, as nobody in it is in a segment.
    const all = await pageOf({ ...key, segment: undefined }, order, bestPossible(order), minGeneration);
    const { generation, as_of, read_at, next_publish_at } = all;
    const asked = reads.lastRead();
    // A publication in between may have written some.
    const { page } = generation === 0 ? {} : await askPageOf(key, order, score, generation);
    if (page !== undefined) return page;
    const nobody = { ...emptyPage(order, as_of), generation, read_at, next_publish_at };
    if (generation > 0) memory.keep(rankingName(key), nobody, asked);
    return nobody;
  }

  function askPageOf(key: RankingKey, order: Order, score: number, minGeneration: number) {
    return ask({
      ranking: rankingName(key),
      liesFrom: (page) => {
        if (covers(order, page, score)) return "here";
        return isBetter(order, score, page.from_score) ? "before" : "behind";
      },
      query: () => pageOfScore(db, key, order, score),
      pageIn: (data) => readPageOf(key, order, data),
      by: "score",
      minGeneration,
    });
  }

  /**
   * The page with the player at a 0-based offset; beyond the last player any page, as each says how many players there
   * are. Cost: as `pageOf`; 1 more beyond the last player if no page is in memory.
   */
  async function pageAt(key: RankingKey, order: Order, offset: number, minGeneration = 0): Promise<PageRead> {
    const isByOffset = (inMemory?: PageRead) => inMemory === undefined || holds(inMemory, offset);
    const { page } = await ask({
      ranking: rankingName(key),
      liesFrom: (page) => {
        if (holds(page, offset) || page.players <= offset) return "here";
        return offset < page.players_until ? "before" : "behind";
      },
      // Beyond the end, the next generation may have no player there either; its first page shows that.
      query: (page) =>
        isByOffset(page) ? pageOfOffset(db, key, offset) : pageOfScore(db, key, order, bestPossible(order)),
      pageIn: (data, page) => readPageOf(key, order, data, isByOffset(page) ? "offset" : "score"),
      by: "offset",
      minGeneration,
    });
    if (page !== undefined) return page;
    const first = await pageOf(key, order, bestPossible(order), minGeneration);
    // One in memory may still count the player, of a ranking that was published before.
    if (first.players <= offset) return first;
    return pageOf(key, order, bestPossible(order), Math.max(minGeneration, first.generation + 1));
  }

  return {
    pageOf,
    pageAt,
    /**
     * Keeps a page that was read by other means, such as a transaction, unless a newer generation was kept since the
     * request. Costs no read.
     * @param asked the `lastRead` before it was read.
     */
    keep(key: RankingKey, page: PageRead, asked: number): void {
      if (page.generation > 0) memory.keep(rankingName(key), slimPage(page), asked);
    },
    lastRead: reads.lastRead,
    /** The generation of the pages in memory, due or not; 0 if there are none. Costs no read. */
    generationOf: (key: RankingKey) => generationOf(rankingName(key)),
    freshUntilMs: (key: RankingKey, generation: number) => memory.freshUntilMs(rankingName(key), generation),
  };
}
