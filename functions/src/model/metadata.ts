/** A player's metadata in JSON. Pure. */
import type { Entry } from "./answers.ts";

/**
 * The same metadata in plain JSON: NaN, which a trusted server may have stored, becomes null, and Firestore's own
 * values what their libraries make of them. Otherwise one such player would break a list for everybody.
 */
export function metadataAsJson(metadata: Record<string, unknown>): NonNullable<Entry["metadata"]> {
  return JSON.parse(JSON.stringify(metadata)) as Record<string, unknown>;
}
