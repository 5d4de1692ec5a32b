/**
 * Conservation, after every commit: rows + shards = histogram of the marks, but for what foreign writes changed in the
 * marks whose event is on its way.
 *
 * What the rows must hold, `marks − drift − shards` for each score, is counted after each commit. A commit that does not
 * touch the pages must not change it at all: so ours count what they write, and an event corrects a foreign write once,
 * under its receipt, by exactly what it changed. A commit that touches the pages has to leave a whole generation, the next
 * one or the same, whose rows are compared with it.
 *
 * The drift ends with its receipt, or with a repair that read the marks later. What no event can see ends with a repair
 * alone: a first version of ours that is copied back within the time of a transaction looks as it did when we wrote it.
 */
import { isDeepStrictEqual } from "node:util";
import { Timestamp } from "../../functions/src/documents/firestore.ts";
import { type Counted, countedIn, type Version, versionName } from "../../functions/src/documents/mark.ts";
import {
  pagesPath,
  playersPath,
  receiptsPath,
  repairNotePath,
  type SeasonKey,
  segmentPagesPath,
  shardsPath,
} from "../../functions/src/documents/paths.ts";
import { transactionMsMax } from "../../functions/src/model/limits.ts";
import type { Order } from "../../functions/src/model/score.ts";
import { fieldToMark } from "../../functions/src/model/segments.ts";
import { type Change, type Data, parentOf, type Store } from "../memory/store.ts";
import type { Commit, Follower, Handled, IndexChange } from "./generations.ts";
import { add, checkRows, checkSegments, playersIn, type Truth, truthIn, wholeGeneration } from "./pages.ts";
import { SeasonCheck } from "./setting.ts";
import { insist } from "./violation.ts";

/** Players of each mark; `unusable` counts documents that cannot be ranked. */
export interface Counts {
  players: Map<string, number>;
  unusable: number;
}

/** What was published. */
interface Published {
  readAt: Timestamp;
  held: ReadonlyMap<string, number>;
  /** Segments that are ranked. */
  segments: ReadonlySet<string>;
  /** Whether others may be left out. */
  isFull: boolean;
}

/** What was counted at a moment, of all players or of a segment. */
interface Moment {
  /** Rows and shards. */
  index: ReadonlyMap<number, number>;
  /** Players by whom the marks differ from it. */
  drift: number;
}

/** Generations whose truth is kept for late readers. */
const truthsKept = 500;

/** A foreign write that changed a mark. */
interface Foreign {
  player: string;
  before: Counted;
  after: Counted;
  at: Timestamp;
  /** The times of the commits that made it and that corrected it. */
  since: Timestamp;
  until?: Timestamp | undefined;
}

export class Conservation extends SeasonCheck {
  private readonly followers: readonly Follower[];
  private due = emptyCounts();
  /** Foreign writes that are not corrected, by the name of their receipt. */
  private readonly foreign = new Map<string, Foreign>();
  private corrected: Foreign[] = [];
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

  /** What a commit changes in the index. */
  private changesIn({ changes, isForeign }: Commit, { receipts, repairedAt }: Handled): IndexChange[] {
    const own: IndexChange[] = [];
    const corrected: IndexChange[] = [];
    const until = changes[0]?.time;
    for (const [name, one] of this.foreign) {
      if (!receipts.includes(name) && (repairedAt === undefined || one.at > repairedAt)) continue;
      this.foreign.delete(name);
      this.corrected.push({ ...one, until });
      corrected.push({ ...one, isCorrection: true });
    }
    for (const change of changes) {
      const { path, before, after, time } = change;
      if (parentOf(path) !== playersPath(this.key)) continue;
      const [counted, next] = [countedIn(before), countedIn(after)];
      if (counted === next) continue;
      const player = path.slice(playersPath(this.key).length + 1);
      if (!isForeign) {
        own.push({ player, before: counted, after: next });
        continue;
      }
      const one = { player, before: counted, after: next, at: time, since: time };
      this.foreign.set(receiptOf(this.store, change), one);
    }
    return [...own, ...corrected];
  }

  /** @throws a violation */
  observe(commit: Commit): void {
    const { changes } = commit;
    const handled = this.handledIn(changes);
    const counted = this.changesIn(commit, handled);
    for (const follower of this.followers) follower.observe(commit, counted, handled);
    const before = this.due;
    this.due = this.indexAt().index;
    for (const { data } of this.store.list(shardsPath(this.key))) addShard(this.due, data, -1);
    if (this.isForeignHand) return;
    const change = difference(this.due, before);
    const publishes = changes.some(
      ({ path, before: old, after }) =>
        [pagesPath(this.key), segmentPagesPath(this.key)].includes(parentOf(path)) &&
        !isDeepStrictEqual(old, after),
    );
    if (publishes) this.published(isEmpty(change));
    else
      insist(
        isEmpty(change),
        () => `conservation: a commit changed marks − drift − shards by ${textOf(change)}`,
      );
  }

