/** Reads as of a time within the last hour, which Firestore keeps. */
import type { Firestore, Query, QuerySnapshot, Timestamp, Transaction } from "./firestore.ts";

/** Reads in one read-only transaction as of a time. */
export function asOf<Found>(
  db: Firestore,
  at: Timestamp,
  read: (transaction: Transaction) => Promise<Found>,
): Promise<Found> {
  return db.runTransaction(read, { readOnly: true, readTime: at });
}

/** A query as of a time. */
export function getAt(db: Firestore, at: Timestamp, query: Query): Promise<QuerySnapshot> {
  return asOf(db, at, (transaction) => transaction.get(query));
}
