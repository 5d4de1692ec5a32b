/** The one place that names the Firestore client library, so that everything else shares one copy of its classes. */
import type { Firestore } from "@google-cloud/firestore";

export { FieldPath, FieldValue, Filter, Firestore, Timestamp } from "@google-cloud/firestore";
export type {
  CollectionReference,
  DocumentData,
  DocumentReference,
  DocumentSnapshot,
  Precondition,
  Query,
  QueryDocumentSnapshot,
  QuerySnapshot,
  Transaction,
  WriteBatch,
} from "@google-cloud/firestore";

/**
 * Sees to it that a read-only transaction whose first read fails rejects, and nothing else does. The client derives a
 * second promise from that read, which nobody awaits once the transaction is given up, and an unhandled rejection
 * ends the process, with whatever else it was answering. To be dropped with the fix of
 * https://github.com/googleapis/google-cloud-node/pull/9122.
 * @returns the same client.
 */
export function observeFailedReads(db: Firestore): Firestore {
  const runTransaction = db.runTransaction.bind(db);
  db.runTransaction = (work, options) =>
    runTransaction(async (transaction) => {
      try {
        return await work(transaction);
      } catch (error) {
        const { _transactionIdPromise: begun } = transaction as unknown as {
          _transactionIdPromise?: Promise<unknown>;
        };
        begun?.catch(() => undefined); // the first read has told
        throw error;
      }
    }, options);
  return db;
}
