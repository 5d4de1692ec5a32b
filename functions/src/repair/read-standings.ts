/** The documents of a closed season's standings, in order. */
import type { DocumentSnapshot, Timestamp } from "../documents/firestore.ts";
import { type SeasonKey, standingsPath } from "../documents/paths.ts";
import { standingsReadAtOnce } from "../model/limits.ts";
import type { World } from "../world/world.ts";

export interface StandingsRead {
  /** The first document to read; 0 unless said otherwise. */
  from?: number;
  /** The fields to read; by default all. */
  fields?: string[];
  /** The read time; by default each chunk is read as it is at that moment. */
  at?: Timestamp;
}

/**
 * Documents 0, 1, 2 … until one is missing; more and more at a time, at most 20. Cost: 1 read a document, and 1 to 20
 * more for missing ones: at most one more than there are documents.
 */
export async function* standingsInOrder(
  { db }: Pick<World, "db">,
  key: SeasonKey,
  { from = 0, fields, at }: StandingsRead = {},
): AsyncGenerator<DocumentSnapshot[], undefined> {
  const options = fields === undefined ? {} : { fieldMask: fields };
  let size = 1;
  for (let start = from; ; start += size, size = Math.min(2 * size, standingsReadAtOnce)) {
    const refs = Array.from({ length: size }, (_, i) => db.doc(standingsPath(key, start + i)));
    const found =
      at === undefined
        ? await db.getAll(...refs, options)
        : await db.runTransaction((transaction) => transaction.getAll(...refs, options), {
            readOnly: true,
            readTime: at,
          });
    const end = found.findIndex(({ exists }) => !exists);
    const there = end === -1 ? found : found.slice(0, end);
    if (there.length > 0) yield there;
    if (end !== -1) return undefined;
  }
}
