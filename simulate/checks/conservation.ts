/**
 * Conservation and whole generations, after every commit: rows + shards = histogram of the index entries. The rows of a
 * counted ranking are the players at its read time.
 *
 * What the rows must hold, `entries − shards` for each score, is updated from each commit's changes. A commit that does
 * not touch the pages must not change it at all. A commit that does has to leave a whole generation, the next one or
 * the same, whose rows are compared with it. So this is the full check at the cost of the changes alone; {@link
 * recount} does it from scratch.
 */
import { isDeepStrictEqual } from "node:util";
import type { Timestamp } from "../../functions/src/documents/firestore.ts";
import { type Page, readPage } from "../../functions/src/documents/page.ts";
import {
  pagesPath,
  playersPath,
  type SeasonKey,
  seasonPath,
  shardsPath,
} from "../../functions/src/documents/paths.ts";
import { fieldToScore, isScore, type Order, sortKey } from "../../functions/src/model/score.ts";
import type { Data } from "../memory/fields.ts";
import { type Change, parentOf, type Store } from "../memory/store.ts";
import type { Generations } from "./generations.ts";
import { isIndexLeft, sourceOf } from "./source.ts";
import { insist } from "./violation.ts";

/** Players at each score; `unusable` counts documents that cannot be ranked. */
export interface Counts {
  players: Map<number, number>;
  unusable: number;
}

/** The truth behind a generation's rows: scores with players, best first. */
export interface Truth {
  generation: number;
  scores: number[];
  players: number[];
}

export interface Conservation {
  /**
   * @param isRebuilt whether a rebuild commits: that of a counted board counts documents too that are not complete yet, and
   * that no run counts.
   * @throws a violation
   */
  observe(changes: readonly Change[], isRebuilt?: boolean): void;
  /**
   * Lets a foreign hand write a shard. Whatever is published next must be a rebuild, which makes the rows right again.
   */
  byForeignHand(write: () => void): void;
  /** Counts everything from scratch. @throws a violation */
  recount(): void;
  /** The true answers of a published generation; undefined if it is too old. */
  truthOf(generation: number): Truth | undefined;
  /** The last generation published. */
  generation(): number;
}

/** Generations whose truth is kept for late readers. */
const truthsKept = 500;

/** Counts from nothing. It is one function, as each commit changes the sums that the next one is compared with. */
export function createConservation(
  store: Store,
  key: SeasonKey,
  order: Order,
  generations: Generations,
): Conservation {
  const paths = {
    pages: pagesPath(key),
    shards: shardsPath(key),
    entries: `${seasonPath(key)}/index_entries`,
  };
  let due: Counts = emptyCounts();
  /**
   * How much `entries − shards` has moved since the board left its index: the entries of erased players are still
   * deleted, but the rows are not updated, and a run that remembers the index may publish them again.
   */
  let erased: Counts = emptyCounts();
  let isForeign = false;
  const truths = new Map<number, Truth>();
  let generation = 0;

  /** Adds a document's counts. Returns whether it has any. */
  function addDocument(counts: Counts, path: string, data: Data | undefined, sign: number): void {
    if (data === undefined) return;
    const parent = parentOf(path);
    if (parent === paths.entries) addEntry(counts, data, sign);
    else if (parent === paths.shards) addShard(counts, data, -sign);
  }

  function observe(changes: readonly Change[], isRebuilt = false): void {
    const moved = emptyCounts();
    let publishes = false;
    for (const { path, before, after } of changes) {
      addDocument(moved, path, before, -1);
      addDocument(moved, path, after, 1);
      if (parentOf(path) === paths.pages && isPublication(before, after)) publishes = true;
    }
    const isCounted = sourceOf(store, key) === "count";
    if (isCounted) generations.lose();
    else generations.observe(changes);
    if (!publishes && isCounted) {
      addAll(erased, moved, 1);
      return;
    }
    if (!isCounted) {
      addAll(due, erased, 1);
      erased = emptyCounts();
    }
    if (isForeign) {
      addAll(due, moved, 1);
      return;
    }
    if (!publishes) {
      insist(moved.players.size === 0 && moved.unusable === 0, () => {
        const counts = [...moved.players].map(([score, players]) => `${score}: ${players}`).join(", ");
        return `conservation: a commit changed entries − shards by {${counts}} (unusable ${moved.unusable})`;
      });
      return;
    }
    addAll(due, moved, 1);
    published(moved.players.size === 0 && moved.unusable === 0, isRebuilt);
  }

  /** Checks the pages just written, of the next generation or the same again, and remembers their truth. */
  function published(mayBeSame: boolean, isRebuilt: boolean): void {
    const pages = wholeGeneration(store, key, paths.pages);
    const first = pages[0];
    insist(first !== undefined, () => "whole generations: the pages are gone");
    insist(
      first.generation === generation + 1 || (mayBeSame && first.generation === generation),
      () => `whole generations: generation ${first.generation} was published after ${generation}`,
    );
    const isNext = first.generation > generation;
    generation = first.generation;
    const isCounted = first.source === "count";
    truths.delete(generation - truthsKept);
    const held = isCounted ? playersAt(store, key, first.read_at) : due;
    if (held === undefined || (isCounted && isRebuilt)) return;
    checkRows(order, pages, held);
    const scores = [...held.players.keys()].sort((a, b) => sortKey(order, a) - sortKey(order, b));
    const shown = scores.filter((score) => (held.players.get(score) ?? 0) > 0);
    truths.set(generation, {
      generation,
      scores: shown,
      players: shown.map((score) => held.players.get(score) ?? 0),
    });
    if (isNext && !isCounted && sourceOf(store, key) !== "count") generations.published(first, due.players);
  }

  function recount(): void {
    const counts = emptyCounts();
    for (const parent of [paths.entries, paths.shards])
      for (const { path, data } of store.list(parent)) addDocument(counts, path, data, 1);
    addAll(counts, erased, -1);
    due = counts;
    const pages = wholeGeneration(store, key, paths.pages);
    // The index is no longer maintained, as the board's players are counted, or waits for a full rebuild.
    if (isIndexLeft(store, key)) return;
    if (pages.length > 0) checkRows(order, pages, counts);
    else
      insist(
        counts.players.size === 0 && counts.unusable === 0,
        () => "conservation: entries − shards is not empty",
      );
  }

  function byForeignHand(write: () => void): void {
    isForeign = true;
    write();
    isForeign = false;
    generations.lose();
  }

  return {
    observe,
    byForeignHand,
    recount,
    truthOf: (wanted) => truths.get(wanted),
    generation: () => generation,
  };
}

