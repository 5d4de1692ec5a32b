/** A ranking in memory: the rows of all players and those of each segment, folded from the same marks. Pure. */
import { rowsMax, segmentRowsMax, valuesRankedMax } from "../model/limits.ts";
import type { Order } from "../model/score.ts";
import { type MarkCounted, segmentName } from "../model/segments.ts";
import { addRows, createFold } from "./fold.ts";
import {
  addedUp,
  groupsOf,
  isNothing,
  type LeftOut,
  leftOutOf,
  rankedOf,
  sumOfChanges,
  sumOfRows,
} from "./left-out.ts";
import { mergeRows, mergeTogether } from "./merge.ts";
import { dropEmptyRows, isExact, noRows, type Rows } from "./rows.ts";
import {
  addSegmentChanges,
  type ChangesOf,
  noChangesOfSegments,
  type SegmentChanges,
} from "./segment-changes.ts";
import { type Total, totalAfter, type Totals } from "./totals.ts";

export interface Ranked {
  rows: Rows;
  /** By segment, such as `country=AT`, in order: those that have players. */
  segments: ReadonlyMap<string, Rows>;
  /** What is known of the values that are not ranked. */
  leftOut: LeftOut;
  /** The totals of teams: those that are known after a fold; of a ranking that was read, those stored beside its rows. */
  totals: Totals;
}

export const noneRanked: Ranked = {
  rows: noRows,
  segments: new Map(),
  leftOut: new Map(),
  totals: new Map(),
};

/** What pending shards change: in the ranking of all players, and in each segment. */
export interface PendingChanges {
  rows: Rows;
  segments: SegmentChanges;
}

export const noneChanged: PendingChanges = { rows: noRows, segments: noChangesOfSegments };

/** Which values of segments a ranking has. */
export interface Choice {
  /** The names of the board's segments. Each ranks so many values; all segments that the board has no more, together as many. */
  names: readonly string[];
  /** Values that stay ranked, besides the values of the ranking that was folded upon. */
  kept?: Pick<ReadonlySet<string>, "has">;
  /** How many values of a segment are ranked. */
  most?: number;
  /** The segments whose values are teams, see {@link teamSegments}. */
  teams?: ReadonlyMap<string, number>;
}

/** A fold of marks: each mark changes the rows of all players, and the rows of its segments. */
export interface MarkFold {
  /** Adds `delta` players more, or fewer, who have a mark. */
  add(mark: MarkCounted, delta: number): void;
  addChanges(changes: PendingChanges, sign: 1 | -1): void;
  /** The next ranking. The fold cannot be used after this. */
  finish(choice: Choice): Ranked;
  /** The changes alone. The fold cannot be used after this. */
  changes(): PendingChanges;
}

/**
 * Begins a fold on top of a ranking, which is not changed. Memory: as fold.ts, and segment-changes.ts for segments.
 *
 * Any number of values may change: which of them are ranked is decided of the result (left-out.ts). So a value that nobody
 * has any more leaves its place to one that came in the same fold, and one that comes and goes takes none.
 */
export function createMarkFold(order: Order, before: Ranked = noneRanked): MarkFold {
  const whole = createFold(order, before.rows);
  const added = addSegmentChanges(order);

  return {
    add({ score, segments: named }, delta) {
      whole.add(score, delta);
      for (const segment of named) added.add(segment, score, delta);
    },
    addChanges(other, sign) {
      addRows(whole, other.rows, sign);
      for (const one of other.segments)
        one.forEach((score, change) => added.add(one.segment, score, sign * change));
    },
    finish: (choice) => ({
      rows: whole.finish(),
      ...choose(order, before, added.finish(), choice),
    }),
    changes: () => ({ rows: whole.finish(), segments: added.finish() }),
  };
}

/** Which values are ranked once these changes are folded in, and what is left out. */
function choose(
  order: Order,
  { segments, leftOut, totals }: Ranked,
  changes: SegmentChanges,
  { names, kept, most = valuesRankedMax, teams = new Map() }: Choice,
): Omit<Ranked, "rows"> {
  const { groups, of } = groupsOf(names, leftOut);
  for (const [segment, before] of segments) {
    const change = changes.of(segment);
    const now = change === undefined ? before : rowsWith(order, before, change);
    const value = { segment, sum: sumOfRows(segment, now), isRanked: true, rows: () => now };
    if (now.scores.length > 0) of(segment).values.push(value);
  }
  // Players who leave are added first: once nobody is left in what was left out, all players who come are known.
  for (const comes of [false, true]) {
    const known = new Set([...groups.values()].filter(({ sum }) => isNothing(sum)));
    for (const one of changes) {
      const { segment } = one;
      if (segments.has(segment)) continue;
      const sum = sumOfChanges(one);
      if (sum.players > 0 !== comes) continue;
      const group = of(segment);
      const isRanked = kept?.has(segment) === true;
      if (known.has(group))
        group.values.push({ segment, sum, isRanked, rows: () => rowsWith(order, noRows, one) });
      else group.sum = addedUp(group.sum, sum);
    }
  }
  const ranked = [...groups.values()].flatMap((group) => rankedOf(group, most));
  const inOrder = ranked.sort((a, b) => (a.segment < b.segment ? -1 : 1));
  const next = new Map(inOrder.map((value) => [value.segment, value.rows()]));
  const known = new Map<string, Total>();
  for (const [segment, rows] of next) {
    const counted = teams.get(segmentName(segment));
    if (counted === undefined) continue;
    const now = { rows, changes: changes.of(segment) };
    const total = totalAfter(order, totals.get(segment), now, counted);
    if (total !== undefined) known.set(segment, total);
  }
  return { segments: next, leftOut: leftOutOf(groups), totals: known };
}

/** Rows with changes. */
function rowsWith(order: Order, rows: Rows, changes: ChangesOf): Rows {
  const fold = createFold(order, rows);
  changes.forEach((score, change) => fold.add(score, change));
  return fold.finish();
}

/** A ranking with at most as many rows as a generation may have: see merge.ts. One that fits is returned unchanged. */
export function mergeRanked({ rows, segments, leftOut, totals }: Ranked): Ranked {
  const merged = mergeTogether([...segments.values()].map(dropEmptyRows), segmentRowsMax);
  const names = [...segments.keys()];
  return {
    rows: mergeRows(dropEmptyRows(rows), rowsMax),
    segments: new Map(merged.map((some, i) => [names[i] ?? "", some])),
    leftOut,
    totals,
  };
}

/** Whether every row is one score, and no more rows than may be. */
export function needsNoMerge({ rows, segments }: Ranked): boolean {
  const all = [...segments.values()];
  const ofSegments = all.reduce((sum, { scores }) => sum + scores.length, 0);
  return rows.scores.length <= rowsMax && ofSegments <= segmentRowsMax && isExact(rows) && all.every(isExact);
}
