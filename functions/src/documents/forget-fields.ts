/** Documents of which fields are forgotten, and which go with their last field. */
import { type DocumentSnapshot, FieldValue, type Transaction } from "./firestore.ts";

/** Deletes fields of a document, or the document where nothing else is in it. Cost: 1 write or delete; nothing if there is none. */
export function forgetFields(transaction: Transaction, found: DocumentSnapshot, ...names: string[]): void {
  const stored = Object.keys(found.data() ?? {});
  const gone = stored.filter((name) => names.includes(name));
  if (!found.exists || gone.length === 0) return;
  if (gone.length === stored.length) transaction.delete(found.ref);
  else transaction.update(found.ref, Object.fromEntries(gone.map((name) => [name, FieldValue.delete()])));
}
