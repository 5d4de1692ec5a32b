/** Works around faults of the client library's and the emulator's transactions, in one place. */
import type { Firestore, Transaction } from "../documents/firestore.ts";
import { grpc, grpcCode } from "./retryable.ts";

/**
 * Mends the transactions of a client:
 *
 * - A read-only transaction whose first read fails rejects, and does nothing worse. The client derives a second promise
 *   from that read, which nothing awaits then, and an unhandled rejection ends the process. Remove this once it has the
 *   fix of https://github.com/googleapis/google-cloud-node/pull/9122.
 * - A transaction that Google's emulator aborts in favour of another one, in the middle of a read, is retried by the
 *   client, as after Firestore's ABORTED. The emulator says INVALID_ARGUMENT, as if the caller had made a mistake.
 * @returns the same client.
 */
export function mendTransactions(db: Firestore): Firestore {
  const runTransaction = db.runTransaction.bind(db);
  db.runTransaction = (work, options) =>
    runTransaction(async (transaction) => {
      try {
        return await work(transaction);
      } catch (error) {
        observeFirstRead(transaction);
        throw isGivenUpByEmulator(error) ? Object.assign(error, { code: grpc.aborted }) : error;
      }
    }, options);
  return db;
}

/** Awaits the promise that the client derives from a transaction's first read; the read itself has reported the failure. */
function observeFirstRead(transaction: Transaction): void {
  const { _transactionIdPromise: begun } = transaction as unknown as {
    _transactionIdPromise?: Promise<unknown>;
  };
  begun?.catch(() => undefined);
}

function isGivenUpByEmulator(error: unknown): error is Error {
  return (
    error instanceof Error &&
    grpcCode(error) === grpc.invalidArgument &&
    error.message.includes("Transaction is invalid or closed")
  );
}
