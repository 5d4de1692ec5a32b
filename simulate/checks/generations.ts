/**
 * Whole generations, change by change: for each player, a publication holds a state that the index had at some moment,
 * and never the later of two changes without the earlier one.
 *
 * Every change of what is counted is recorded with the slot of its shard document. A publication must contain the
 * changes of the slots that it names (all slots, if it took the open slot too) that were committed by its read time,
 * which is not before the time that it names, and all those that an earlier one contained. Only what came late, to slots
 * that the one before named too, may wait where a commit has no room for it: the newest slots first. The resulting players
 * are counted here again, without rows and sums.
 */
import type { Timestamp } from "../../functions/src/documents/firestore.ts";
import { type Counted, countedIn } from "../../functions/src/documents/mark.ts";
import type { Page } from "../../functions/src/documents/page.ts";
import { playersPath, shardsPath } from "../../functions/src/documents/paths.ts";
import type { Change } from "../memory/store.ts";
import { type Marks, move } from "./counts.ts";
import { SeasonCheck } from "./setting.ts";
import { insist } from "./violation.ts";

/** A commit. */
export interface Commit {
  changes: readonly Change[];
  /** Whether a trusted server made it by itself. */
  isForeign: boolean;
}

/** What a commit tells of direct writes: receipts by their names, and when a repair that it publishes has read. */
export interface Handled {
  receipts: readonly string[];
  repairedAt: Timestamp | undefined;
}

/** What is counted for a player now, and no longer. */
export interface IndexChange {
  player: string;
  before: Counted;
  after: Counted;
  /** Whether it corrects a direct write: these read players and need not write them, and have no order among themselves. */
  isCorrection?: boolean;
}

/** When changes of the index count. */
export interface Slotted {
  slotEndMs: number;
  /** The first slot that they may belong to: a commit whose changes cancel out names none. */
  earliestMs: number;
  committedAt: Timestamp;
}

/** What follows the changes of an index, and what is published of it. */
export interface Follower {
  /** @param counted what the commit changed in the index. @throws a violation */
  observe(commit: Commit, counted: readonly IndexChange[], handled: Handled, slot: Slotted): void;
  /**
   * @param held the players of each mark according to the rows.
   * @param isRepair whether the ranking was made anew.
   * @throws a violation
   */
  published(page: Page, held: Marks, isRepair: boolean): void;
  /** A foreign hand has changed the index. */
  lose?(): void;
}

export class Generations extends SeasonCheck implements Follower {
  /** Changes that are in no generation yet. */
  private pending: (IndexChange & Slotted)[] = [];
  private readonly counts = new Map<string, number>();
  private isLost = false;
  /** The time that the last publication names. */
  private asOfMs: number | undefined;

  /** Starts again if all changes are in the rows. */
  private begin(): void {
    if (this.store.list(shardsPath(this.key)).length > 0) return;
    this.isLost = false;
    for (const { data } of this.store.list(playersPath(this.key)))
      move(this.counts, { before: undefined, after: countedIn(data) });
  }

  /** Records what a commit changed in the index. What a repair corrects belongs to no slot: it is in the rows. */
  observe(_: Commit, counted: readonly IndexChange[], { repairedAt }: Handled, slot: Slotted) {
    if (this.isLost) return;
    for (const change of counted) {
      if (repairedAt !== undefined) move(this.counts, change);
      else this.pending.push({ ...change, ...slot });
    }
  }

  /** Forgets everything; starts again with a generation that contains everything. */
  lose() {
    this.isLost = true;
    this.pending = [];
    this.counts.clear();
  }

  /**
   * Compares a publication with the changes.
   * @param held the players of each mark according to the rows.
   * @throws a violation
   */
  published({ generation, as_of: asOf, read_at: readAt }: Page, held: Marks) {
    insist(
      asOf <= readAt,
      () =>
        `whole generations: generation ${generation} is as of ${asOf.valueOf()}, and was read at ${readAt.valueOf()}`,
    );
    if (this.isLost) {
      this.begin();
      return;
    }
    const untilMs = asOf.isEqual(readAt) ? Infinity : asOf.toMillis();
    const there = this.pending.filter((one) => one.committedAt < readAt && one.slotEndMs <= untilMs);
    const isLate = this.asOfMs === asOf.toMillis();
    this.asOfMs = asOf.toMillis();
    // All of it may wait: then the room went to slots that the one before had no room for.
    const ends = isLate ? new Set([...there.map(({ slotEndMs }) => slotEndMs), -Infinity]) : [];
    const fits = [...ends]
      .sort((a, b) => b - a)
      .find((endMs) => {
        const counts = new Map(this.counts);
        for (const one of there) if (one.slotEndMs <= endMs) move(counts, one);
        return differing(counts, held).length === 0;
      });
    const taken = new Set(there.filter(({ slotEndMs }) => slotEndMs <= (fits ?? untilMs)));
    const left = new Set<string>();
    for (const change of this.pending) {
      if (!taken.has(change)) {
        if (change.isCorrection !== true) left.add(change.player);
        continue;
      }
      insist(
        change.isCorrection === true || !left.has(change.player),
        () =>
          `whole generations: generation ${generation} holds a change of ${change.player}, and not the one before`,
      );
      move(this.counts, change);
    }
    this.pending = this.pending.filter((change) => !taken.has(change));
    const [mark] = differing(this.counts, held);
    insist(
      mark === undefined,
      () =>
        `whole generations: generation ${generation} has ${held.get(mark ?? "") ?? 0} players at ${mark}, there were ${this.counts.get(mark ?? "") ?? 0}`,
    );
  }
}

/** The marks of which two counts differ. */
function differing(counts: Marks, others: Marks): string[] {
  const marks = new Set([...counts.keys(), ...others.keys()]);
  return [...marks].filter((mark) => (counts.get(mark) ?? 0) !== (others.get(mark) ?? 0));
}
