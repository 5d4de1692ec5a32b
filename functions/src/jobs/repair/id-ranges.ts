/** Ranges of document ids, and where to cut a range in two. Pure. */
import { numberInId } from "../../model/document-id.ts";

/** Ids after `after`, up to and including `until`; without both, all ids. */
export interface IdRange {
  after?: string | undefined;
  until?: string | undefined;
}

/** Ids contain no control characters, so a space sorts before anything that follows a prefix. */
const lowestUnit = 0x20;
const highestAscii = 0x7f;
const highestUnit = 0xd7ff;

/** Ids of 64-bit numbers, such as `__id7__`, sort before all other ids. */
const lowestNumber = -(2n ** 63n);
const highestNumber = 2n ** 63n - 1n;

/**
 * An id in the middle of a range; undefined if there is no id in between. If a range has ids of numbers and texts, its
 * middle is where the texts begin. Otherwise it is the middle of the numbers or of the texts, as nobody knows how
 * documents are spread.
 */
export function middleOf({ after = "", until = "" }: IdRange): string | undefined {
  const [from, to] = [numberInId(after), numberInId(until)];
  if (to !== undefined) return numberBetween(from === undefined ? lowestNumber : BigInt(from), BigInt(to));
  if (from === undefined) return textBetween(after, until);
  return BigInt(from) === highestNumber ? textBetween("", until) : `__id${highestNumber}__`;
}

function numberBetween(low: bigint, high: bigint): string | undefined {
  const middle = (low + high) / 2n;
  // 0 is no id.
  const numbers = [middle, middle + 1n, middle - 1n].filter((n) => n > low && n < high && n !== 0n);
  return numbers[0] === undefined ? undefined : `__id${numbers[0]}__`;
}

/** @param until empty if the range has no end */
function textBetween(after: string, until: string): string | undefined {
  let same = 0;
  while (until !== "" && same < after.length && after[same] === until[same]) same += 1;
  let high = until === "" ? undefined : until.charCodeAt(same);
  for (let i = same; i <= after.length; i++) {
    const low = i < after.length ? after.charCodeAt(i) : lowestUnit;
    const unit = between(low, high ?? (low < highestAscii - 1 ? highestAscii : highestUnit));
    if (unit !== undefined) return askable(after.slice(0, i) + String.fromCharCode(unit));
    high = undefined;
  }
  return undefined;
}

function between(low: number, high: number): number | undefined {
  const middle = (low + Math.min(high, highestUnit)) >> 1;
  const units = [middle, middle + 1].filter((unit) => unit > low && unit < high && unit !== 0x2f);
  return units[0];
}

/**
 * The id, if it may be the end of a range of texts: Firestore rejects some ids, and ids of numbers lie before all
 * texts.
 */
function askable(id: string): string | undefined {
  return id === "." || id === ".." || /^__.*__$/s.test(id) ? undefined : id;
}