  /** What is marked, and without the drift what is counted; at a time, by default now. */
  private indexAt(at?: Timestamp): { marks: Counts; index: Counts } {
    const [marks, index] = [emptyCounts(), emptyCounts()];
    for (const { data } of this.store.list(playersPath(this.key), at))
      move(marks, undefined, countedIn(data));
    addAll(index, marks, 1);
    const isDrift = ({ since, until }: Foreign) =>
      at === undefined ? until === undefined : since <= at && (until === undefined || until > at);
    for (const one of [...this.foreign.values(), ...(at === undefined ? [] : this.corrected)])
      if (isDrift(one)) move(index, one.after, one.before);
    return { marks, index };
  }

  /** Checks the pages just written, of the next generation or the same again, and remembers their truth. */
  private published(mayBeSame: boolean): void {
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
    const { players: held, unusable } = this.due;
    checkRows(this.order, pages, { players: playersIn(held), unusable });
    const segments = checkSegments(this.store, this.key, this.order, first, held);
    const isFull = first.segments_full === true;
    this.truths.set(this.last, { readAt: first.read_at, held, segments, isFull });
    if (isNext) for (const follower of this.followers) follower.published?.(first, held);
  }

  /** Lets a foreign hand write a shard. Whatever is published next must be a repair, which makes the rows right again. */
  byForeignHand(write: () => void) {
    this.isForeignHand = true;
    write();
    this.isForeignHand = false;
    for (const follower of this.followers) follower.lose?.();
  }

  /** The true answers of a published generation; undefined if it is too old, or need not rank the segment. */
  truthOf(wanted: number, segment?: string): Truth | undefined {
    const published = this.truths.get(wanted);
    if (published === undefined) return undefined;
    const { held, segments, isFull } = published;
    if (segment !== undefined && isFull && !segments.has(segment)) return undefined;
    return truthIn(this.order, playersIn(held, segment));
  }

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

  /** What was counted at a moment; undefined if it is too long ago. */
  at(moment: Timestamp, segment?: string): Moment | undefined {
    if (!this.store.isKept(moment)) return undefined;
    this.corrected = this.corrected.filter(({ until }) => until !== undefined && this.store.isKept(until));
    const { marks, index } = this.indexAt(moment);
    const apart = playersIn(difference(marks, index).players, segment);
    return {
      index: playersIn(index.players, segment),
      drift: [...apart.values()].reduce((sum, count) => sum + Math.abs(count), 0),
    };
  }

  /** The last generation published. */
  generation() {
    return this.last;
  }

  /** Whether foreign writes have changed marks that nobody has corrected. */
  drifts() {
    return this.foreign.size > 0;
  }
}

/** The name of the receipt under which an event corrects a foreign write. */
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

function emptyCounts(): Counts {
  return { players: new Map(), unusable: 0 };
}

const isEmpty = ({ players, unusable }: Counts) => players.size === 0 && unusable === 0;

const textOf = ({ players, unusable }: Counts) =>
  `{${[...players].map(([mark, count]) => `${mark}: ${count}`).join(", ")}} (unusable ${unusable})`;

function addAll(counts: Counts, changes: Counts, sign: number): void {
  for (const [mark, delta] of changes.players) add(counts.players, mark, sign * delta);
  counts.unusable += sign * changes.unusable;
}

function difference(counts: Counts, others: Counts): Counts {
  const result = emptyCounts();
  addAll(result, counts, 1);
  addAll(result, others, -1);
  return result;
}

function move(counts: Counts, before: Counted, after: Counted): void {
  for (const [counted, delta] of [
    [before, -1],
    [after, 1],
  ] as const) {
    if (counted === "unusable") counts.unusable += delta;
    else if (counted !== undefined) add(counts.players, counted, delta);
  }
}

function addShard(counts: Counts, data: Data | undefined, sign: number): void {
  for (const [field, delta] of Object.entries((data?.["player_count"] ?? {}) as Record<string, number>)) {
    insist(fieldToMark(field) !== undefined, () => `a shard has the key "${field}", which is no mark`);
    add(counts.players, field, sign * delta);
  }
  counts.unusable += sign * ((data?.["unusable"] as number | undefined) ?? 0);
}
