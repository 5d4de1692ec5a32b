/** A record from a file: its value, not checked yet, or why there is none. */
export type FoundRecord = {
  /** Where it is, for messages: `line 17`; in a JSON array, which may be a single line, `item 17`. */
  place: string;
} & ({ value: unknown } | { problem: string });
