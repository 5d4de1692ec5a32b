/** What a ranking run reads, all at one read time: pending shards, the published pages, the best players. */
import type { Firestore, QueryDocumentSnapshot, Timestamp, Transaction } from "../firestore.ts";
import type { Definition } from "../model/leaderboard.ts";
import {
  readConcurrencyMax,
  rowBoundMax,
  rowsMax,
  shardsPerPublicationMax,
  shardsPerReadMax,
  splitReadsMax,
} from "../model/limits.ts";
import { pagePath, type SeasonKey, seasonPath } from "../model/paths.ts";
import { allShards, endedShards, entriesBetween, openShards } from "../model/queries.ts";
import { scoreOfKey, sortKey } from "../model/score.ts";
import { storedSeason } from "../model/season.ts";
import { type FoundTop, readTopPlayers } from "../standings/top-document.ts";
import { nextKey } from "./keys.ts";
import { createFold } from "./fold.ts";
import { mergeRows } from "./merge.ts";
import { type Page, readPage, unpackPages } from "./pages.ts";
import { dropEmptyRows, isExact, noRows, type Rows } from "./rows.ts";
import type { Bill } from "./run-record.ts";
import { addShard, noSums, type ShardSums } from "./shard-sums.ts";
import { splitRows, wideRows } from "./split.ts";

/** A shard document as far as publication needs it: what to delete, and only if it is still the same. */
export interface FoldedShard {
  path: string;
  updateTime: Timestamp;
}

/** Everything for the next generation, as of one read time. */
export interface Snapshot {
  readAt: Timestamp;
  /** The next ranking, merged where it needs to be. */
  rows: Rows;
  /**
   * Where rows are merged: the changes that were pending at the read time and are not in `rows`, as rows of
   * positive or negative counts. An exact rank at the read time needs them.
   */
  pending: Rows | undefined;
  /** The generation that was found; 0 before the first. */
  generation: number;
  /** Page 0 as it was found, the guard of the publication; nothing before the first. */
  firstPage: { updateTime: Timestamp; pages: number } | undefined;
  shards: FoldedShard[];
  /** Whether more shards are pending than one publication takes. */
  more: boolean;
  top: FoundTop;
  /** What the folded shards added up to, on top of what was published. */
  sums: ShardSums;
}

interface What {
  key: SeasonKey;
  definition: Definition;
  /** Shards of slots that end by then are folded; all of them where it is missing. */
  slotsEndedByMs: number | undefined;
}

/**
 * Reads and folds, or finds that nothing is pending.
 *
 * The read-only transaction takes no locks and gives every document as of one moment, so that the result is a
 * ranking that was true then. Shard documents are decoded 20 at a time and dropped.
 *
 * Cost: the shards (at least 1), where rows are merged also those of slots that have not ended and the players of
 * rows that have become too wide, the pages, the top, its players and 1 for each 1,000 of these; before the first
 * publication 1 for the season; where nothing is pending 1 in all.
 * @param bill what is read is added to it, also by an attempt that fails.
 */
export async function readAndFold(db: Firestore, what: What, bill: Bill): Promise<Snapshot | undefined> {
  return db.runTransaction((transaction) => readInTransaction(db, transaction, what, bill), {
    readOnly: true,
  });
}

async function readInTransaction(
  db: Firestore,
  transaction: Transaction,
  what: What,
  bill: Bill,
): Promise<Snapshot | undefined> {
  const shards = createShardReader(db, transaction, what, bill);
  let chunk = await shards.next();
  if (chunk.length === 0) return undefined;

  const { key, definition } = what;
  const published = await readPublished(db, transaction, key, bill);
  if (published.pages[0]?.source === "count") throw countedBefore(key);
  const fold = createFold(definition.order, unpackPages(definition.order, published.pages));
  const folded: FoldedShard[] = [];
  const sums = { ...noSums(), unusable: published.pages[0]?.unusable_scores ?? 0 };
  for (; chunk.length > 0; chunk = await shards.next()) {
    for (const document of chunk) {
      addShard(fold, sums, document.data());
      folded.push({ path: document.ref.path, updateTime: document.updateTime });
    }
  }
  const all = fold.finish();
  const more = folded.length >= shardsPerPublicationMax;
  const isMerged = all.scores.length > rowsMax || !isExact(all);
  const pending = isMerged && !more ? await readPending(db, transaction, what, bill) : undefined;
  const merged = mergeRows(dropEmptyRows(definition.order, all, pending), rowsMax);
  const rows = await splitWide(db, transaction, what, merged, pending, bill);
  const top = await readTopPlayers(db, transaction, what, bill);
  return {
    readAt: top.readAt,
    rows,
    pending,
    generation: published.pages[0]?.generation ?? 0,
    firstPage: published.firstPage,
    shards: folded,
    more,
    top,
    sums,
  };
}

/**
 * Rows without merged ones that have become too wide: see split.ts.
 * Cost: 1 read for each player of these rows, at most 250,000.
 */
