/** What a ranking run reads, all at one read time: pending shards, the published pages, the best players. */
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
import { readShard, type ShardContent } from "../documents/shard.ts";
import { readSeason } from "../documents/season.ts";
import { changeBytes } from "../counting/changes.ts";
import { type Definition, segmentNames } from "../model/definition.ts";
import { documentSize } from "../model/document-size.ts";
import { FirerankError } from "../model/errors.ts";
import { changesTakenBytesMax, shardsPerReadMax } from "../model/limits.ts";
import { nextMidnight } from "../model/midnights.ts";
import { isEnded } from "../seasons/open-now.ts";
import { type FoundTop, readTopPlayers } from "../top/document.ts";
import { leftOutIn, unpackPages, unpackSegments } from "./pack-pages.ts";
import { type Days, type Midnights, midnightsOf } from "./baselines.ts";
import {
  type Changes,
  createMarkFold,
  type MarkFold,
  mergeRanked,
  needsNoMerge,
  noneChanged,
  noneRanked,
  type Ranked,
} from "./ranked.ts";
import {
  addShard,
  foldPending,
  noChanges,
  noSums,
  searchFrom,
  shardDocuments,
  type ShardSums,
  type SlotChanges,
} from "./shards.ts";
import { splitWide } from "./split-wide.ts";

/** Everything for the next generation, at one read time. */
export interface Snapshot extends Taken {
  readAt: Timestamp;
  ranked: Ranked;
  /** Where rows are merged: the changes pending at the read time, not in `ranked`. An exact rank at that time needs them. */
  pending: Changes | undefined;
  generation: number;
  /** Up to when the published ranking has every change, but for those that come late. */
  publishedMs: number;
  /** Page 0 as found, which is the guard of the publication; undefined before the first. */
  firstPage: { updateTime: Timestamp; pages: number; segmentPages: number } | undefined;
  top: FoundTop;
  midnights: Midnights | undefined;
}

interface Taken {
  /** Folded documents that are deleted if they have not changed. */
  shards: { path: string; updateTime: Timestamp }[];
  /** Changes folded from documents that stay, as writers still use them: their opposite is added beside them. */
  taken: SlotChanges[];
  /** The sums of both, in a snapshot on top of what was published. */
  sums: ShardSums;
  /** Whether slots are left over because one publication does not take them all. */
  more: boolean;
  /** On a board that keeps movement: the first midnight that the generation must not include. */
  untilMs: number;
  /** Whether the publication had no room to delete all documents of its slot, so that some are among `taken`. */
  isOverfull: boolean;
}

/** The result where there is no {@link Snapshot}. A slot of too many shard documents, by its end, has to be joined. */
export type NoSnapshot = "nothing pending" | { tooManyInSlot: number };

/** What a publication may delete. */
export interface Room {
  documents: number;
  bytes: number;
}

export interface What {
  key: SeasonKey;
  definition: Definition;
  /** Where the first search begins, as memory has it. If it finds some, the pages have the bound that counts. */
  shardsFrom: Timestamp | null;
  /** Shards of slots that end by then are folded; all of them if it is undefined. */
  slotsEndedByMs: number | undefined;
  /** The end of the slot whose documents were joined last: it is taken, however many are left. */
  joinedMs: number;
  room: Room;
  /** Whether Firestore has refused a commit of this run as too big. */
  wasRefused: boolean;
  days: Days | undefined;
  /** Whether a document's slot has not ended. */
  isOpen: (document: QueryDocumentSnapshot) => boolean;
  /** Whether a document must stay where it is: its writers were faster before. */
  stays: (document: QueryDocumentSnapshot) => boolean;
}

interface Reading extends What {
  db: Firestore;
  transaction: Transaction;
}

/**
 * Reads and folds, or finds that nothing is pending.
 *
 * The read-only transaction takes no locks and reads every document as of one moment, so the ranking was true then. Shard
 * documents are decoded 20 at a time and dropped. Slots are taken whole, the oldest first: see model/slot.ts.
 *
 * Cost: the shards (at least 1), where rows are merged also those of slots that have not ended and the players of rows
 * that have become too wide, the pages, the top, its players and 1 for each 1,000 of these; before the first
 * publication 1 for the season; where nothing is pending 1 in all; where the pages have an earlier bound than memory, up
 * to 20 shards once more.
 * @throws `contention` where documents that stay have more changes than one commit can take from them.
 */
