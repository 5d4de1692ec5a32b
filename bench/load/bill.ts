/** What a load costs a day, and how fresh the ranking is, for both of a board's sources. */
import {
  compactionsAtOnce,
  publicationExtraWrites,
  rowsMax,
  rowsPerPageMax,
  shardsPerCompactionMax,
  shardsPerPublicationMax,
  shardsPerReadMax,
  slotMs,
} from "../../functions/src/model/limits.ts";
import { cost, type Operations, type PricedRegion } from "../../functions/src/model/prices.ts";
import { initialShards } from "../../functions/src/model/shard.ts";
import { countedRows, countReads } from "../../functions/src/ranking/thresholds.ts";
import {
  type Charge,
  documentsOf,
  indexEntry,
  pageOf,
  player,
  runRecord,
  season,
  shardOf,
  topOf,
} from "./stored.ts";

/** Seconds that one publication takes: 12 reads of 20 shards each, the pages, a commit of 500 writes. Assumed. */
export const publicationSeconds = 3;

/** Seconds that a query of 20 shard documents takes, and a commit that joins 250. Assumed. */
const readSeconds = 0.03;
const joiningSeconds = 2;

const secondsOfDay = 86_400;

/** Entries of the top document: the default. */
const topSize = 100;

/** A busy board, at rest. */
export interface BusyBoard {
  /** Changed scores a second. */
  changesPerSecond: number;
  /** Players, all with different scores. */
  players: number;
  intervalSeconds: number;
  /** Shard documents that a run folds. */
  shardDocuments: number;
}

/** From a slot's end until the last of its changes is published, in seconds, beside the grace of 5 s. */
export function publishingSeconds(shardDocuments: number): number {
  if (!isJoined(shardDocuments)) return publicationSeconds;
  const reading = (shardDocuments / shardsPerReadMax) * readSeconds;
  const rounds = Math.ceil(shardDocuments / shardsPerCompactionMax / compactionsAtOnce);
  return reading + rounds * joiningSeconds + publicationSeconds;
}

/** Whether shard documents are joined before the publication, as it cannot delete so many. */
function isJoined(shardDocuments: number): boolean {
  return shardDocuments > shardsPerPublicationMax;
}

/**
 * What a run with too many shard documents does more: it finds some, joins all of them, each 250 into one or two, and
 * reads, writes and deletes these. Nothing if there are few enough.
 */
export function joiningOf(shardDocuments: number): { found: number; joined: number } {
  return isJoined(shardDocuments)
    ? { found: shardsPerPublicationMax, joined: 2 * Math.ceil(shardDocuments / shardsPerCompactionMax) }
    : { found: 0, joined: 0 };
}

/** Shard documents that a run finds, at most one for each change. */
export function shardDocumentsOf(changesPerSecond: number, intervalSeconds: number): number {
  const slots = intervalSeconds / (slotMs / 1_000);
  return Math.min(slots * initialShards(changesPerSecond), Math.ceil(changesPerSecond * intervalSeconds));
}

/** Operations a day of the source `index`: 2 reads and 2 writes a change, and the runs. */
export function indexOperations(board: BusyBoard): Required<Operations> {
  return {
    ...documentsOf(indexCharges(board)),
    invocations: board.changesPerSecond * secondsOfDay,
  };
}

/** The same by the kind of document, as Enterprise edition bills sizes. */
export function indexCharges(board: BusyBoard): Charge[] {
  const { changesPerSecond, players, intervalSeconds, shardDocuments } = board;
  const changes = changesPerSecond * secondsOfDay;
  const runs = secondsOfDay / intervalSeconds;
  const rows = Math.min(players, rowsMax);
  const pages = Math.ceil(rows / rowsPerPageMax);
  // Where rows are merged, a run reads the shards of the open slot too.
  const pending = players > rowsMax ? shardDocuments / (intervalSeconds / (slotMs / 1_000)) : 0;
  const { found, joined } = joiningOf(shardDocuments);
  // A change is of two scores, the old and the new one.
  const scores = 2 * changesPerSecond * intervalSeconds;
  const shard = shardOf(scores / shardDocuments);
  const page = pageOf(Math.min(rows, rowsPerPageMax));
  return [
    { on: player, reads: changes },
    { on: indexEntry, reads: changes, writes: changes },
    { on: shard, reads: runs * (found + shardDocuments + pending), writes: changes },
    { on: shard, deletes: runs * shardDocuments },
    ...(joined > 0
      ? [
          {
            on: shardOf(scores / joined),
            reads: runs * joined,
            writes: runs * joined,
            deletes: runs * joined,
          },
          { on: page, reads: runs * pages },
        ]
      : []),
    { on: page, reads: runs * pages, writes: runs * pages },
    { on: player, reads: runs * topSize },
    { on: topOf(topSize), reads: runs, writes: runs },
    { on: season, writes: runs },
    { on: runRecord, writes: runs },
  ];
}

/**
 * Operations a day of the source `count`: each run reads the best players, which include the top, and counts the
 * others. The trigger is still called, and returns.
 */
export function countOperations(board: Omit<BusyBoard, "shardDocuments">): Required<Operations> {
  const { changesPerSecond, players, intervalSeconds } = board;
  const runs = secondsOfDay / intervalSeconds;
  const pages = Math.ceil(countedRows(players) / rowsPerPageMax);
  return {
    reads: runs * (countReads(players) + pages + 2),
    writes: runs * (pages + publicationExtraWrites),
    deletes: 0,
    invocations: changesPerSecond * secondsOfDay,
  };
}

/**
 * The changes a second above which `count` is cheaper than `index`, for a number of players: where the two bills are
 * equal.
 */
export function breakEven(players: number, intervalSeconds: number, region: PricedRegion): number {
  const difference = (changesPerSecond: number) => {
    const board = {
      changesPerSecond,
      players,
      intervalSeconds,
      shardDocuments: shardDocumentsOf(changesPerSecond, intervalSeconds),
    };
    return cost(indexOperations(board), region) - cost(countOperations(board), region);
  };
  // Below one change an interval most runs find nothing, and the formulas no longer apply.
  let [cheaper, dearer] = [1 / intervalSeconds, 10_000];
  for (let i = 0; i < 40; i++) {
    const middle = Math.sqrt(cheaper * dearer);
    if (difference(middle) > 0) dearer = middle;
    else cheaper = middle;
  }
  return dearer;
}
