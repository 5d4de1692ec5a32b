import { documentBytesMax } from "../../functions/src/model/limits.ts";

/**
 * Characters of one record of an imported file, so that an unclosed quote does not fill the memory. A document of the most
 * bytes has no more: a byte of it, such as a control character or `null`, has up to six characters in JSON.
 */
export const recordCharactersMax = 8 * documentBytesMax;

/** A record from a file: its value, not checked yet, or why there is none. */
export type FoundRecord = {
  /** Where it is, for messages: `line 17`; in a JSON array, which may be a single line, `item 17`. */
  place: string;
} & ({ value: unknown } | { problem: string });

/** What whoever imports a final table has to do: it has places, and lacks hidden players. */
export const insteadOfFinalTable =
  "npx --no-install firerank export <board> <file> --season <season> --players writes a file that can be imported";
