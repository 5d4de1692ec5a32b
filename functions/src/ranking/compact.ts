/**
 * Compaction: joins the shard documents of each slot into few, before a publication that could not delete them all.
 *
 * A generation takes slots as a whole (see model/slot.ts), and its commit can delete only so many documents. At a
 * thousand changes a second a slot has two thousand. So they are joined first: one commit writes a document with the
 * sum of some others of the same slot and deletes those, each only if it has not changed since it was read. Rows +
 * shards stay the same, and a reader of the shards finds either the parts or their sum.
 */
import type { QueryDocumentSnapshot, Timestamp } from "../documents/firestore.ts";
import { inChunks } from "../documents/in-chunks.ts";
import { type SeasonKey, shardPath } from "../documents/paths.ts";
import { pendingShards } from "../documents/queries.ts";
import { documentSize } from "../model/document-size.ts";
import {
  compactionsAtOnce,
  shardBytesPerCompactionMax,
  shardsPerCompactionMax,
  shardsPerReadMax,
} from "../model/limits.ts";
import { isBeaten, isTooBig } from "../world/retryable.ts";
import type { World } from "../world/world.ts";
import { addDocument, noChanges, shardDocuments, type SlotChanges } from "./shard-documents.ts";

interface What {
  key: SeasonKey;
  /** Slots that ended by then are left out; see the season's `shards_from`. */
  from: Timestamp | null;
  /** Slots that end later are left out; none if it is undefined. */
  byMs: number | undefined;
}

/** Some documents of one slot, and their sum. */
interface Group {
  changes: SlotChanges;
  documents: { path: string; updateTime: Timestamp }[];
}

/**
 * Joins the shard documents of each slot. Documents that others change or delete meanwhile are left alone, together with
 * those of the same commit: on a busy board that is most of a slot that has not ended.
 *
 * Cost: 1 read and 1 delete a document joined, 1 write for each 6,000 different scores of up to 250 documents of a
 * slot; documents that are not joined 1 read. Memory: the changes of four commits.
 * @returns how many documents were joined, and into how many.
 */
export async function compactShards(
  services: World,
  { key, from, byMs }: What,
): Promise<{ joined: number; into: number }> {
  const query = pendingShards(services.db, key, { from, byMs });
  const total = { joined: 0, into: 0 };
  const underWay = new Set<Promise<void>>();
  let failure: { error: unknown } | undefined;
  let groups: Group[] = [];
  let size = 0;
  let bytes = 0;

  async function begin(): Promise<void> {
    const taken = groups;
    groups = [];
    size = 0;
    bytes = 0;
    const work = join(services, key, taken, total)
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => underWay.delete(work));
    underWay.add(work);
    if (underWay.size >= compactionsAtOnce) await Promise.race(underWay);
  }

  for await (const documents of inChunks(query, shardsPerReadMax)) {
    for (const document of documents) {
      const own = documentSize(document.ref.path, document.data());
      if (bytes + own > shardBytesPerCompactionMax) await begin();
      addToGroups(groups, document);
      size += 1;
      bytes += own;
    }
    if (size + shardsPerReadMax > shardsPerCompactionMax) await begin();
    if (failure !== undefined) break;
  }
  await begin();
  await Promise.all(underWay);
  if (failure !== undefined) throw failure.error;
  return total;
}

function addToGroups(groups: Group[], document: QueryDocumentSnapshot): void {
  const slotEndMs = (document.get("slot_ends_at") as Timestamp).toMillis();
  let group = groups.at(-1);
  if (group?.changes.slotEndMs !== slotEndMs) {
    group = { changes: noChanges(slotEndMs), documents: [] };
    groups.push(group);
  }
  addDocument(group.changes, document.data());
  group.documents.push({ path: document.ref.path, updateTime: document.updateTime });
}

/** Joins each group for which that leaves fewer documents, all in one commit. */
async function join(
  { db, newId, log }: World,
  key: SeasonKey,
  groups: readonly Group[],
  total: { joined: number; into: number },
): Promise<void> {
  const batch = db.batch();
  let joined = 0;
  let into = 0;
  for (const { changes, documents } of groups) {
    const results = shardDocuments(changes);
    // A key that is not a score stays where it is, for the run that folds it to report.
    if (results.length >= documents.length || changes.sums.unreadable > 0) continue;
    for (const result of results) batch.create(db.doc(shardPath(key, newId(), changes.slotEndMs)), result);
    for (const { path, updateTime } of documents) batch.delete(db.doc(path), { lastUpdateTime: updateTime });
    joined += documents.length;
    into += results.length;
  }
  if (joined === 0) return;
  try {
    await batch.commit();
  } catch (error) {
    if (!isBeaten(error) && !isTooBig(error)) throw error;
    log.info("shard documents could not be joined; they stay as they are", { ...key, error: String(error) });
    return;
  }
  total.joined += joined;
  total.into += into;
}
