/** Joins the shard documents of one slot into few. */
import { type QueryDocumentSnapshot, Timestamp } from "../documents/firestore.ts";
import { type SeasonKey, shardPath } from "../documents/paths.ts";
import { pendingShards } from "../documents/queries.ts";
import { inChunks } from "../documents/reads.ts";
import { readShard } from "../documents/shard.ts";
import { documentSize } from "../model/document-size.ts";
import { shardBytesPerCompactionMax, shardsPerCompactionMax, shardsPerReadMax } from "../model/limits.ts";
import { describeError } from "../world/describe-error.ts";
import { isBeaten, isTooBig } from "../world/retryable.ts";
import type { Services } from "../world/services.ts";
import { addShard, noChanges, shardDocuments } from "./shards.ts";

/**
 * Joins what one publication cannot delete: it takes hundreds of instances, or dead ones, to write so many documents in a
 * slot. One commit writes the sum of some documents and deletes them, each only if it has not changed since it was read.
 * So rows + shards stay the same. Documents that others change or delete meanwhile are left alone, together with all of
 * the same commit: on a busy board that is most of a slot that has not ended.
 *
 * Cost: 1 read and 1 delete a document joined, 1 write for each 6,000 different scores of up to 250 documents; documents
 * that are not joined 1 read. Memory: the changes of a commit.
 * @returns how many documents were joined.
 */
export async function joinShards(services: Services, key: SeasonKey, slotEndMs: number): Promise<number> {
  const ofSlot = { from: Timestamp.fromMillis(slotEndMs - 1), byMs: slotEndMs };
  const query = pendingShards(services.db, key, ofSlot);
  let group: QueryDocumentSnapshot[] = [];
  let bytes = 0;
  let joined = 0;
  for await (const documents of inChunks(query, shardsPerReadMax)) {
    for (const document of documents) {
      const own = documentSize(document.ref.path, document.data());
      if (group.length === shardsPerCompactionMax || bytes + own > shardBytesPerCompactionMax) {
        joined += await joinGroup(services, key, slotEndMs, group);
        group = [];
        bytes = 0;
      }
      group.push(document);
      bytes += own;
    }
  }
  return joined + (await joinGroup(services, key, slotEndMs, group));
}

/** Joins some documents in one commit, if that leaves fewer. Returns how many it joined. */
async function joinGroup(
  { db, newId, log }: Services,
  key: SeasonKey,
  slotEndMs: number,
  documents: readonly QueryDocumentSnapshot[],
): Promise<number> {
  const changes = noChanges(slotEndMs);
  for (const document of documents) addShard(changes, readShard(document.data()));
  const results = shardDocuments(changes);
  // A key that is not a score stays where it is, for the run that folds it to report.
  if (results.length >= documents.length || changes.sums.unreadable > 0) return 0;
  const batch = db.batch();
  for (const result of results) batch.create(db.doc(shardPath(key, newId(), slotEndMs)), result);
  for (const { ref, updateTime } of documents) batch.delete(ref, { lastUpdateTime: updateTime });
  try {
    await batch.commit();
    return documents.length;
  } catch (error) {
    if (!isBeaten(error) && !isTooBig(error)) throw error;
    const facts = { ...key, error: describeError(error) };
    log.info("shard documents could not be joined; they stay as they are", facts);
    return 0;
  }
}