/** Whether a page changes in more than when the index was left to counts, which a change of the source writes. */
function isPublication(before: Data | undefined, after: Data | undefined): boolean {
  const told = (page: Data | undefined) => ({ ...page, left_to_counts_at: undefined });
  return !isDeepStrictEqual(told(before), told(after));
}

/** The players that a query finds at a moment, which a counted ranking must hold; undefined if that is too long ago. */
export function playersAt(store: Store, key: SeasonKey, moment: Timestamp): Counts | undefined {
  const at = store.kept(moment);
  if (at === undefined) return undefined;
  const counts = emptyCounts();
  for (const { data } of store.list(playersPath(key), at)) {
    const { status, achieved_at: since, score } = data;
    if (status === "active" && since !== undefined && isScore(score)) add(counts.players, score, 1);
  }
  return counts;
}

function emptyCounts(): Counts {
  return { players: new Map(), unusable: 0 };
}

function addAll(counts: Counts, changes: Counts, sign: number): void {
  for (const [score, delta] of changes.players) add(counts.players, score, sign * delta);
  counts.unusable += sign * changes.unusable;
}

function addEntry(counts: Counts, { score }: Data, sign: number): void {
  if (typeof score === "number") add(counts.players, score, sign);
  else counts.unusable += sign;
}

function addShard(counts: Counts, { player_count: changes, unusable }: Data, sign: number): void {
  for (const [field, delta] of Object.entries((changes ?? {}) as Record<string, number>)) {
    const score = fieldToScore(field);
    insist(score !== undefined, () => `a shard has the key "${field}", which is no score`);
    add(counts.players, score, sign * delta);
  }
  counts.unusable += sign * ((unusable as number | undefined) ?? 0);
}

function add(counts: Map<number, number>, score: number, delta: number): void {
  const sum = (counts.get(score) ?? 0) + delta;
  if (sum === 0) counts.delete(score);
  else counts.set(score, sum);
}

/** All pages, which must be of one generation, the one that the season names. @throws a violation */
export function wholeGeneration(store: Store, key: SeasonKey, pagesOf: string): Page[] {
  const pages = store.list(pagesOf).map(({ data }) => readPage(data));
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
 * Checks that each row holds exactly the players due in it, and that none are due outside the rows. @throws a violation
 */
export function checkRows(order: Order, pages: readonly Page[], due: Counts): void {
  const rows = pages.flatMap(rowsOf).sort((a, b) => sortKey(order, a.score) - sortKey(order, b.score));
  const left = [...due.players].map(([score, players]) => ({ key: sortKey(order, score), score, players }));
  left.sort((a, b) => a.key - b.key);
  let next = 0;
  for (const { score, low, players } of rows) {
    let sum = 0;
    const from = sortKey(order, score);
    const to = sortKey(order, low);
    for (; next < left.length; next++) {
      const change = left[next];
      if (change === undefined || change.key > to) break;
      insist(change.key >= from, () => `conservation: no row covers ${change.score}, due ${change.players}`);
      sum += change.players;
    }
    insist(
      sum === players,
      () => `conservation: the row of ${score} to ${low} has ${players} players, due are ${sum}`,
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

function rowsOf({ scores, lows, players_above: above, players_until: until, owed = [] }: Page) {
  const shown = scores.map((score, i) => ({
    score,
    low: lows?.[i] ?? score,
    players: (above[i + 1] ?? until) - (above[i] ?? NaN),
  }));
  return [...shown, ...owed];
}
