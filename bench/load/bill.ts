/** What a load costs a day, and how fresh the ranking is. Pure. */
import {
  documentsPerCommitMax,
  liveMsMax,
  liveReadsPerMinuteMax,
  rowsMax,
  shardBytesPerPublicationMax,
  shardCommitsApartMs,
  shardsPerPublicationMax,
  shardsPerReadMax,
  slotGraceSeconds,
  slotMs,
} from "../../functions/src/model/limits.ts";
import { rowsPerPage } from "../../functions/src/ranking/pack-pages.ts";
import { functionTime, type FunctionTime, instances, type Operations, totalOf } from "../../cli/prices.ts";
import { quantile } from "../quantile.ts";
import {
  type Charge,
  documentsOf,
  pageOf,
  player,
  runRecord,
  season,
  shardOf,
  type Stored,
  topOf,
} from "./stored.ts";

export const secondsOfDay = 86_400;
/** Entries of the top document: the default. */
const topSizeDefault = 100;
const slotSeconds = slotMs / 1_000;

/** What one publication takes, in seconds: its reads of pages and top, the fold, a commit of 10 MiB. Assumed. */
export const publicationSeconds = 3;
/** What a query of 20 shard documents takes, in seconds. Assumed. */
const readSeconds = 0.03;

/** What a call of a schedule or trigger is taken to last. */
export const callSeconds = 0.1;

/** What a job is taken to last that reads, writes and deletes so many documents: 2,000 a second. */
export function jobSeconds(documents: number): number {
  return callSeconds + documents / 2_000;
}

/** What commits are taken to last where nothing else is said. */
export const usualCommitSeconds = 0.1;

/**
 * Commits a second of one instance. A lane that is free begins with the first submission that comes, and goes on with all
 * that came meanwhile: of the commits, a share e^(−rate × seconds) finds nothing and waits for one. So a commit has
 * rate × seconds + e^(−rate × seconds) submissions in the mean, until batches are full.
 */
export function commitsPerSecond(changesPerSecond: number, commitSeconds = usualCommitSeconds): number {
  const during = changesPerSecond * commitSeconds;
  return changesPerSecond / Math.min(documentsPerCommitMax, during + Math.exp(-during));
}

/**
 * Shard documents of a slot, of one instance: a document is taken for as long as a commit, and rests for a second. So
 * many are in use in the mean. At some time of the slot there are three deviations more, as far as time is left between
 * commits; as far as they follow each other, there is one more.
 */
export function documentsPerSlot(changesPerSecond: number, commitSeconds = usualCommitSeconds): number {
  const commits = commitsPerSecond(changesPerSecond, commitSeconds);
  const inUse = commits * (commitSeconds + shardCommitsApartMs / 1_000);
  const busy = Math.min(1, commits * commitSeconds);
  return Math.min(commits * slotSeconds, inUse + busy + 3 * (1 - busy) * Math.sqrt(inUse));
}

/** Shard documents that a run finds. */
export function shardDocumentsOf(changesPerSecond: number, intervalSeconds: number): number {
  return (intervalSeconds / slotSeconds) * documentsPerSlot(changesPerSecond);
}

/** A busy board, at rest, whose scores one instance takes. */
export interface BusyBoard {
  /** Changed scores a second. */
  changesPerSecond: number;
  /** Players, all with different scores. */
  players: number;
  intervalSeconds: number;
  /** Entries of the top. */
  topSize?: number;
}

/** Operations of Firestore a day: 1 read and 1 write a change, 1 write a commit, and the runs. */
export function boardOperations(board: BusyBoard): Operations {
  return documentsOf(boardCharges(board));
}

/** The same by the kind of document, as Enterprise edition bills sizes. */
export function boardCharges(board: BusyBoard): Charge[] {
  const changes = board.changesPerSecond * secondsOfDay;
  const commits = commitsPerSecond(board.changesPerSecond) * secondsOfDay;
  // A change is of two scores, the old and the new one.
  const perCommit = shardOf((2 * changes) / commits);
  const folded = foldedOf(board);
  return [
    { on: player, reads: changes, writes: changes },
    // Enterprise edition bills the size that the document has grown to: half of it in the mean.
    { on: { ...folded, bytes: Math.max(perCommit.bytes, folded.bytes / 2) }, writes: commits },
    ...runCharges(board),
  ];
}

