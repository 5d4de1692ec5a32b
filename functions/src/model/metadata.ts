/** A player's metadata as JSON has it. Pure. */
import type { Entry } from "./answers.ts";

/**
 * The same metadata in plain JSON. A trusted server's document may hold what no answer can carry, and one such
 * player would fail a list for everybody: NaN becomes null, and Firestore's own values what their libraries make of them.
 */
export function metadataAsJson(metadata: Record<string, unknown>): NonNullable<Entry["metadata"]> {
  return JSON.parse(JSON.stringify(metadata)) as Record<string, unknown>;
}
