/**
 * Whole generations, change by change: for each player, a publication holds a state that the index had at some moment,
 * and never the later of two changes without the earlier one.
 *
 * Every change of an index entry is recorded with the slot of its shard document. A publication must contain the
 * changes of the slots that it names (all slots, if it took the open slot too) that were committed by its read time,
 * which is not before the time that it names, and all those that an earlier one contained. The resulting players are
 * counted here again, without rows and sums.
 */
import type { Timestamp } from "../../functions/src/documents/firestore.ts";
import type { Page } from "../../functions/src/documents/page.ts";
import { seasonPath, type SeasonKey, shardsPath } from "../../functions/src/documents/paths.ts";
import { slotEnd } from "../../functions/src/model/slot.ts";
import type { Data } from "../memory/fields.ts";
import { type Change, parentOf, type Store } from "../memory/store.ts";
import { insist } from "./violation.ts";

/** A change of one index entry that is in no generation yet. */
interface EntryChange {
  player: string;
  score: number | undefined;
  slotEndMs: number;
  committedAt: Timestamp;
}

export interface Generations {
  /** Records the changes of a commit. */
  observe(changes: readonly Change[]): void;
  /**
   * Forgets everything, as the index is no longer maintained; starts again with a generation that contains everything.
   */
  lose(): void;
  /**
   * Compares a publication with the changes.
   * @param held the players at each score according to the rows.
   * @throws a violation
   */
  published(first: Page, held: ReadonlyMap<number, number>): void;
}

/** No generation yet. It is one function, as a publication is checked against the changes collected before it. */
export function createGenerations(store: Store, key: SeasonKey, slotMs: number): Generations {
  const entries = `${seasonPath(key)}/index_entries`;
  let pending: EntryChange[] = [];
  const scores = new Map<string, number>();
  let isLost = false;

  /** Starts again if all changes are in the rows. */
  function begin(): void {
    if (store.list(shardsPath(key)).length > 0) return;
    isLost = false;
    for (const { id, data } of store.list(entries)) {
      const score = scoreOf(data);
      if (score !== undefined) scores.set(id, score);
    }
  }

  return {
    observe(changes) {
      const entryChanges = changes.filter(({ path }) => parentOf(path) === entries);
      if (entryChanges.length === 0 || isLost) return;
      const now = store.now();
      const shard = changes.find(({ path }) => parentOf(path) === shardsPath(key));
      // Changes that cancel out leave no shard document, and may belong to any slot from now on.
      const slotEndMs =
        (shard?.after?.["slot_ends_at"] as Timestamp | undefined)?.toMillis() ??
        slotEnd(now.toMillis(), slotMs);
      for (const { path, after } of entryChanges) {
        const player = path.slice(entries.length + 1);
        pending.push({ player, score: scoreOf(after), slotEndMs, committedAt: now });
      }
    },
    lose() {
      isLost = true;
      pending = [];
      scores.clear();
    },
    published({ generation, as_of: asOf, read_at: readAt }, held) {
      insist(
        asOf <= readAt,
        () =>
          `whole generations: generation ${generation} is as of ${asOf.valueOf()}, and was read at ${readAt.valueOf()}`,
      );
      if (isLost) {
        begin();
        return;
      }
      const tookAll = asOf.isEqual(readAt);
      const isHeld = ({ slotEndMs, committedAt }: EntryChange) =>
        committedAt < readAt && (tookAll || slotEndMs <= asOf.toMillis());
      const left = new Set<string>();
      for (const change of pending) {
        if (!isHeld(change)) {
          left.add(change.player);
          continue;
        }
        insist(
          !left.has(change.player),
          () =>
            `whole generations: generation ${generation} holds a change of ${change.player}, and not the one before`,
        );
        if (change.score === undefined) scores.delete(change.player);
        else scores.set(change.player, change.score);
      }
      pending = pending.filter((change) => !isHeld(change));
      compare(generation, scores, held);
    },
  };
}

function scoreOf(entry: Data | undefined): number | undefined {
  const score = entry?.["score"];
  return typeof score === "number" ? 0 + score : undefined;
}

function compare(
  generation: number,
  scores: ReadonlyMap<string, number>,
  held: ReadonlyMap<number, number>,
): void {
  const counts = new Map<number, number>();
  for (const score of scores.values()) counts.set(score, (counts.get(score) ?? 0) + 1);
  for (const score of new Set([...counts.keys(), ...held.keys()])) {
    const [is, should] = [held.get(score) ?? 0, counts.get(score) ?? 0];
    insist(
      is === should,
      () => `whole generations: generation ${generation} has ${is} players at ${score}, there were ${should}`,
    );
  }
}
