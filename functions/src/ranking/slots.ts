/**
 * Which slots a generation takes, and what becomes of each shard document. Slots are taken whole, the oldest first: see
 * model/slot.ts. Documents come slot by slot and are not kept. What the slot under way changes is added up until its last
 * document has come, and then folded. Pure.
 *
 * The first line that is true of a document says what becomes of it:
 *
 * | the document                                            | fate                                                    |
 * | ------------------------------------------------------- | ------------------------------------------------------- |
 * | its writers were faster than an earlier attempt         | `reverse`: it stays, and its opposite is added          |
 * | the commit has room to delete it                        | `delete`                                                |
 * | its slot is not the first                               | `postpone`: the slot is left for the next generation    |
 * | its slot was not joined yet                             | `join`: nothing is taken until that is done             |
 * | Firestore has refused a commit, and the opposite fits   | `overfill`: as `reverse`, for the commit alone          |
 * | all others: a joined slot that exceeds our limits       | `delete`: Firestore may well take it                    |
 *
 * The generation has the changes of a document that stays with its opposite, too. Writers may still be at the document, so
 * the commit does not delete it, but adds a second one with the opposite counts: their sum, zero, is what later runs fold.
 * An overfull generation leaves such documents as well. The run, or the next one, joins them later, and then none is left.
 *
 * On a board that keeps movement no generation has slots of two days. The slots before a midnight are published alone, so
 * that the pages are the ranking of that midnight. Slots of days before that come late, and go with the first slot.
 */
import { changeBytes } from "../counting/changes.ts";
import type { QueryDocumentSnapshot } from "../documents/firestore.ts";
import { type SeasonKey, seasonPath } from "../documents/paths.ts";
import { readShard, type ShardContent } from "../documents/shard.ts";
import { documentSize } from "../model/document-size.ts";
import { FirerankError } from "../model/errors.ts";
import { changesTakenBytesMax, shardsPerPublicationMax } from "../model/limits.ts";
import { nextMidnight } from "../model/midnights.ts";
import { namesAllScores } from "../top/gate.ts";
import type { Days } from "./baselines.ts";
import type { MarkFold } from "./ranked.ts";
import { addShard, addSums, noChanges, noSums, shardDocuments, type SlotChanges } from "./shards.ts";
import type { Run, Taken } from "./state.ts";

type Fate = "reverse" | "delete" | "postpone" | "join" | "overfill";

/** What a generation begins to take slots with. */
interface SlotTakerOptions {
  run: Pick<Run, "joinedMs" | "deletesMax" | "deletedBytesMax"> & { board: { key: SeasonKey } };
  /** Gets what the slots change. */
  fold: Pick<MarkFold, "add">;
  /** Of a board that keeps movement. */
  days: Days | undefined;
  /** Up to when the published ranking has every change, but for changes that come late. */
  publishedMs: number;
  /** Whether the slot of a document has not ended. */
  isOpen: (document: QueryDocumentSnapshot) => boolean;
  /** Whether a document must stay in place, as its writers were faster before. */
  stays: (document: QueryDocumentSnapshot) => boolean;
}

