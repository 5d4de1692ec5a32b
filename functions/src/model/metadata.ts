/** A player's metadata in JSON. Pure. */
import type { Entry } from "./answers.ts";

/**
 * The same metadata in plain JSON. A trusted server's document may hold values that JSON does not have, and one
 * such player would break a list for everybody. So NaN becomes null, and Firestore's own values become what
 * their libraries make of them.
 */
export function metadataAsJson(metadata: Record<string, unknown>): NonNullable<Entry["metadata"]> {
  return JSON.parse(JSON.stringify(metadata)) as Record<string, unknown>;
}
