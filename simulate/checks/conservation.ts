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
import { type Page, readPage } from "../../functions/src/documents/page.ts";
import {
  pagesPath,
  playersPath,
  receiptsPath,
  repairNotePath,
  type SeasonKey,
  seasonPath,
  segmentPagesPath,
  shardsPath,
} from "../../functions/src/documents/paths.ts";
import { storedSegmentPage } from "../../functions/src/documents/segment-page.ts";
import { segmentsRankedMax, transactionMsMax } from "../../functions/src/model/limits.ts";
import { type Order, sortKey } from "../../functions/src/model/score.ts";
import { fieldToMark } from "../../functions/src/model/segments.ts";
import { checkSum, unpackChecks } from "../../functions/src/ranking/check-sum.ts";
import { type Data, parentOf, type Store } from "../memory/store.ts";
import type { Commit, Follower, IndexChange } from "./generations.ts";
import { insist, Violation } from "./violation.ts";

/** Players of each mark; `unusable` counts documents that cannot be ranked. */
export interface Counts {
  players: Map<string, number>;
  unusable: number;
}

/** The truth behind the rows of a generation, of all players or of a segment: scores with players, best first. */
export interface Truth {
  scores: number[];
  players: number[];
  /** Players whom corrections have taken out of rows before others put them in, as these have no order. */
  owed: number;
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
  until?: Timestamp;
}

export class Conservation {
  private readonly store: Store;
  private readonly key: SeasonKey;
  private readonly order: Order;
  private readonly followers: readonly Follower[];
  private readonly paths: Record<"pages" | "segments" | "shards" | "players" | "receipts" | "note", string>;
  private due = emptyCounts();
  /** Foreign writes that are not corrected, by the name of their receipt. */
  private readonly foreign = new Map<string, Foreign>();
  private corrected: Foreign[] = [];
  private isForeignHand = false;
  private readonly truths = new Map<number, Published>();
  private last = 0;

  constructor(store: Store, key: SeasonKey, order: Order, followers: readonly Follower[]) {
    this.store = store;
    this.key = key;
    this.order = order;
    this.followers = followers;
    this.paths = {
      pages: pagesPath(this.key),
      segments: segmentPagesPath(this.key),
      shards: shardsPath(this.key),
      players: playersPath(this.key),
      receipts: receiptsPath(this.key),
      note: repairNotePath(this.key),
    };
  }

  /** What a commit changes in the index. */
  private changesIn({ changes, isForeign }: Commit): IndexChange[] {
    const own: IndexChange[] = [];
    const corrected: IndexChange[] = [];
    const ends = (name: string, until: Timestamp) => {
      const one = this.foreign.get(name);
      if (one === undefined) return;
      this.foreign.delete(name);
      this.corrected.push({ ...one, until });
      corrected.push({ ...one, isCorrection: true });
    };
    for (const { path, was, before, after, time } of changes) {
      if (parentOf(path) === this.paths.receipts && before === undefined)
        ends(path.slice(this.paths.receipts.length + 1), time);
      if (
        path === this.paths.note &&
        after !== undefined &&
        !isDeepStrictEqual(before?.["repaired_at"], after["repaired_at"])
      )
        for (const [name, { at }] of this.foreign)
          if (at <= (after["repaired_at"] as Timestamp)) ends(name, time);
      if (parentOf(path) !== this.paths.players) continue;
      const [counted, next] = [countedIn(before), countedIn(after)];
      if (counted === next) continue;
      const player = path.slice(this.paths.players.length + 1);
      if (!isForeign) {
        own.push({ player, before: counted, after: next });
        continue;
      }
      const present = this.store.get(path);
      const name =
        present === undefined
          ? `destroyed-${versionName(path, was?.updateTime ?? new Timestamp(0, 0))}`
          : `written-${versionName(path, present.updateTime)}`;
      const at = present?.updateTime ?? this.store.now();
      this.foreign.set(name, { player, before: counted, after: next, at, since: time });
    }
    return [...own, ...corrected];
  }

