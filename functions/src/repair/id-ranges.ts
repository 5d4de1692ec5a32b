/** Ranges of document ids, and where to cut one in two. Pure. */

/** Ids above `after`, up to and with `until`; without the two, all. */
export interface IdRange {
  after?: string | undefined;
  until?: string | undefined;
}

/** Ids hold no control characters, so a space is below all that follows a prefix. */
const lowestUnit = 0x20;
const highestAscii = 0x7f;
const highestUnit = 0xd7ff;

/**
 * An id between the ends of a range, in the middle of the strings and not of the documents, of which nothing is
 * known: a reader that cuts what is left of its range each time another is idle soon has them all at work.
 * @returns nothing where no id is between them that could be asked for.
 */
export function middleOf({ after = "", until }: IdRange): string | undefined {
  let same = 0;
  while (until !== undefined && same < after.length && after[same] === until[same]) same += 1;
  let high = until?.charCodeAt(same);
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

/** Firestore takes no id of these forms, not even as the end of a range. */
function askable(id: string): string | undefined {
  return id === "." || id === ".." || /^__.*__$/s.test(id) ? undefined : id;
}
