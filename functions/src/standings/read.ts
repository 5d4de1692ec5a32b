/** The documents of a season's standings, in order. */
import { asOf } from "../documents/as-of.ts";
import type { DocumentSnapshot, Firestore, Timestamp, Transaction } from "../documents/firestore.ts";
import { type SeasonKey, standingsPath } from "../documents/paths.ts";
import { standingsReadAtOnce } from "../model/limits.ts";
import { type Packed, unpack } from "./pack.ts";

/** A document of the standings with the metadata beside it. Cost: 1 read where it has metadata. */
export async function packedIn(transaction: Transaction, document: DocumentSnapshot): Promise<Packed> {
  const packed = unpack(document.data());
  if (!packed.standings.has_metadata) return packed;
  const { ref } = document;
  const beside = await transaction.get(ref.parent.doc(`${ref.id}-metadata`));
  return unpack(document.data(), beside.data());
}

/**
 * The documents with some numbers as of one time, there or not, 20 at a time. Cost: 1 read a document.
 * @param fieldMask the fields to read; by default all.
 */
export async function* standingsInOrder(
  db: Firestore,
  key: SeasonKey,
  numbers: readonly number[],
  at: Timestamp,
  ...fieldMask: string[]
): AsyncGenerator<DocumentSnapshot[], undefined> {
  const options = fieldMask.length === 0 ? {} : { fieldMask };
  for (let start = 0; start < numbers.length; start += standingsReadAtOnce) {
    const some = numbers.slice(start, start + standingsReadAtOnce);
    const refs = some.map((n) => db.doc(standingsPath(key, n)));
    yield await asOf(db, at, (transaction) => transaction.getAll(...refs, options));
  }
  return undefined;
}
