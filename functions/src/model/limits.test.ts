/* eslint-disable @typescript-eslint/no-unnecessary-condition -- the compiler knows the numbers too */
import { expect, test } from "vitest";
import {
  boardCacheMs,
  boardCacheOnEmulatorMs,
  boardRenewedAt,
  changesPerShardMax,
  changesTakenMax,
  clocksApartMsMax,
  closedFreshSeconds,
  commitBytesMax,
  documentBytesMax,
  documentsPerCommitMax,
  dozeMs,
  endWaitMs,
  endWaitOnEmulatorMs,
  eventBytesMax,
  lateCommitMsMax,
  lateEventMsMax,
  metadataBytesMax,
  playerBytesMax,
  playersBytesPerCommitMax,
  playersPerCountMax,
  receiptKeptMs,
  rowsMax,
  shardBytesMax,
  shardBytesPerCompactionMax,
  shardBytesPerPublicationMax,
  shardChangeBytesMax,
  shardsPerCompactionMax,
  shardsPerPublicationMax,
  shardsPerReadMax,
  standingsBytesMax,
  standingsMetadataBytesMax,
  standingsPerDocument,
  submitBeginsMsMax,
  topBytesMax,
  topEventsMax,
  topRefreshTaskSecondsMax,
  topRefreshWaitMsMax,
  transactionMsMax,
  transformsPerDocumentMax,
  writesPerCommitMax,
} from "./limits.ts";

const relations: [string, boolean][] = [
  [
    "the metadata of a full document of the standings fits",
    standingsPerDocument * (metadataBytesMax + 1) <= standingsMetadataBytesMax &&
      standingsMetadataBytesMax + 16 * 1_024 < documentBytesMax,
  ],
  ["the players of a document of the standings fit beside its name", standingsBytesMax < documentBytesMax],
  ["a season's end waits for everything that began before it", endWaitMs > boardCacheMs + transactionMsMax],
  [
    "a season's end waits for its submissions",
    endWaitMs >= submitBeginsMsMax + transactionMsMax + clocksApartMsMax,
  ],
  [
    "on the emulators, a season's end waits until no instance remembers it as open",
    endWaitOnEmulatorMs > boardCacheOnEmulatorMs + 1_000,
  ],
  ["a publication makes progress", shardsPerPublicationMax >= shardsPerReadMax],
  [
    "one commit's changes fit a shard document",
    transformsPerDocumentMax * shardChangeBytesMax <= shardBytesMax,
  ],
  ["a joined shard document stays small", changesPerShardMax * shardChangeBytesMax <= shardBytesMax],
  ["joining fits one commit", 2 * shardsPerCompactionMax <= writesPerCommitMax],
  [
    "the changes of a run fit a commit beside its pages",
    changesTakenMax * shardChangeBytesMax <= commitBytesMax / 2,
  ],
  [
    "a publication's pages, top, events, deletions and reversed changes fit a commit",
    shardBytesPerPublicationMax +
      changesTakenMax * shardChangeBytesMax +
      rowsMax * 4 * 8 +
      topBytesMax +
      topEventsMax * eventBytesMax <=
      commitBytesMax,
  ],
  [
    "joined shard documents and those that they replace fit a commit",
    2 * shardBytesPerCompactionMax <= commitBytesMax,
  ],
  ["runs wait for late commits", lateCommitMsMax > transactionMsMax],
  ["counting fits one document's transforms", 2 * playersPerCountMax + 2 <= transformsPerDocumentMax],
  ["submissions fit one document's transforms", 2 * documentsPerCommitMax + 2 <= transformsPerDocumentMax],
  ["a receipt outlives its event", receiptKeptMs > lateEventMsMax + transactionMsMax],
  ["no instance remembers a dormant season as active", dozeMs > boardCacheMs + transactionMsMax + 60_000],
  ["a removal shows within an hour", closedFreshSeconds * 1_000 + boardCacheMs + 4 * 60_000 <= 3_600_000],
  ["a board is renewed before it is too old", boardRenewedAt > 0 && boardRenewedAt < 1],
  ["a refresh can wait until it is due", 3 * topRefreshWaitMsMax <= topRefreshTaskSecondsMax * 1_000],
  ["the top document fits", topBytesMax < documentBytesMax],
  ["an event fits", 2 * eventBytesMax < documentBytesMax],
  ["a shared commit fits one request", documentsPerCommitMax * playerBytesMax <= commitBytesMax],
  [
    "a shared commit and its shard documents fit",
    playersBytesPerCommitMax + 4 * shardBytesMax <= commitBytesMax,
  ],
];

test.each(relations)("%s", (_, holds) => {
  expect(holds).toBe(true);
});
