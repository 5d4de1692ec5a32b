/**
 * Values that are left out: they are not ranked, as their segment has too many values. All that is known of them is how
 * many players they have together, and a check sum of these players' scores. Both are sums of changes, as rows are. So it
 * is known when nobody is left in them: a player who comes after that comes into a value that had nobody. Pure.
 */
import type { LeftOutSum } from "../documents/page.ts";
import { valuesRankedMax } from "../model/limits.ts";
import { otherSegments, segmentName } from "../model/segments.ts";
import { checkSum } from "./check-sum.ts";
import { checkOf, type Rows } from "./rows.ts";
import type { ChangesOf } from "./segment-changes.ts";

/** By the name of the segment; {@link otherSegments} for all that the board does not have. */
export type LeftOut = ReadonlyMap<string, LeftOutSum>;

export const nothing: LeftOutSum = { players: 0, check: 0 };
export const isNothing = ({ players, check }: LeftOutSum) => players === 0 && check === 0;

export function addedUp(a: LeftOutSum, b: LeftOutSum): LeftOutSum {
  return { players: a.players + b.players, check: (a.check + b.check) | 0 };
}

/** The sum of a segment's changes. */
export function sumOfChanges(changes: ChangesOf): LeftOutSum {
  let players = 0;
  let check = 0;
  changes.forEach((score, change) => {
    players += change;
    check = (check + checkSum(score, change)) | 0;
  });
  return { players, check: Math.imul(check, oddHashOf(changes.segment)) };
}

/** The sum of a segment's rows. */
export function sumOfRows(segment: string, rows: Rows): LeftOutSum {
  let players = 0;
  let check = 0;
  rows.players.forEach((count, row) => {
    players += count;
    check = (check + checkOf(rows, row)) | 0;
  });
  return { players, check: Math.imul(check, oddHashOf(segment)) };
}

/** An odd number for each segment, so that equal scores of two do not cancel out: FNV-1a, https://www.rfc-editor.org/rfc/rfc9923. */
function oddHashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash | 1;
}

/** The values of one segment of the board, or of all segments that the board does not have. */
interface SegmentGroup {
  /** The values that are left out. */
  sum: LeftOutSum;
  /** The values that may be ranked: all of their players are known. */
  values: SegmentValue[];
}

interface SegmentValue {
  segment: string;
  sum: LeftOutSum;
  /** Whether it was ranked before. */
  isRanked: boolean;
  /** Made only of those that are ranked, as there may be a hundred thousand others. */
  rows: () => Rows;
}

/**
 * The groups, and a function that finds the group of a segment with its value. A segment that the board has got since
 * belongs to the others while values of the others are left out, as its own players may be among them.
 * @param names of the board's segments. @param before what was left out of the ranking before.
 */
export function groupsOf(names: readonly string[], before: LeftOut) {
  let others = before.get(otherSegments) ?? nothing;
  const own = names.filter((name) => before.has(name) || isNothing(others));
  for (const [name, sum] of before)
    if (name !== otherSegments && !own.includes(name)) others = addedUp(others, sum);
  const groups = new Map<string, SegmentGroup>();
  for (const name of own) groups.set(name, { sum: before.get(name) ?? nothing, values: [] });
  const ofOthers: SegmentGroup = { sum: others, values: [] };
  groups.set(otherSegments, ofOthers);
  return {
    of: (segment: string) => groups.get(segmentName(segment)) ?? ofOthers,
    groups,
  };
}

/**
 * Chooses the values of a group that are ranked: first the values that were ranked before, then the values with the most
 * players, equal ones by name. All others are added to what is left out.
 */
export function rankedOf(group: SegmentGroup, max = valuesRankedMax): SegmentValue[] {
  const inOrder = group.values.toSorted(
    (a, b) =>
      Number(b.isRanked) - Number(a.isRanked) ||
      b.sum.players - a.sum.players ||
      (a.segment < b.segment ? -1 : 1),
  );
  for (const { sum } of inOrder.slice(max)) group.sum = addedUp(group.sum, sum);
  return inOrder.slice(0, max);
}

/** What is left out, by group. Nothing, if it is nothing in each group: then every value is known. */
export function leftOutOf(groups: ReadonlyMap<string, SegmentGroup>): LeftOut {
  const sums = [...groups].map(([name, { sum }]) => [name, sum] as const);
  return new Map(sums.every(([, sum]) => isNothing(sum)) ? [] : sums);
}

/** Players who are left out, by segment: what owners are told. */
export function playersLeftOut(leftOut: LeftOut): Record<string, number> | undefined {
  const players = [...leftOut].flatMap(([name, sum]) =>
    isNothing(sum) ? [] : [[name, sum.players] as const],
  );
  return players.length === 0 ? undefined : Object.fromEntries(players);
}
