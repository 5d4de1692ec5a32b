/** What an attempt reads, all at one read time: pending shards, the published pages, the best players. */
import {
  type Firestore,
  type QueryDocumentSnapshot,
  Timestamp,
  type Transaction,
} from "../documents/firestore.ts";
import { type Page, readPage, storedPage } from "../documents/page.ts";
import { storedSegmentPage } from "../documents/segment-page.ts";
import { documentsAt, inChunks, readTogether } from "../documents/reads.ts";
import { pagePath, type SeasonKey, seasonPath, segmentPagePath } from "../documents/paths.ts";
import { pendingShards } from "../documents/queries.ts";
import { readSeason } from "../documents/season.ts";
import { segmentNames } from "../model/definition.ts";
import { lateCommitMsMax, shardsPerReadMax } from "../model/limits.ts";
import { lastSlotEnd } from "../model/slot.ts";
import type { Board } from "../seasons/read-board.ts";
import { countsNoMore, mayDoze } from "../seasons/open-now.ts";
import { readTopUnlessKept } from "../top/document.ts";
import { staysInPlace } from "./attempts.ts";
import { daysOf, midnightsOf } from "./baselines.ts";
import { withBestTotals } from "./best-totals.ts";
import { leftOutIn, totalsIn, unpackPages, unpackSegments } from "./pack-pages.ts";
import {
  type PendingChanges,
  createMarkFold,
  mergeRanked,
  needsNoMerge,
  noneChanged,
  noneRanked,
} from "./ranked.ts";
import { foldPending, searchFrom } from "./shards.ts";
import { createSlotTaker } from "./slots.ts";
import { splitWide } from "./split-wide.ts";
import type { Attempts, Run, Snapshot, Taken } from "./state.ts";
import { teamSegments } from "./totals.ts";

/**
 * Reads and folds the next ranking, or finds that nothing is pending, or that the documents of the oldest slot have to be
 * joined first, whose end it returns.
 *
 * The read-only transaction takes no locks and reads every document as of one moment, so the ranking was true then. Shard
 * documents are decoded 20 at a time, folded and dropped: all of them together would not fit in memory.
 *
 * Cost: the shards (at least 1), where rows are merged also those of slots that have not ended, the players of rows that
 * have become too wide and some of teams (best-totals.ts), the pages, the top, where a change may show in it its players and
 * 1 for each 1,000 of these; where the season may doze 1 for the open slot; before the first publication 1 for the season;
 * where nothing is pending 1 in all; where the pages have an earlier bound than memory, up to 20 shards once more.
 * @throws `contention` where documents that stay have more changes than one commit can take from them.
 */
export function readAndFold(
  run: Run,
  attempts: Attempts,
): Promise<Snapshot | { slotToJoin: number } | undefined> {
  return readTogether(run.services.db, (transaction) => readInTransaction(run, attempts, transaction));
}

async function readInTransaction(run: Run, attempts: Attempts, transaction: Transaction) {
  const { services, board } = run;
  const { db, now, slotMs, databaseMs } = services;
  const { key, definition } = board;
  const { order } = definition;
  const endedByMs = run.includeOpenSlot ? undefined : lastSlotEnd(now(), slotMs);
  const found = await foldSlots(run, attempts, transaction, endedByMs);
  if (found === undefined) return undefined;
  const { pages, firstPage, fold, taken, days, publishedMs } = found;
  if (taken.slotToJoin !== undefined) return { slotToJoin: taken.slotToJoin };

  const all = fold.finish({ names: segmentNames(definition), teams: teamSegments(definition) });
  const ranked = mergeRanked(all);
  let pending: PendingChanges | undefined;
  if (!needsNoMerge(all) && !taken.more) {
    pending = endedByMs === undefined ? noneChanged : await readOpenSlots(db, transaction, board, endedByMs);
    ranked.rows = await splitWide({ db, transaction, key, order }, ranked.rows, pending.rows);
    ranked.totals = await withBestTotals({ db, transaction }, board, all, pending.segments);
  }
  const top = await readTopUnlessKept(db, transaction, board, taken.changed);
  const { readAt } = top;
  const { generation = 0, unusable_scores: unusableBefore = 0 } = pages[0] ?? {};
  return {
    readAt,
    ranked,
    pending,
    unusable: unusableBefore + taken.sums.unusable,
    ...boundsOf(taken, endedByMs ?? Infinity, publishedMs, readAt, databaseMs(readAt)),
    generation,
    firstPage,
    top,
    mayDoze: await isQuiet(run, transaction, found, endedByMs),
    midnights: midnightsOf(days, pages, taken.firstMs),
    taken,
  };
}

/**
 * Whether the season may doze with the next publication. Cost: 1 read if nothing but a change in the open slot can keep the
 * season awake.
 */
async function isQuiet(
  { services: { db, now }, board, mayRest }: Run,
  transaction: Transaction,
  { pages, taken }: { pages: readonly Page[]; taken: Taken },
  endedByMs: number | undefined,
): Promise<boolean> {
  const { key, season } = board;
  if (!mayRest || season === undefined || endedByMs === undefined || !mayDoze(season, now())) return false;
  const isKnown = season.ranking.generation === (pages[0]?.generation ?? 0);
  if (!isKnown || taken.more || taken.reversed.length > 0) return false;
  const open = pendingShards(db, key, { from: Timestamp.fromMillis(endedByMs) });
  return (await transaction.get(open.limit(1))).empty;
}