/** Begins to take slots. */
// eslint-disable-next-line max-lines-per-function -- short functions over the slot whose documents come
export function createSlotTaker({ run, fold, days, publishedMs, isOpen, stays }: SlotTakerOptions) {
  const { board, joinedMs, deletesMax, deletedBytesMax } = run;
  const taken: Taken = {
    deleted: [],
    reversed: [],
    sums: noSums(),
    changed: [],
    more: false,
    isOverfull: false,
    slotToJoin: undefined,
    firstMs: Infinity,
    untilMs: Infinity,
  };
  const used = { deletes: 0, deletedBytes: 0, reversedBytes: 0 };
  const wasRefused = deletesMax < shardsPerPublicationMax;
  /** The slot whose documents come now: all of its changes, and those of documents that stay. */
  let slot: { all: SlotChanges; reversed: SlotChanges; deleted: Taken["deleted"] } | undefined;

  function beginSlot(endMs: number): void {
    if (days !== undefined && taken.firstMs === Infinity) {
      taken.firstMs = endMs - days.slotMs;
      const lastDayMs = Math.max(taken.firstMs, publishedMs - 1);
      taken.untilMs = Math.max(endMs, nextMidnight(lastDayMs, days.calendar));
    }
    if (endMs > taken.untilMs) taken.more = true;
    else slot = { all: noChanges(endMs), reversed: noChanges(endMs), deleted: [] };
  }

  function endSlot(): void {
    if (slot === undefined) return;
    for (const { mark, delta } of slot.all.changes.values()) fold.add(mark, delta);
    addSums(taken.sums, slot.all.sums);
    taken.deleted = taken.deleted.concat(slot.deleted);
    if (shardDocuments(slot.reversed).length > 0) taken.reversed.push(slot.reversed);
    slot = undefined;
  }

  /** Leaves the slot under way, with all of its documents, to the next generation. */
  function leaveSlot(): void {
    taken.more = true;
    slot = undefined;
  }

  /** Whether the commit has room to delete one more document. Each commit deletes one at least, so that fewer are left. */
  function hasRoom(size: number): boolean {
    if (used.deletes === 0) return true;
    return used.deletes < deletesMax && used.deletedBytes + size <= deletedBytesMax;
  }

  /** Whether the commit has room for the opposite of a document's changes. For an open slot it is not asked: that can wait. */
  function canReverse(document: QueryDocumentSnapshot, shard: ShardContent): boolean {
    return isOpen(document) || used.reversedBytes + changeBytes(fieldsInShard(shard)) <= changesTakenBytesMax;
  }

  /** The table above, line by line. */
  function fateOf(document: QueryDocumentSnapshot, shard: ShardContent, size: number): Fate {
    if (stays(document)) return "reverse";
    if (hasRoom(size)) return "delete";
    const isFirst = taken.sums.oldestSlotEndMs === Infinity;
    if (!isFirst) return "postpone";
    if (shard.slotEndMs > joinedMs) return "join";
    return wasRefused && canReverse(document, shard) ? "overfill" : "delete";
  }

  /** @throws `contention` if the opposite of the documents that stay is more than one commit can hold. */
  function reverse(reversed: SlotChanges, shard: ShardContent): void {
    used.reversedBytes += changeBytes(fieldsInShard(shard).filter((field) => !reversed.changes.has(field)));
    addShard(reversed, shard);
    if (used.reversedBytes > changesTakenBytesMax)
      throw new FirerankError(
        "contention",
        `Scores of ${seasonPath(board.key)} change too fast for a ranking of the current slot: more than a commit can ` +
          "hold have changed in it. Leave out include_open_slot, or wait for the next run.",
      );
  }

  return {
    /** Whether the generation takes no more documents. */
    isDone: () => taken.more,
    /** Takes the next document. Documents come in the order of their slots. */
    add(document: QueryDocumentSnapshot): void {
      if (taken.more) return;
      const shard = readShard(document.data());
      if (slot?.all.slotEndMs !== shard.slotEndMs) {
        endSlot();
        beginSlot(shard.slotEndMs);
      }
      if (slot === undefined) return;
      addShard(slot.all, shard);
      taken.changed.push({ ...scoresChangedBy(shard), updateTime: document.updateTime });
      const size = documentSize(document.ref.path, document.data());
      switch (fateOf(document, shard, size)) {
        case "reverse":
          reverse(slot.reversed, shard);
          break;
        case "overfill":
          reverse(slot.reversed, shard);
          taken.isOverfull = true;
          break;
        case "delete":
          slot.deleted.push({ path: document.ref.path, updateTime: document.updateTime });
          used.deletes += 1;
          used.deletedBytes += size;
          break;
        case "postpone":
          leaveSlot();
          break;
        case "join":
          taken.slotToJoin = shard.slotEndMs;
          leaveSlot();
          break;
      }
    },
    finish(): Taken {
      endSlot();
      return taken;
    },
  };
}

/** The scores that a shard document changes: all that there are, if it does not name each. */
function scoresChangedBy(shard: ShardContent): { lowest: number; highest: number } {
  if (!namesAllScores(shard)) return { lowest: -Infinity, highest: Infinity };
  let [lowest, highest] = [Infinity, -Infinity];
  for (const { mark } of shard.changes) {
    lowest = Math.min(lowest, mark.score);
    highest = Math.max(highest, mark.score);
  }
  return { lowest, highest };
}

/** The keys of the marks that a shard document changes. */
function fieldsInShard({ changes }: ShardContent): string[] {
  return changes.map(({ field }) => field);
}