  /** @throws a violation */
  observe(commit: Commit): void {
    const { changes } = commit;
    const counted = this.changesIn(commit);
    for (const follower of this.followers) follower.observe(commit, counted);
    const before = this.due;
    this.due = this.indexAt().index;
    for (const { data } of this.store.list(this.paths.shards)) addShard(this.due, data, -1);
    if (this.isForeignHand) return;
    const change = difference(this.due, before);
    const publishes = changes.some(
      ({ path, before: old, after }) =>
        [this.paths.pages, this.paths.segments].includes(parentOf(path)) && !isDeepStrictEqual(old, after),
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
    for (const { data } of this.store.list(this.paths.players, at)) move(marks, undefined, countedIn(data));
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

function add<Name>(counts: Map<Name, number>, name: Name, delta: number): void {
  const sum = (counts.get(name) ?? 0) + delta;
  if (sum === 0) counts.delete(name);
  else counts.set(name, sum);
}

/** The players at each score, of all marks or of those in a segment. */
export function playersIn(marks: Iterable<readonly [string, number]>, segment?: string): Map<number, number> {
  const players = new Map<number, number>();
  for (const [field, count] of marks) {
    const { score = NaN, segments = [] } = fieldToMark(field) ?? {};
    if (segment === undefined || segments.includes(segment)) add(players, score, count);
  }
  return players;
}

/** What rows with these players have to say. */
export function truthIn(order: Order, held: ReadonlyMap<number, number>): Truth {
  const scores = [...held.keys()].sort((a, b) => sortKey(order, a) - sortKey(order, b));
  const shown = scores.filter((score) => (held.get(score) ?? 0) > 0);
  const owed = [...held.values()].reduce((sum, count) => sum + Math.max(0, -count), 0);
  return { scores: shown, players: shown.map((score) => held.get(score) ?? 0), owed };
}

/** All pages, which must be of one generation, the one that the season names. @throws a violation */
export function wholeGeneration(store: Store, key: SeasonKey): Page[] {
  const pages = store.list(pagesPath(key)).map(({ data }) => readPage(data));
  pages.sort((a, b) => a.page - b.page);
  const [first] = pages;
  pages.forEach((page, i) => {
    insist(
      page.page === i && page.pages === pages.length && page.generation === first?.generation,
      () =>
        `whole generations: page ${page.page} of ${page.pages}, generation ${page.generation}, is the ${i + 1}th of ${pages.length}`,
    );
  });
  const season = store.get(seasonPath(key))?.data["ranking"] as { generation?: number } | undefined;
  insist(
    (season?.generation ?? 0) === (first?.generation ?? 0),
    () => `whole generations: the season names ${season?.generation}, the pages are of ${first?.generation}`,
  );
  return pages;
}

/**
 * Checks the pages of segments: they are of the same generation as page 0, and their rows hold exactly the players due in
 * each segment. Only where as many are ranked as can be, others may be left out. @returns the segments that are ranked
 * @throws a violation
 */
export function checkSegments(
  store: Store,
  key: SeasonKey,
  order: Order,
  { generation, segment_pages: count = 0, segments_full: isFull }: Page,
  marks: ReadonlyMap<string, number>,
): Set<string> {
  const pages = store.list(segmentPagesPath(key)).map(({ data }) => storedSegmentPage.parse(data));
  pages.sort((a, b) => a.page - b.page);
  const isWhole = pages.every(
    (page, i) => page.page === i && page.pages === count && page.generation === generation,
  );
  insist(
    isWhole && pages.length === count,
    () =>
      `whole generations: ${pages.map((page) => `${page.page} of ${page.pages}, ${page.generation}`).join("; ")} are the pages of segments beside ${count}, ${generation}`,
  );
  const ranked = Map.groupBy(
    pages.flatMap(({ parts }) => parts),
    ({ segment }) => segment,
  );
  for (const [segment, parts] of ranked) {
    try {
      const players = playersIn(marks, segment);
      checkRows(order, parts, { players });
      const { scores, players: shown } = truthIn(order, players);
      const sum = shown.reduce((total, one) => total + one, 0);
      insist(
        parts.every((part) => part.players === sum && part.rows <= scores.length),
        () => `conservation: ${sum} players are due, shown are ${parts[0]?.players}`,
      );
    } catch (error) {
      throw new Violation(`${String(error)} in ${segment} of ${key.season}`, { cause: error });
    }
  }
  const named = new Set([...marks.keys()].flatMap((field) => fieldToMark(field)?.segments ?? []));
  const missing = [...named].filter((segment) => !ranked.has(segment));
  insist(
    isFull === true ? ranked.size === segmentsRankedMax : missing.length === 0,
    () => `conservation: ${missing.join()} of ${key.season} is not ranked beside ${ranked.size} others`,
  );
  return new Set(ranked.keys());
}

/**
 * Checks that each row holds exactly the players due in it, with their check sum where it is merged, and that none are
 * due outside the rows. @throws a violation
 */
export function checkRows(
  order: Order,
  pages: readonly (Rows & Partial<Page>)[],
  due: { players: ReadonlyMap<number, number>; unusable?: number },
): void {
  const rows = pages.flatMap(rowsOf).sort((a, b) => sortKey(order, a.score) - sortKey(order, b.score));
  const left = [...due.players].map(([score, players]) => ({ key: sortKey(order, score), score, players }));
  left.sort((a, b) => a.key - b.key);
  let next = 0;
  for (const { score, low, players, check } of rows) {
    let sum = 0;
    let checked = 0;
    const from = sortKey(order, score);
    const to = sortKey(order, low);
    for (; next < left.length; next++) {
      const change = left[next];
      if (change === undefined || change.key > to) break;
      insist(change.key >= from, () => `conservation: no row covers ${change.score}, due ${change.players}`);
      sum += change.players;
      checked = (checked + checkSum(change.score, change.players)) | 0;
    }
    insist(
      sum === players,
      () => `conservation: the row of ${score} to ${low} has ${players} players, due are ${sum}`,
    );
    insist(
      score === low || check === checked,
      () => `conservation: the row of ${score} to ${low} has another check sum than the players due in it`,
    );
  }
  insist(
    next === left.length,
    () => `conservation: no row covers ${left[next]?.score}, due ${left[next]?.players}`,
  );
  const unusable = pages[0]?.unusable_scores;
  insist(
    unusable === due.unusable,
    () => `conservation: ${unusable} unusable scores are shown, due are ${due.unusable}`,
  );
}

type Rows = Pick<Page, "scores" | "lows" | "players_above" | "players_until" | "checks" | "owed">;

function rowsOf({ scores, lows, players_above: above, players_until: until, checks = "", owed = [] }: Rows) {
  const checkAt = unpackChecks(checks);
  const shown = scores.map((score, i) => ({
    score,
    low: lows?.[i] ?? score,
    players: (above[i + 1] ?? until) - (above[i] ?? NaN),
    check: checkAt(i),
  }));
  return [...shown, ...owed];
}
