/**
 * Changes of many segments. A board may have a guild for each few players, and an instance of 512 MiB must hold what is
 * pending of a hundred thousand of them. So the changes of all small segments share three arrays, in which each takes 20
 * bytes; a large segment has a fold of its own. The sums take 16 bytes a score, and 10 and its name a segment. Pure.
 */
import { type Order, scoreOfKey, sortKey } from "../model/score.ts";
import { firstWhere } from "../model/search.ts";
import { addUpEqual, createFold, type Fold } from "./fold.ts";
import { noRows, type Rows } from "./rows.ts";

/** Different scores of a segment that are among those of others. */
const smallMax = 512;

/** Rankings by segment, such as `country=AT`. */
export interface SegmentRows {
  get(segment: string): Rows | undefined;
}

/** The sums of changes, by segment. A segment whose changes cancel out is not in it. */
export interface SegmentChanges extends SegmentRows, Iterable<ChangesOf> {
  of(segment: string): ChangesOf | undefined;
  /** What the sums take in memory. */
  bytes: number;
}

/** The changes of one segment. */
export interface ChangesOf {
  segment: string;
  /** Calls with each score that has a change, best first. */
  forEach(use: (score: number, change: number) => void): void;
}

/** Begins to add up changes. Memory: see above, twice that while it grows, and an entry of a map for each segment. */
// eslint-disable-next-line max-lines-per-function -- short functions over the same list
export function addSegmentChanges(order: Order) {
  const ids = new Map<string, number>();
  const folds = new Map<number, Fold>();
  /** A list of changes: whose, at which score, how many. */
  let owners = new Uint32Array(64);
  let keys = new Float64Array(64);
  let deltas = new Float64Array(64);
  let size = 0;

  /** Sorts the list by segment and score, and adds up equal ones. @returns where each segment ends, by id. */
  function tidy(): Uint32Array {
    const ends = new Uint32Array(ids.size);
    const raise = (counts: Uint32Array, id: number, by: number) => (counts[id] = (counts[id] ?? 0) + by);
    for (let i = 0; i < size; i++) raise(ends, owners[i] ?? 0, 1);
    for (let id = 1; id < ends.length; id++) raise(ends, id, ends[id - 1] ?? 0);
    const next = Uint32Array.from(ends, (_, id) => ends[id - 1] ?? 0);
    const keysById = new Float64Array(size);
    const deltasById = new Float64Array(size);
    for (let i = 0; i < size; i++) {
      const at = raise(next, owners[i] ?? 0, 1) - 1;
      keysById[at] = keys[i] ?? NaN;
      deltasById[at] = deltas[i] ?? NaN;
    }
    size = 0;
    for (let id = 0, start = 0; id < ends.length; id++) {
      const end = ends[id] ?? NaN;
      const own = keysById.subarray(start, end);
      const changes = deltasById.subarray(start, end);
      const length = end - start > 1 ? addUpEqual(own, changes, end - start) : end - start;
      for (let i = 0; i < length; i++) {
        if (changes[i] === 0) continue;
        owners[size] = id;
        keys[size] = own[i] ?? NaN;
        deltas[size] = changes[i] ?? NaN;
        size += 1;
      }
      start = end;
      ends[id] = size;
    }
    return ends;
  }

  /** Gives large segments folds of their own, and the list as much room again as it needs. */
  function makeRoom(): void {
    const ends = tidy();
    const isLarge = (id: number) => (ends[id] ?? NaN) - (ends[id - 1] ?? 0) > smallMax;
    let left = 0;
    for (let i = 0; i < size; i++) {
      const id = owners[i] ?? 0;
      const key = keys[i] ?? NaN;
      const delta = deltas[i] ?? NaN;
      if (isLarge(id)) {
        const fold = folds.get(id) ?? createFold(order, noRows);
        folds.set(id, fold);
        fold.add(scoreOfKey(order, key), delta);
        continue;
      }
      owners[left] = id;
      keys[left] = key;
      deltas[left] = delta;
      left += 1;
    }
    size = left;
    if (size < keys.length / 2) return;
    owners = new Uint32Array(owners.buffer.transfer(2 * owners.byteLength));
    keys = new Float64Array(keys.buffer.transfer(2 * keys.byteLength));
    deltas = new Float64Array(deltas.buffer.transfer(2 * deltas.byteLength));
  }

  return {
    add(segment: string, score: number, change: number): void {
      const id = ids.get(segment) ?? ids.size;
      if (id === ids.size) ids.set(segment, id);
      // This comes first, as it may give the segment a fold of its own.
      if (size === keys.length) makeRoom();
      const fold = folds.get(id);
      if (fold !== undefined) {
        fold.add(score, change);
        return;
      }
      owners[size] = id;
      keys[size] = sortKey(order, score);
      deltas[size] = change;
      size += 1;
    },
    /** The sums. Nothing can be added after this. */
    finish(): SegmentChanges {
      const ends = tidy();
      const scores = Float64Array.from(keys.subarray(0, size), (key) => scoreOfKey(order, key));
      const sums = { ends, scores, changes: deltas.slice(0, size) };
      const large = new Map([...folds].map(([id, fold]) => [id, fold.finish()]));
      return segmentChanges(namesOf(ids), sums, large);
    },
  };
}

