/**
 * Check sums of merged rows. Pure.
 *
 * A merged row has forgotten its players' scores. Its check sum, the sum of a hash of each, modulo 2^32, is kept up by
 * additions alone, as the count is. So a run that finds scores in the marks can tell whether they are those that the row
 * counts, and whether a row without players is really empty. The count cannot tell, as direct writes whose events are on
 * their way may cancel out in number. The events are counted later too, so rows that were made of such marks, or left
 * out, would be wrong for ever. Two different lists of the same length agree once in 4,000 million times.
 */

const bits = new DataView(new ArrayBuffer(8));

/** What so many players at a score add to the check sum of their row; a negative number of players takes as much from it. */
export function checkSum(score: number, players: number): number {
  bits.setFloat64(0, score === 0 ? 0 : score);
  return Math.imul(mixed(mixed(bits.getInt32(0) + 1) ^ bits.getInt32(4)), players);
}

/** The finalizer of MurmurHash3, which lets each bit change each other one. */
function mixed(word: number): number {
  const half = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  const other = Math.imul(half ^ (half >>> 13), 0xc2b2ae35);
  return other ^ (other >>> 16);
}

/** Check sums as a page has them: 4 bytes for each row, in base64. */
export function packChecks(checks: Int32Array): string {
  const bytes = Buffer.alloc(4 * checks.length);
  checks.forEach((check, row) => bytes.writeInt32LE(check, 4 * row));
  return bytes.toString("base64");
}

/** The inverse of {@link packChecks}. A row that the text is too short for gets 0. */
export function unpackChecks(text: string): (row: number) => number {
  const bytes = Buffer.from(text, "base64");
  return (row) => (4 * row + 4 <= bytes.length ? bytes.readInt32LE(4 * row) : 0);
}
