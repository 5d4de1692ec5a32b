/** A record as found: its value, not checked yet, or why there is none. */
export type FoundRecord = {
  /** Where it is, for people: `line 17`; in a JSON array, which may be one line, `item 17`. */
  place: string;
} & ({ value: unknown } | { problem: string });
