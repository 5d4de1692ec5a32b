/** A ranking in memory: the rows of all players and those of each segment, folded from the same marks. Pure. */
import { rowsMax, segmentRowsMax, segmentsRankedMax } from "../model/limits.ts";
import type { Order } from "../model/score.ts";
import { fieldToMark } from "../model/segments.ts";
import { addRows, createFold, type Fold } from "./fold.ts";
import { mergeRows, mergeTogether } from "./merge.ts";
import { dropEmptyRows, isExact, noRows, type Rows } from "./rows.ts";

export interface Ranked {
  rows: Rows;
  /** By segment, such as `country=AT`, in order. One without players goes, unless `isFull`. */
  segments: ReadonlyMap<string, Rows>;
  /**
   * Whether marks named more values than are ranked. From then on no other value comes in, as what was left out of it is
   * not known; only a ranking that is made anew begins again.
   */
  isFull: boolean;
}

export const noneRanked: Ranked = { rows: noRows, segments: new Map(), isFull: false };

/** A fold of marks: each changes the rows of all players, and those of its segments. */
export interface MarkFold {
  /** Adds `delta` players more, or fewer, of a mark, by its key. */
  add(field: string, delta: number): void;
  addRanked(ranked: Ranked, sign: 1 | -1): void;
  finish(): Ranked;
}

/**
 * Begins a fold on top of a ranking, which is not changed. Memory: as fold.ts, and 1 KB for each segment that changes.
 * @param segmentsMax how many segments may be ranked.
 */
export function createMarkFold(
  order: Order,
  { rows, segments, isFull }: Ranked = noneRanked,
  segmentsMax = segmentsRankedMax,
): MarkFold {
  const whole = createFold(order, rows);
  const folds = new Map<string, Fold>();
  let ranked = segments.size;
  let isOver = isFull;

  function foldOf(segment: string): Fold | undefined {
    const known = folds.get(segment);
    if (known !== undefined) return known;
    const before = segments.get(segment);
    if (before === undefined) {
      isOver ||= ranked >= segmentsMax;
      if (isOver) return undefined;
      ranked += 1;
    }
    const fold = createFold(order, before ?? noRows);
    folds.set(segment, fold);
    return fold;
  }

  return {
    add(field, delta) {
      const mark = fieldToMark(field);
      if (mark === undefined) return;
      whole.add(mark.score, delta);
      for (const segment of mark.segments) foldOf(segment)?.add(mark.score, delta);
    },
    addRanked(other, sign) {
      addRows(whole, other.rows, sign);
      for (const [segment, some] of other.segments) {
        const fold = foldOf(segment);
        if (fold !== undefined) addRows(fold, some, sign);
      }
    },
    finish() {
      const names = [...new Set([...segments.keys(), ...folds.keys()])].sort();
      const finished = names.map((name): [string, Rows] => [
        name,
        folds.get(name)?.finish() ?? segments.get(name) ?? noRows,
      ]);
      const kept = finished.filter(([, some]) => isOver || some.scores.length > 0);
      return { rows: whole.finish(), segments: new Map(kept), isFull: isOver };
    },
  };
}

/** A ranking with at most as many rows as a generation may have: see merge.ts. One that fits is returned unchanged. */
export function mergeRanked({ rows, segments, isFull }: Ranked): Ranked {
  const merged = mergeTogether([...segments.values()].map(dropEmptyRows), segmentRowsMax);
  const names = [...segments.keys()];
  return {
    rows: mergeRows(dropEmptyRows(rows), rowsMax),
    segments: new Map(merged.map((some, i) => [names[i] ?? "", some])),
    isFull,
  };
}

/** Whether every row is one score, and no more rows than may be. */
export function needsNoMerge({ rows, segments }: Ranked): boolean {
  const all = [...segments.values()];
  const ofSegments = all.reduce((sum, { scores }) => sum + scores.length, 0);
  return rows.scores.length <= rowsMax && ofSegments <= segmentRowsMax && isExact(rows) && all.every(isExact);
}