async function splitWide(
  db: Firestore,
  transaction: Transaction,
  { key, definition: { order } }: What,
  rows: Rows,
  pending: Rows | undefined,
  bill: Bill,
): Promise<Rows> {
  const wide = pending === undefined ? [] : wideRows(rows, rowBoundMax, splitReadsMax);
  if (pending === undefined || wide.length === 0) return rows;
  const queries = wide.map((row) => {
    const from = rows.scores[row] ?? NaN;
    const until = scoreOfKey(order, nextKey(sortKey(order, rows.lows[row] ?? NaN)));
    return entriesBetween(db, key, order, from, until).select("score");
  });
  const held: number[] = [];
  for (let i = 0; i < queries.length; i += readConcurrencyMax) {
    const some = queries.slice(i, i + readConcurrencyMax);
    for (const found of await Promise.all(some.map((query) => transaction.get(query)))) {
      bill.reads += Math.max(1, found.size);
      held.push(...found.docs.map((entry) => entry.get("score") as number));
    }
  }
  return mergeRows(splitRows(order, rows, wide, held, pending), rowsMax);
}

/** The changes in slots that have not ended, which the next generation leaves out. */
async function readPending(
  db: Firestore,
  transaction: Transaction,
  { key, definition, slotsEndedByMs }: What,
  bill: Bill,
): Promise<Rows> {
  const fold = createFold(definition.order, noRows);
  if (slotsEndedByMs === undefined) return fold.finish();
  const found = await transaction.get(openShards(db, key, slotsEndedByMs));
  bill.reads += Math.max(1, found.size);
  const sums = noSums();
  for (const document of found.docs) addShard(fold, sums, document.data());
  return fold.finish();
}

/** Gives the pending shards in chunks, at most as many in all as one publication takes. */
function createShardReader(
  db: Firestore,
  transaction: Transaction,
  { key, slotsEndedByMs }: What,
  bill: Bill,
) {
  let left = shardsPerPublicationMax;
  let last: QueryDocumentSnapshot | undefined;
  let done = false;
  return {
    async next(): Promise<QueryDocumentSnapshot[]> {
      const limit = Math.min(left, shardsPerReadMax);
      if (done || limit === 0) return [];
      const query =
        slotsEndedByMs === undefined
          ? allShards(db, key, limit)
          : endedShards(db, key, slotsEndedByMs, limit);
      const found = await transaction.get(last === undefined ? query : query.startAfter(last));
      bill.reads += Math.max(1, found.size);
      left -= found.size;
      last = found.docs.at(-1);
      done = found.size < limit;
      return found.docs;
    },
  };
}

/**
 * The published pages, all of one generation, and whether the season was opened: it has no document before its first
 * score. @throws if one is missing: see {@link damaged}.
 */
export async function readPublished(
  db: Firestore,
  transaction: Transaction,
  key: SeasonKey,
  bill: Bill,
): Promise<{ pages: Page[]; firstPage: Snapshot["firstPage"]; isOpened: boolean }> {
  const first = await transaction.get(db.doc(pagePath(key, 0)));
  bill.reads += 1;
  if (!first.exists || first.updateTime === undefined) {
    const season = await transaction.get(db.doc(seasonPath(key)));
    bill.reads += 1;
    const generation = season.exists ? storedSeason.parse(season.data()).ranking.generation : 0;
    if (generation > 0) throw damaged(key, `page 0 of generation ${generation} is missing`);
    return { pages: [], firstPage: undefined, isOpened: season.exists };
  }
  const firstPage = readPage(first.data());
  const refs = Array.from({ length: firstPage.pages - 1 }, (_, i) => db.doc(pagePath(key, i + 1)));
  const others = refs.length === 0 ? [] : await transaction.getAll(...refs);
  bill.reads += refs.length;
  const pages = [firstPage];
  for (const document of others) {
    if (!document.exists)
      throw damaged(key, `page ${document.id} of generation ${firstPage.generation} is missing`);
    const page = readPage(document.data());
    if (page.generation !== firstPage.generation) {
      throw damaged(
        key,
        `page ${document.id} is of generation ${page.generation}, page 0 of ${firstPage.generation}`,
      );
    }
    pages.push(page);
  }
  return { pages, firstPage: { updateTime: first.updateTime, pages: firstPage.pages }, isOpened: true };
}

/** Counts know nothing of single scores: changes cannot be added to them. */
function countedBefore(key: SeasonKey): Error {
  return new Error(
    `The published ranking of ${seasonPath(key)} was counted, and its board has the source "index" now. ` +
      "Nothing was published; rebuildSeason with full: true indexes all players and ranks from there.",
  );
}

/** Folding onto a ranking with a hole would publish wrong ranks; the last good pages stay up instead. */
function damaged(key: SeasonKey, what: string): Error {
  return new Error(
    `The published ranking of ${seasonPath(key)} is damaged: ${what}. Nothing was published; ` +
      "the season must be rebuilt from its index entries.",
  );
}
