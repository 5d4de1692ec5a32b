/**
 * The shard documents of one process. Nobody else writes to them, and no two of its commits write to one at the same
 * time: so no commit waits for another's shard. They are additive, like those of a process that has died.
 *
 * A commit takes the first document of its slot that is free, has room, and whose last commit is long enough ago;
 * else one more. So a quiet process has one document a slot, and a busy one as many as it has commits a second.
 */
import { LRUCache } from "lru-cache";
import { seasonPath, type SeasonKey } from "../documents/paths.ts";
import { shardBytesMax } from "../model/limits.ts";
import type { Services } from "../world/services.ts";

/** The shard documents of an instance. */
export const ownShardsOf = ({ memory }: Pick<Services, "memory">) => memory(makeOwnShards);

export const makeOwnShards = ({ now, process, shardCommitsApartMs: apartMs }: Services) =>
  createOwnShards({ now, process, apartMs, bytesMax: shardBytesMax });

export type OwnShards = ReturnType<typeof createOwnShards>;

interface Document {
  n: number;
  isTaken: boolean;
  usedMs: number;
  bytes: number;
}

interface OwnShardsOptions {
  now: () => number;
  /** A name that no other process has. */
  process: string;
  /** The time between two commits to a document, and the most bytes of changes in it. */
  apartMs: number;
  bytesMax: number;
}

/**
 * Slots: a few for each board that is being played. One that is forgotten begins with its first document again, still
 * this process's own. Memory for all is reserved at the start of a process, so more would slow it.
 */
const ownSlotsKeptMax = 1_000;

export function createOwnShards({ now, process, apartMs, bytesMax }: OwnShardsOptions) {
  const slots = new LRUCache<string, Document[]>({ max: ownSlotsKeptMax });
  return {
    /** A document for one commit. @param bytes what the commit adds to it at most. */
    take(key: SeasonKey, slotEndsAtMs: number, bytes: number) {
      const slot = `${seasonPath(key)} ${slotEndsAtMs}`;
      const documents = slots.get(slot) ?? [];
      slots.set(slot, documents);
      const isFree = (one: Document) =>
        !one.isTaken && now() - one.usedMs >= apartMs && one.bytes + bytes <= bytesMax;
      const found = documents.find(isFree);
      const document: Document = found ?? { n: documents.length, isTaken: false, usedMs: 0, bytes: 0 };
      if (found === undefined) documents.push(document);
      document.isTaken = true;
      document.bytes += bytes;
      return {
        /** The first part of the document's id; the other is the slot. */
        name: `${process}-${document.n}`,
        /** Must be called when the commit has ended, or failed. */
        giveBack() {
          document.isTaken = false;
          document.usedMs = now();
        },
      };
    },
  };
}
