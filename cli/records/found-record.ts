/**
 * Characters of one record of an imported file: far more than a name and 1 KB of metadata need, so that an unclosed
 * quote does not fill the memory.
 */
export const recordCharactersMax = 65_536;

/** A record from a file: its value, not checked yet, or why there is none. */
export type FoundRecord = {
  /** Where it is, for messages: `line 17`; in a JSON array, which may be a single line, `item 17`. */
  place: string;
} & ({ value: unknown } | { problem: string });
