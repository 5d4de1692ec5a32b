/** The documents of a season's standings, in order. */
import { asOf } from "../documents/as-of.ts";
import type { DocumentSnapshot, Firestore, Timestamp } from "../documents/firestore.ts";
import { type SeasonKey, standingsPath } from "../documents/paths.ts";
import { standingsReadAtOnce } from "../model/limits.ts";

export interface StandingsRead {
  /** The fields to read; by default all. */
  fields?: string[];
  /** The read time; by default each chunk is read as it is at that moment. */
  at?: Timestamp | undefined;
}

/** The documents with some numbers, there or not, 20 at a time. Cost: 1 read a document. */
export async function* standingsInOrder(
  db: Firestore,
  key: SeasonKey,
  numbers: readonly number[],
  { fields, at }: StandingsRead = {},
): AsyncGenerator<DocumentSnapshot[], undefined> {
  const options = fields === undefined ? {} : { fieldMask: fields };
  for (let start = 0; start < numbers.length; start += standingsReadAtOnce) {
    const some = numbers.slice(start, start + standingsReadAtOnce);
    const refs = some.map((n) => db.doc(standingsPath(key, n)));
    const found =
      at === undefined
        ? await db.getAll(...refs, options)
        : await asOf(db, at, (transaction) => transaction.getAll(...refs, options));
    yield found;
  }
  return undefined;
}
