/**
 * Conservation, after every commit: rows + shards = histogram of the marks, but for what direct writes changed in the
 * marks whose event is on its way.
 *
 * What the rows must hold, `marks − drift − shards`, is added up commit by commit. One that does not touch the pages must
 * not change it at all: so ours count what they write, and an event corrects a direct write once, under its receipt, by
 * exactly what it changed. A commit that touches the pages has to leave a whole generation, the next
 * one or the same, whose rows are compared with it.
 *
 * The drift ends with its receipt, or with a repair that read the marks later. What no event can see ends with a repair
 * alone: a first version of ours that is copied back within the time of a transaction looks as it did when we wrote it.
 */
import { isDeepStrictEqual } from "node:util";
import { Timestamp } from "../../functions/src/documents/firestore.ts";
import { type Counted, countedIn, type Version, versionName } from "../../functions/src/documents/mark.ts";
import {
  pagePath,
  pagesPath,
  playersPath,
  receiptsPath,
  repairNotePath,
  type SeasonKey,
  segmentPagesPath,
  shardsPath,
} from "../../functions/src/documents/paths.ts";
import { slotMs, transactionMsMax } from "../../functions/src/model/limits.ts";
import type { Order } from "../../functions/src/model/score.ts";
import { fieldToMark } from "../../functions/src/model/segments.ts";
import { slotEnd } from "../../functions/src/model/slot.ts";
import { playersChanged } from "../board.ts";
import { type Change, type Data, type Documents, parentOf, type Store } from "../memory/store.ts";
import { addAll, type Marks, move, playersIn, shownOf, type Tally } from "./counts.ts";
import type { Commit, Follower, Handled, IndexChange, Slotted } from "./generations.ts";
import { checkRows, checkSegments, wholeGeneration } from "./pages.ts";
import { SeasonCheck } from "./setting.ts";
import { insist } from "./violation.ts";

/** What was published. */
interface Published {
  readAt: Timestamp;
  held: Marks;
  /** Segments that are ranked. */
  segments: ReadonlySet<string>;
  /** Whether others may be left out. */
  isFull: boolean;
}

/** Generations whose truth is kept for late readers. */
const truthsKept = 500;

/** A direct write that changed a mark. */
interface Foreign {
  player: string;
  before: Counted;
  after: Counted;
  at: Timestamp;
}

export class Conservation extends SeasonCheck {
  private readonly followers: readonly Follower[];
  /** What is counted: rows and shards. */
  private readonly index = new Map<string, number>();
  /** What the rows must hold. */
  private readonly due = new Map<string, number>();
  /** Changes of the index, as far back as the store goes. */
  private changes: (IndexChange & Slotted)[] = [];
  /** Foreign writes that are not corrected, by the name of their receipt. */
  private readonly foreign = new Map<string, Foreign>();
  private isForeignHand = false;
  private readonly truths = new Map<number, Published>();
  private last = 0;

  constructor(store: Store, key: SeasonKey, order: Order, followers: readonly Follower[]) {
    super(store, key, order);
    this.followers = followers;
  }

  private handledIn(changes: readonly Change[]): Handled {
    const receipts = receiptsPath(this.key);
    const made = changes.filter(({ path, before }) => parentOf(path) === receipts && before === undefined);
    const noted = changes.find(({ path }) => path === repairNotePath(this.key));
    const [was, is] = [noted?.before?.["repaired_at"], noted?.after?.["repaired_at"]];
    return {
      receipts: made.map(({ path }) => path.slice(receipts.length + 1)),
      repairedAt: is instanceof Timestamp && !isDeepStrictEqual(was, is) ? is : undefined,
    };
  }

