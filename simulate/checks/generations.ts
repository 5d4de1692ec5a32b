/**
 * Whole generations, change by change: for each player, a publication holds a state that the index had at some moment,
 * and never the later of two changes without the earlier one.
 *
 * Every change of what is counted is recorded with the slot of its shard document. A publication must contain the
 * changes of the slots that it names (all slots, if it took the open slot too) that were committed by its read time,
 * which is not before the time that it names, and all those that an earlier one contained. The resulting players are
 * counted here again, without rows and sums.
 */
import type { Timestamp } from "../../functions/src/documents/firestore.ts";
import { type Counted, countedIn } from "../../functions/src/documents/mark.ts";
import type { Page } from "../../functions/src/documents/page.ts";
import { playersPath, type SeasonKey, shardsPath } from "../../functions/src/documents/paths.ts";
import { slotEnd } from "../../functions/src/model/slot.ts";
import { type Change, parentOf, type Store } from "../memory/store.ts";
import { insist } from "./violation.ts";

/** What is counted for a player now, and no longer. */
export interface IndexChange {
  player: string;
  before: Counted;
  after: Counted;
  /** Whether it corrects a foreign write: these read players and need not write them, and have no order among themselves. */
  isCorrection?: boolean;
}

/** A change that is in no generation yet. */
interface Pending extends IndexChange {
  slotEndMs: number;
  committedAt: Timestamp;
}

export interface Generations {
  /** Records a commit, and what it changed in the index. */
  observe(changes: readonly Change[], counted: readonly IndexChange[]): void;
  /** Forgets everything; starts again with a generation that contains everything. */
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
  let pending: Pending[] = [];
  const counts = new Map<number, number>();
  let isLost = false;

  function count({ before, after }: Pick<IndexChange, "before" | "after">): void {
    for (const [counted, delta] of [
      [before, -1],
      [after, 1],
    ] as const)
      if (typeof counted === "number") counts.set(counted, (counts.get(counted) ?? 0) + delta);
  }

  /** Starts again if all changes are in the rows. */
  function begin(): void {
    if (store.list(shardsPath(key)).length > 0) return;
    isLost = false;
    for (const { data } of store.list(playersPath(key))) count({ before: undefined, after: countedIn(data) });
  }

  return {
    observe(changes, counted) {
      if (counted.length === 0 || isLost) return;
      const now = store.now();
      const shard = changes.find(
        ({ path, after }) => parentOf(path) === shardsPath(key) && after !== undefined,
      );
      // Changes that cancel out leave no shard document, and may belong to any slot from now on. What a repair corrects
      // belongs to none: it is in the rows.
      const isRepaired = changes.some(({ path }) => path.endsWith("/scores_ranking/0"));
      const slotEndMs =
        (shard?.after?.["slot_ends_at"] as Timestamp | undefined)?.toMillis() ??
        slotEnd(now.toMillis(), slotMs);
      for (const change of counted) {
        if (isRepaired) count(change);
        else pending.push({ ...change, slotEndMs, committedAt: now });
      }
    },
    lose() {
      isLost = true;
      pending = [];
      counts.clear();
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
      const isHeld = ({ slotEndMs, committedAt }: Pending) =>
        committedAt < readAt && (tookAll || slotEndMs <= asOf.toMillis());
      const left = new Set<string>();
      for (const change of pending) {
        if (!isHeld(change)) {
          if (change.isCorrection !== true) left.add(change.player);
          continue;
        }
        insist(
          change.isCorrection === true || !left.has(change.player),
          () =>
            `whole generations: generation ${generation} holds a change of ${change.player}, and not the one before`,
        );
        count(change);
      }
      pending = pending.filter((change) => !isHeld(change));
      for (const score of new Set([...counts.keys(), ...held.keys()])) {
        const [is, should] = [held.get(score) ?? 0, counts.get(score) ?? 0];
        insist(
          is === should,
          () =>
            `whole generations: generation ${generation} has ${is} players at ${score}, there were ${should}`,
        );
      }
    },
  };
}