/** Reads the published pages, and folds pending slots into them; undefined if nothing is pending, or the season has closed. */
async function foldSlots(
  run: Run,
  attempts: Attempts,
  transaction: Transaction,
  endedByMs: number | undefined,
) {
  const { services, board, shardsFrom } = run;
  const { db, databaseMs } = services;
  const shardsAfter = (from: Timestamp | null) => {
    const query = pendingShards(db, board.key, { from, byMs: endedByMs });
    return inChunks(query, shardsPerReadMax, (some) => transaction.get(some));
  };
  let chunks = shardsAfter(shardsFrom);
  let { value: chunk } = await chunks.next();
  if (chunk === undefined) return undefined;

  const { pages, published, firstPage, isClosed } = await readPublishedPages(db, transaction, board);
  if (isClosed) return undefined;
  const from = searchFrom(pages[0], shardsFrom);
  if (from !== shardsFrom) {
    chunks = shardsAfter(from);
    ({ value: chunk } = await chunks.next());
  }
  const publishedMs = pages[0]?.as_of.toMillis() ?? -Infinity;
  const days = daysOf(services, board);
  const isOpen = (document: QueryDocumentSnapshot) =>
    (document.get("slot_ends_at") as Timestamp).toMillis() > databaseMs(document.readTime);
  const stays = (document: QueryDocumentSnapshot) => staysInPlace(attempts, document, isOpen(document));
  const fold = createMarkFold(board.definition.order, published);
  const slots = createSlotTaker({ run, fold, days, publishedMs, isOpen, stays });
  while (chunk !== undefined && !slots.isDone()) {
    for (const document of chunk) slots.add(document);
    ({ value: chunk } = await chunks.next());
  }
  return { pages, firstPage, fold, taken: slots.finish(), days, publishedMs };
}

/** The changes in slots that have not ended, which are not in the next generation. */
async function readOpenSlots(
  db: Firestore,
  transaction: Transaction,
  { key, definition }: Board,
  endedByMs: number,
): Promise<PendingChanges> {
  const found = await transaction.get(pendingShards(db, key, { from: Timestamp.fromMillis(endedByMs) }));
  return (await foldPending(definition.order, [found.docs])).pending;
}

/**
 * `asOf`: the time up to which every change is included. A part of a backlog has all of its slots, and a generation that
 * ends a day says so. An instance whose clock is ahead also takes the slot that was open when the database read, but
 * nothing later.
 *
 * `shardsFrom`: where the next search may begin. Before it no change can be added any more, and no document has stayed.
 * @param endedByMs when the last slot ended whose shards were looked for. @param readMs `readAt` by the functions' clock.
 */
function boundsOf(
  { more, reversed, sums, untilMs }: Taken,
  endedByMs: number,
  publishedMs: number,
  readAt: Timestamp,
  readMs: number,
): Pick<Snapshot, "asOf" | "shardsFrom"> {
  const foldedMs = Math.min(more ? sums.newestSlotEndMs : endedByMs, untilMs);
  const asOfMs = Math.max(foldedMs, publishedMs);
  const stayingMs = reversed.map(({ slotEndMs }) => slotEndMs - 1);
  return {
    asOf: asOfMs > readMs ? readAt : Timestamp.fromMillis(asOfMs),
    shardsFrom: Timestamp.fromMillis(Math.min(foldedMs, readMs - lateCommitMsMax, ...stayingMs)),
  };
}

/**
 * The published pages, all of one generation; and whether the season has closed, so that a run that remembers it open
 * learns of it here.
 * @throws if a page is missing: see {@link damaged}.
 */
async function readPublishedPages(
  db: Firestore,
  transaction: Transaction,
  { key, definition: { order } }: Board,
) {
  const first = await transaction.get(db.doc(pagePath(key, 0)));
  if (!first.exists || first.updateTime === undefined) {
    const found = await transaction.get(db.doc(seasonPath(key)));
    const season = found.exists ? readSeason(found.data()) : undefined;
    const generation = season?.ranking.generation ?? 0;
    if (generation > 0) throw damaged(key, `page 0 of generation ${generation} is missing`);
    const isClosed = season !== undefined && countsNoMore(season);
    return { pages: [] as Page[], published: noneRanked, firstPage: undefined, isClosed };
  }
  const firstPage = readPage(first.data());
  const { generation, pages: count, segment_pages: segmentPages = 0, teams } = firstPage;
  async function read<Of extends { generation: number }>(
    paths: string[],
    parse: (data: unknown) => Of,
  ): Promise<Of[]> {
    return (await documentsAt(db, paths, transaction)).map((document) => {
      const { path } = document.ref;
      if (!document.exists) throw damaged(key, `${path} of generation ${generation} is missing`);
      const page = parse(document.data());
      if (page.generation === generation) return page;
      throw damaged(key, `${path} is of generation ${page.generation}, page 0 of ${generation}`);
    });
  }
  const others = Array.from({ length: count - 1 }, (_, i) => pagePath(key, i + 1));
  const pages = [firstPage, ...(await read(others, (data) => storedPage.parse(data)))];
  const ofSegments = Array.from({ length: segmentPages }, (_, i) => segmentPagePath(key, i));
  const segments = await read(ofSegments, (data) => storedSegmentPage.parse(data));
  const published = {
    rows: unpackPages(order, pages),
    segments: unpackSegments(order, segments),
    leftOut: leftOutIn(firstPage),
    totals: totalsIn(segments),
  };
  const guard = { updateTime: first.updateTime, pages: count, segmentPages, teams };
  return { pages, published, firstPage: guard, isClosed: firstPage.final !== undefined };
}

/** Folding onto a ranking with a gap would publish wrong ranks. The last good pages stay up instead. */
function damaged(key: SeasonKey, what: string): Error {
  return new Error(
    `The published ranking of ${seasonPath(key)} is damaged: ${what}. Nothing was published; ` +
      "repairSeason makes the ranking anew.",
  );
}