  /**
   * The slot of what a commit counts. Changes that cancel out leave no shard document, and may belong to any slot from now
   * on, or to the one in which their transaction began. What a repair corrects is in the rows.
   */
  private slotOf(changes: readonly Change[], { repairedAt }: Handled, time: Timestamp): Slotted {
    const shard = changes.find(
      ({ path, after }) => parentOf(path) === shardsPath(this.key) && after !== undefined,
    );
    const page = changes.find(({ path }) => path === pagePath(this.key, 0));
    const named = (repairedAt === undefined ? shard?.after?.["slot_ends_at"] : page?.after?.["as_of"]) as
      Timestamp | undefined;
    const slotEndMs = named?.toMillis() ?? slotEnd(time.toMillis(), slotMs);
    const earliestMs = named === undefined ? time.toMillis() - transactionMsMax : slotEndMs;
    return { slotEndMs, earliestMs, committedAt: time };
  }

  /** What a commit changes in the index. */
  private changesIn({ changes, isForeign }: Commit, { receipts, repairedAt }: Handled): IndexChange[] {
    const own: IndexChange[] = [];
    const corrected: IndexChange[] = [];
    for (const [name, one] of this.foreign) {
      if (!receipts.includes(name) && (repairedAt === undefined || one.at > repairedAt)) continue;
      this.foreign.delete(name);
      corrected.push({ ...one, isCorrection: true });
    }
    for (const { player, change } of playersChanged(changes)) {
      const changed = { player, before: countedIn(change.before), after: countedIn(change.after) };
      if (changed.before === changed.after) continue;
      if (isForeign) this.foreign.set(receiptOf(this.store, change), { ...changed, at: change.time });
      else own.push(changed);
    }
    return [...own, ...corrected];
  }

  /** @throws a violation */
  observe(commit: Commit): void {
    const { changes } = commit;
    const [first] = changes;
    if (first === undefined) return;
    const handled = this.handledIn(changes);
    const counted = this.changesIn(commit, handled);
    const slot = this.slotOf(changes, handled, first.time);
    for (const follower of this.followers) follower.observe(commit, counted, handled, slot);
    this.changes.push(...counted.map((change) => ({ ...change, ...slot })));
    const change = new Map<string, number>();
    for (const one of counted) move(change, one);
    addAll(this.index, change);
    for (const { path, before, after } of changes) {
      if (parentOf(path) !== shardsPath(this.key)) continue;
      addAll(change, waitingIn(before));
      addAll(change, waitingIn(after), -1);
    }
    addAll(this.due, change);
    if (this.isForeignHand) return;
    const publishes = changes.some(
      ({ path, before: old, after }) =>
        [pagesPath(this.key), segmentPagesPath(this.key)].includes(parentOf(path)) &&
        !isDeepStrictEqual(old, after),
    );
    if (publishes) this.published(change.size === 0, handled.repairedAt !== undefined);
    else
      insist(
        change.size === 0,
        () => `conservation: a commit changed marks − drift − shards by ${textOf(change)}`,
      );
  }

  /** Checks the pages just written, of the next generation or the same again, and remembers their truth. */
  private published(mayBeSame: boolean, isRepair: boolean): void {
    const pages = wholeGeneration(this.store, this.key);
    const first = pages[0];
    insist(first !== undefined, () => "whole generations: the pages are gone");
    insist(
      first.generation === this.last + 1 || (mayBeSame && first.generation === this.last),
      () => `whole generations: generation ${first.generation} was published after ${this.last}`,
    );
    const isNext = first.generation > this.last;
    this.last = first.generation;
    this.truths.delete(this.last - truthsKept);
    const held = new Map(this.due);
    checkRows(this.order, pages, { players: playersIn(held), unusable: held.get("unusable") ?? 0 });
    const segments = checkSegments(this.store, this.key, this.order, first, held);
    const isFull = first.left_out !== undefined;
    this.truths.set(this.last, { readAt: first.read_at, held, segments, isFull });
    if (isNext) for (const follower of this.followers) follower.published(first, held, isRepair);
  }

  /** Lets a foreign hand write a shard. Whatever is published next must be a repair, which makes the rows right again. */
  byForeignHand(write: () => void) {
    this.isForeignHand = true;
    write();
    this.isForeignHand = false;
    for (const follower of this.followers) follower.lose?.();
  }