export function readAndFold(db: Firestore, what: What): Promise<Snapshot | NoSnapshot> {
  return readTogether(db, (transaction) => readInTransaction({ ...what, db, transaction }));
}

async function readInTransaction(reading: Reading): Promise<Snapshot | NoSnapshot> {
  const { db, transaction, key, shardsFrom, slotsEndedByMs } = reading;
  const { order } = reading.definition;
  const shardsAfter = (from: Timestamp | null) =>
    inChunks(pendingShards(db, key, { from, byMs: slotsEndedByMs }), shardsPerReadMax, (query) =>
      transaction.get(query),
    );
  let chunks = shardsAfter(shardsFrom);
  let { value: chunk } = await chunks.next();
  if (chunk === undefined) return "nothing pending";

  const { pages, published, firstPage, hasEnded } = await readPublished(reading);
  if (hasEnded) return "nothing pending";
  const fold = createMarkFold(order, published);
  const publishedMs = pages[0]?.as_of.toMillis() ?? -Infinity;
  const slots = createSlotTaker(fold, reading, publishedMs);
  const from = searchFrom(pages[0], shardsFrom);
  if (from !== shardsFrom) {
    chunks = shardsAfter(from);
    ({ value: chunk } = await chunks.next());
  }
  while (chunk !== undefined && slots.hasRoom()) {
    for (const document of chunk) slots.add(document);
    ({ value: chunk } = await chunks.next());
  }
  const { tooManyInSlot, sums, firstMs, ...taken } = slots.finish();
  if (tooManyInSlot !== undefined) return { tooManyInSlot };
  const all = fold.finish({ names: segmentNames(reading.definition) });
  const pending = needsNoMerge(all) || taken.more ? undefined : await readPending(reading);
  const merged = mergeRanked(all);
  const ranked =
    pending === undefined
      ? merged
      : { ...merged, rows: await splitWide({ ...reading, order }, merged.rows, pending.rows) };
  const top = await readTopPlayers(db, transaction, reading);
  const { generation = 0, unusable_scores: unusable = 0 } = pages[0] ?? {};
  sums.unusable += unusable;
  const midnights = reading.days && midnightsOf(reading.days, pages, firstMs);
  return {
    ...taken,
    readAt: top.readAt,
    publishedMs,
    ranked,
    pending,
    generation,
    firstPage,
    top,
    sums,
    midnights,
  };
}

/**
 * Folds documents slot by slot. A slot's sums wait until its last document has been read. The slot is then taken if the
 * publication can also delete its documents.
 *
 * On a board that keeps movement no generation has slots of two days: what a midnight ends is published alone, so that
 * these pages are the ranking of that midnight. What came late to slots of before goes with the day published last.
 *
 * The first slot, once joined, is taken in any case. If Firestore has refused that, documents of it that there is no
 * room for stay, and its changes are taken out of them, as many as one commit holds. Later the run, or the next, finds
 * documents whose sum is zero, and joins them.
 */
