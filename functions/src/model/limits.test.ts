/* eslint-disable @typescript-eslint/no-unnecessary-condition -- the compiler knows the numbers too */
import { expect, test } from "vitest";
import * as its from "./limits.ts";

const relations = {
  "the metadata of a full document of the standings fits":
    its.standingsPerDocument * (its.metadataBytesMax + 1) <= its.standingsMetadataBytesMax &&
    its.standingsMetadataBytesMax + 16 * 1_024 < its.documentBytesMax,
  "the players of a document of the standings fit": its.standingsBytesMax < its.documentBytesMax,
  "a season's end waits for what began before": its.endWaitMs > its.boardCacheMs + its.transactionMsMax,
  "a season's end waits for its submissions":
    its.endWaitMs >= its.submitBeginsMsMax + its.transactionMsMax + its.clocksApartMsMax,
  "on the emulators, a season's end waits until no instance remembers it as open":
    its.endWaitOnEmulatorMs > its.boardCacheOnEmulatorMs + 1_000,
  "a publication makes progress": its.shardsPerPublicationMax >= its.shardsPerReadMax,
  "a commit fits a shard": its.transformsPerDocumentMax * its.shardChangeBytesMax <= its.shardBytesMax,
  "joining fits one commit": 2 * its.shardsPerCompactionMax <= its.writesPerCommitMax,
  "a publication's pages, top, events, deletions and reversed changes fit a commit":
    its.shardBytesPerPublicationMax +
      its.changesTakenBytesMax +
      its.rowsMax * 4 * 8 +
      its.topBytesMax +
      its.topEventsMax * its.eventBytesMax <=
    its.commitBytesMax,
  "they also fit beside pages of segments, of which each part has its fields":
    its.shardBytesBesideSegmentsMax +
      its.changesTakenBytesMax +
      (its.rowsMax + its.segmentRowsMax) * 4 * 8 +
      ((its.segmentsMax + 1) * its.valuesRankedMax + its.segmentRowsMax / its.rowsPerPageMax) * 400 +
      its.topBytesMax +
      its.topEventsMax * its.eventBytesMax <=
    its.commitBytesMax,
  "they also fit beside documents of teams":
    its.shardBytesBesideTeamsMax +
      its.changesTakenBytesMax +
      (its.rowsMax + its.segmentRowsMax) * 4 * 8 +
      ((its.segmentsMax + 1) * its.valuesRankedMax + its.segmentRowsMax / its.rowsPerPageMax) * 400 +
      its.segmentsMax * its.valuesRankedMax * (5 + 6 + 8 + 8 + 3 * 8 + its.segmentValueCharactersMax + 1) +
      its.topBytesMax +
      its.topEventsMax * its.eventBytesMax <=
    its.commitBytesMax,
  "values fit, if each is joined to two rows":
    2 * (its.segmentsMax + 1) * its.valuesRankedMax <= its.segmentRowsMax,
  "joined shards and those before fit": 2 * its.shardBytesPerCompactionMax <= its.commitBytesMax,
  "runs wait for late commits": its.lateCommitMsMax > its.transactionMsMax,
  "counting fits one document's transforms": 2 * its.playersPerCountMax + 2 <= its.transformsPerDocumentMax,
  "submissions fit a document's transforms":
    2 * its.documentsPerCommitMax + 2 <= its.transformsPerDocumentMax,
  "a receipt outlives its event": its.receiptKeptMs > its.lateEventMsMax + its.transactionMsMax,
  "no instance remembers a dormant season as active":
    its.dozeMs > its.boardCacheMs + its.transactionMsMax + 60_000,
  "a removal shows within an hour":
    its.closedFreshSeconds * 1_000 + its.boardCacheMs + 4 * 60_000 <= 3_600_000,
  "a board is renewed before it is too old": its.boardRenewedAt > 0 && its.boardRenewedAt < 1,
  "a refresh can wait until it is due": 3 * its.topRefreshWaitMsMax <= its.topRefreshTaskSecondsMax * 1_000,
  "a top has room for the levels of metadata that a call may store":
    its.metadataDepthMax <= its.topMetadataDepthMax,
  "the top document fits": its.topBytesMax < its.documentBytesMax,
  "an event fits": 2 * its.eventBytesMax < its.documentBytesMax,
  "a shared commit fits one request": its.documentsPerCommitMax * its.playerBytesMax <= its.commitBytesMax,
  "a shared commit and its shard documents fit":
    its.playersBytesPerCommitMax + 4 * its.shardBytesMax <= its.commitBytesMax,
};

test.each(Object.entries(relations))("%s", (_, holds) => {
  expect(holds).toBe(true);
});