  /** The true answers of a published generation; undefined if it is too old, or need not rank the segment. */
  truthOf(wanted: number, segment?: string): Tally | undefined {
    const published = this.truths.get(wanted);
    if (published === undefined) return undefined;
    const { held, segments, isFull } = published;
    if (segment !== undefined && isFull && !segments.has(segment)) return undefined;
    return shownOf(playersIn(held, segment));
  }

  /** The players of each mark that a published generation holds; undefined if it is too old. */
  heldIn = (wanted: number): Marks | undefined => this.truths.get(wanted)?.held;

  /** When a published generation was read; undefined if it is too old. */
  readAt(wanted: number): Timestamp | undefined {
    return this.truths.get(wanted)?.readAt;
  }

  /** Whether a generation from a published one on leaves a segment out, as there are too many. */
  leavesOut(from: number, segment: string): boolean {
    return [...this.truths].some(
      ([generation, { segments, isFull }]) => generation >= from && isFull && !segments.has(segment),
    );
  }

  /** What was counted at a moment, apart by the players by whom the marks differed from it; undefined if it is too long ago. */
  at(moment: Timestamp, segment?: string): Tally | undefined {
    if (!this.store.isKept(moment)) return undefined;
    this.changes = this.changes.filter(({ committedAt }) => this.store.isKept(committedAt));
    const index = new Map(this.index);
    for (const { committedAt, before, after } of this.changes)
      if (committedAt > moment) move(index, { before: after, after: before });
    const drift = new Map<string, number>();
    for (const { data } of this.store.list(playersPath(this.key), moment))
      move(drift, { before: undefined, after: countedIn(data) });
    addAll(drift, index, -1);
    const apart = [...playersIn(drift, segment).values()].reduce((sum, count) => sum + Math.abs(count), 0);
    return { players: playersIn(index, segment), apart };
  }

  /** The last generation published. */
  generation() {
    return this.last;
  }

  /** Whether direct writes have changed marks that nobody has corrected. */
  drifts() {
    return this.foreign.size > 0;
  }
}

/** What the rows must hold where no direct write waits for its event: marks − shards. */
export function dueIn(store: Documents, key: SeasonKey): Marks {
  const due = new Map<string, number>();
  for (const { data } of store.list(playersPath(key)))
    move(due, { before: undefined, after: countedIn(data) });
  for (const { data } of store.list(shardsPath(key))) addAll(due, waitingIn(data), -1);
  return due;
}

/** The name of the receipt under which an event corrects a direct write. */
export function receiptOf(store: Store, { path, was, time }: Change): string {
  const present = store.get(path);
  const name = versionName(path, (present ?? was)?.updateTime ?? time);
  return present === undefined ? `destroyed-${name}` : `written-${name}`;
}

/** Whether a document looks as when we created it: then its event corrects nothing. */
export function looksNew(after: Version | undefined, before: Version | undefined): boolean {
  const { of, at } = (after?.data["counted"] ?? {}) as { of?: unknown; at?: unknown };
  if (before !== undefined || after === undefined || typeof of !== "string" || !(at instanceof Timestamp))
    return false;
  const sinceMs = after.createTime.toMillis() - at.toMillis();
  return of.startsWith("new:") && sinceMs >= 0 && sinceMs <= transactionMsMax;
}

const textOf = (marks: Marks) => `{${[...marks].map(([mark, count]) => `${mark}: ${count}`).join(", ")}}`;

/** What waits in a shard document. */
function waitingIn(data: Data | undefined): Marks {
  const players = (data?.["player_count"] ?? {}) as Readonly<Record<string, number>>;
  for (const field of Object.keys(players))
    insist(fieldToMark(field) !== undefined, () => `a shard has the key "${field}", which is no mark`);
  return new Map(Object.entries({ ...players, unusable: (data?.["unusable"] ?? 0) as number }));
}