// eslint-disable-next-line max-lines-per-function -- short functions over one slot under way
function createSlotTaker(fold: MarkFold, what: What, publishedMs: number) {
  const { key, joinedMs, room, wasRefused, days, isOpen, stays } = what;
  const none = { shards: [], taken: [], sums: noSums(), more: false, isOverfull: false };
  const all: Taken = { ...none, untilMs: Infinity };
  /** When the oldest slot began that is not in the ranking yet, or not whole as documents of it came late. */
  let firstMs = Infinity;
  /** The end of the first slot, if it has to be joined. */
  let tooManyInSlot: number | undefined;
  const used: Room = { documents: 0, bytes: 0 };
  let slot: ReturnType<typeof begin> | undefined;
  let slotsTaken = 0;
  let bytesTaken = 0;

  function begin(endMs: number) {
    // The sums include those of the slots before.
    const changes = { ...noChanges(endMs), sums: { ...all.sums } };
    return { changes, shards: [] as Snapshot["shards"], taken: noChanges(endMs) };
  }

  function close(): void {
    if (slot === undefined || all.more) return;
    for (const { mark, delta } of slot.changes.changes.values()) fold.add(mark, delta);
    all.sums = slot.changes.sums;
    all.shards = all.shards.concat(slot.shards);
    if (shardDocuments(slot.taken).length > 0) all.taken.push(slot.taken);
    slotsTaken += 1;
    slot = undefined;
  }

  /** Whether one more document can be deleted; at least one can, so that each publication leaves fewer. */
  function canDelete(bytes: number): boolean {
    return used.documents === 0 || (used.documents < room.documents && used.bytes + bytes <= room.bytes);
  }

  function takeFrom(taken: SlotChanges, shard: ShardContent): void {
    bytesTaken += changeBytes(fieldsOf(shard).filter((field) => !taken.changes.has(field)));
    addShard(taken, shard);
    if (bytesTaken > changesTakenBytesMax)
      throw new FirerankError(
        "contention",
        `Scores of ${seasonPath(key)} change too fast for a ranking of the current slot: more than a commit can ` +
          "hold have changed in it. Leave out include_open_slot, or wait for the next run.",
      );
  }

  /** Whether a commit can still hold the opposite of a document's changes. An open slot can wait if it can't. */
  function canTake(document: QueryDocumentSnapshot, shard: ShardContent): boolean {
    return bytesTaken + changeBytes(fieldsOf(shard)) <= changesTakenBytesMax || isOpen(document);
  }

  return {
    hasRoom: () => !all.more,
    add(document: QueryDocumentSnapshot) {
      if (all.more) return;
      const endMs = (document.get("slot_ends_at") as Timestamp).toMillis();
      if (slot?.changes.slotEndMs !== endMs) {
        close();
        if (days !== undefined && firstMs === Infinity) {
          firstMs = endMs - days.slotMs;
          all.untilMs = Math.max(endMs, nextMidnight(Math.max(firstMs, publishedMs - 1), days.calendar));
        }
        if (endMs > all.untilMs) {
          all.more = true;
          return;
        }
        slot = begin(endMs);
      }
      const data = document.data();
      const { path } = document.ref;
      const bytes = documentSize(path, data);
      const shard = readShard(data);
      addShard(slot.changes, shard);
      if (stays(document)) {
        takeFrom(slot.taken, shard);
        return;
      }
      if (!canDelete(bytes)) {
        if (slotsTaken > 0 || endMs > joinedMs) {
          all.more = true;
          if (slotsTaken === 0) tooManyInSlot = endMs;
          return;
        }
        all.isOverfull ||= wasRefused;
        if (wasRefused && canTake(document, shard)) {
          takeFrom(slot.taken, shard);
          return;
        }
      }
      slot.shards.push({ path, updateTime: document.updateTime });
      used.documents += 1;
      used.bytes += bytes;
    },
    finish() {
      close();
      return { ...all, tooManyInSlot, firstMs };
    },
  };
}

/** The keys of the marks that a shard document has changes of. */
function fieldsOf({ changes }: ShardContent): string[] {
  return changes.map(({ field }) => field);
}

/** The changes in slots that have not ended, which are not in the next generation. */
async function readPending({ db, transaction, key, definition, slotsEndedByMs }: Reading): Promise<Changes> {
  if (slotsEndedByMs === undefined) return noneChanged;
  const found = await transaction.get(pendingShards(db, key, { from: Timestamp.fromMillis(slotsEndedByMs) }));
  return (await foldPending(definition.order, [found.docs])).pending;
}

/**
 * The published pages, all of one generation; and whether the season has closed, so that a run that remembers it open
 * learns of it here.
 * @throws if a page is missing: see {@link damaged}.
 */
async function readPublished({ db, transaction, key, definition: { order } }: Reading) {
  const first = await transaction.get(db.doc(pagePath(key, 0)));
  if (!first.exists || first.updateTime === undefined) {
    const found = await transaction.get(db.doc(seasonPath(key)));
    const season = found.exists ? readSeason(found.data()) : undefined;
    const generation = season?.ranking.generation ?? 0;
    if (generation > 0) throw damaged(key, `page 0 of generation ${generation} is missing`);
    const hasEnded = season !== undefined && isEnded(season);
    return { pages: [] as Page[], published: noneRanked, firstPage: undefined, hasEnded };
  }
  const firstPage = readPage(first.data());
  const { generation, pages: count, segment_pages: segmentPages = 0 } = firstPage;
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
  };
  const guard = { updateTime: first.updateTime, pages: count, segmentPages };
  return { pages, published, firstPage: guard, hasEnded: firstPage.final === true };
}

/** Folding onto a ranking with a gap would publish wrong ranks. The last good pages stay up instead. */
function damaged(key: SeasonKey, what: string): Error {
  return new Error(
    `The published ranking of ${seasonPath(key)} is damaged: ${what}. Nothing was published; ` +
      "repairSeason makes the ranking anew.",
  );
}