function runsOf({ changesPerSecond, intervalSeconds }: BusyBoard): { runs: number; shards: number } {
  const runs = Math.min(secondsOfDay / intervalSeconds, changesPerSecond * secondsOfDay);
  return { runs, shards: Math.max(1, shardDocumentsOf(changesPerSecond, intervalSeconds)) };
}

/** A shard document as a run finds it. */
function foldedOf(board: BusyBoard): Stored {
  const { runs, shards } = runsOf(board);
  return shardOf((2 * board.changesPerSecond * secondsOfDay) / (runs * shards));
}

/** What the runs of a day read, write and delete. */
function runCharges(board: BusyBoard): Charge[] {
  const { changesPerSecond, players, topSize = topSizeDefault } = board;
  const { runs, shards } = runsOf(board);
  const rows = Math.min(players, rowsMax);
  const pages = Math.ceil(rows / rowsPerPage(rows));
  // A run publishes as many slots at once as it can delete.
  const published = runs * Math.ceil(shards / shardsPerPublicationMax);
  // Where rows are merged, a publication reads the shards of the open slot too.
  const open = players > rowsMax ? documentsPerSlot(changesPerSecond) : 0;
  const page = pageOf(rows / pages);
  return [
    { on: foldedOf(board), reads: runs * shards + published * open, deletes: runs * shards },
    { on: page, reads: published * pages, writes: published * pages },
    { on: player, reads: published * topSize },
    { on: topOf(topSize), reads: published, writes: published },
    { on: season, writes: published },
    { on: runRecord, writes: published },
  ];
}

/** What functions are billed a day beside the app's own calls: the schedule once a minute, and a task for each run. */
export function boardFunctions(board: BusyBoard): FunctionTime {
  const { changesPerSecond, intervalSeconds } = board;
  const schedule = functionTime(secondsOfDay / 60, callSeconds, instances.usual);
  const runs = Math.min(secondsOfDay / intervalSeconds, changesPerSecond * secondsOfDay);
  const { reads, writes, deletes } = documentsOf(runCharges(board));
  const tasks = functionTime(runs, jobSeconds((reads + writes + deletes) / runs), instances.usual);
  return totalOf([schedule, tasks]);
}

/** The trigger after each write of a player: it does nothing. */
export function triggerFunctions(changes: number): FunctionTime {
  return functionTime(changes, callSeconds, instances.trigger);
}

/** How an interval's slots are published. */
export interface Published {
  /** Slots in one publication. */
  slotsAtOnce: number;
  /** From the run's start to the last publication, in seconds; more than the interval if the run cannot keep up. */
  seconds: number;
  /** From a submission to its publication, in seconds: 99 of 100 take less. */
  freshnessP99: number;
}

/** What was written to shard documents in one slot. */
export interface Slot {
  documents: number;
  /** If every change has two scores of its own, with seven digits. */
  bytes: number;
}

/** Whether a publication can delete all documents of a slot. Otherwise they are joined first. */
export function fitsCommit({ documents, bytes }: Slot, bytesMax = shardBytesPerPublicationMax): boolean {
  return documents <= shardsPerPublicationMax && bytes <= bytesMax;
}

/** Publishes the slots of an interval, all like this one, which fits a commit. */
export function publishing({ documents, bytes }: Slot, intervalSeconds: number): Published {
  const slots = intervalSeconds / slotSeconds;
  const slotsAtOnce = Math.floor(
    Math.min(shardsPerPublicationMax / documents, shardBytesPerPublicationMax / bytes, slots),
  );
  const reading = Math.ceil((slotsAtOnce * documents) / shardsPerReadMax) * readSeconds;
  const each = publicationSeconds + reading;
  const ages = Array.from({ length: intervalSeconds }, (_, second) => {
    const publication = Math.floor(second / slotSeconds / slotsAtOnce) + 1;
    return intervalSeconds - second + slotGraceSeconds + publication * each;
  });
  return {
    slotsAtOnce,
    seconds: Math.ceil(slots / slotsAtOnce) * each,
    freshnessP99: quantile(ages, 0.99),
  };
}

/** How old `live` ranks get where so many shard documents are pending, in seconds. */
export function liveAge(pending: number): number {
  return Math.max(liveMsMax / 1_000, ((pending + 1) * 60) / liveReadsPerMinuteMax);
}

/** Shard documents that are pending in the mean: those of half an interval, and of the time until they are published. */
export function pendingOf(changesPerSecond: number, intervalSeconds: number): number {
  const seconds = intervalSeconds / 2 + slotGraceSeconds + publicationSeconds;
  return (seconds / slotSeconds) * documentsPerSlot(changesPerSecond);
}
