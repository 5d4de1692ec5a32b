/** Works around faults in the transactions of the client library and of Google's emulator. */
import type { Firestore, Transaction } from "../documents/firestore.ts";
import { grpc, grpcCode } from "./retryable.ts";

/**
 * Mends the transactions of a client:
 *
 * - If the first read of a read-only transaction fails, the transaction only rejects. Without this, the process ends:
 *   the client derives a second promise from the read, which nothing awaits, and an unhandled rejection ends a process.
 *   Remove this once the client has the fix of https://github.com/googleapis/google-cloud-node/pull/9122.
 * - If Google's emulator aborts a transaction in favour of another transaction, in the middle of a read, the client
 *   retries it, as after Firestore's ABORTED. The emulator says INVALID_ARGUMENT, as if the caller had made a mistake.
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

/**
 * Awaits the promise that the client derives from a transaction's first read. The read itself has reported the failure.
 */
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
