/** Ranges of document ids, and where to cut one in two. Pure. */

/** Ids after `after`, up to and including `until`; without both, all ids. */
export interface IdRange {
  after?: string | undefined;
  until?: string | undefined;
}

/** Ids contain no control characters, so a space sorts before anything that follows a prefix. */
const lowestUnit = 0x20;
const highestAscii = 0x7f;
const highestUnit = 0xd7ff;

/**
 * An id in the middle of a range: of the strings, as the spread of the documents is unknown; undefined if there is
 * none.
 */
export function middleOf({ after = "", until }: IdRange): string | undefined {
  let same = 0;
  while (
    until !== undefined &&
    // Stryker disable next-line ConditionalExpression,EqualityOperator: two equal ends are not a range
    same < after.length &&
    after[same] === until[same]
  )
    same += 1;
  let high = until?.charCodeAt(same);
  for (let i = same; i <= after.length; i++) {
    const low = i < after.length ? after.charCodeAt(i) : lowestUnit;
    // Stryker disable next-line ConditionalExpression,EqualityOperator,ArithmeticOperator: where a cut lies changes only the speed
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

/** Firestore rejects ids of these forms, even as the end of a range. */
function askable(id: string): string | undefined {
  return id === "." || id === ".." || /^__.*__$/s.test(id) ? undefined : id;
}