interface SmallSums {
  /** Where each segment ends, by id. */
  ends: Uint32Array;
  scores: Float64Array;
  changes: Float64Array;
}

/** The names of segments, in order. */
interface SegmentNames {
  /** One text of all, as a text for each takes twice its length; and where each ends. */
  text: string;
  ends: Uint32Array;
  ids: Uint32Array;
}

function namesOf(ids: ReadonlyMap<string, number>): SegmentNames {
  const sorted = [...ids.keys()].sort();
  let length = 0;
  return {
    text: sorted.join(""),
    ends: Uint32Array.from(sorted, (segment) => (length += segment.length)),
    ids: Uint32Array.from(sorted, (segment) => ids.get(segment) ?? 0),
  };
}

function segmentChanges(
  { text, ends: nameEnds, ids }: SegmentNames,
  { ends, scores, changes }: SmallSums,
  large: ReadonlyMap<number, Rows>,
): SegmentChanges {
  const nameAt = (index: number) => text.slice(nameEnds[index - 1] ?? 0, nameEnds[index]);
  function rowsAt(index: number): Rows | undefined {
    const id = ids[index] ?? NaN;
    const start = ends[id - 1] ?? 0;
    const end = ends[id];
    const own = scores.subarray(start, end);
    const rows = large.get(id) ?? { scores: own, lows: own, players: changes.subarray(start, end) };
    return rows.scores.length === 0 ? undefined : rows;
  }
  function indexOf(segment: string): number | undefined {
    const index = firstWhere(ids, (_, at) => nameAt(at) >= segment);
    return index < ids.length && nameAt(index) === segment ? index : undefined;
  }
  const get = (segment: string) => {
    const index = indexOf(segment);
    return index === undefined ? undefined : rowsAt(index);
  };
  const changesOf = (segment: string, { scores: at, players }: Rows): ChangesOf => ({
    segment,
    forEach(use) {
      at.forEach((score, row) => use(score, players[row] ?? NaN));
    },
  });
  let inLarge = 0;
  for (const rows of large.values()) inLarge += rows.scores.length;
  return {
    get,
    of(segment) {
      const rows = get(segment);
      return rows && changesOf(segment, rows);
    },
    *[Symbol.iterator]() {
      for (const index of ids.keys()) {
        const rows = rowsAt(index);
        if (rows !== undefined) yield changesOf(nameAt(index), rows);
      }
    },
    bytes: text.length + 12 * ids.length + 16 * scores.length + 24 * inLarge,
  };
}

export const noChangesOfSegments = addSegmentChanges("descending").finish();
