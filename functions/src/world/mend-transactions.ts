/** Faults of transactions, of the client library and of the emulator, mended in one place. */
import type { Firestore, Transaction } from "../documents/firestore.ts";
import { grpc, grpcCode } from "./retryable.ts";

/**
 * Mends the transactions of a client:
 *
 * - A read-only transaction whose first read fails rejects, and nothing else does. The client derives a second promise
 *   from that read, which nobody awaits once the transaction is given up, and an unhandled rejection ends the process,
 *   with whatever else it was answering. To be dropped with the fix of
 *   https://github.com/googleapis/google-cloud-node/pull/9122.
 * - A transaction that Google's emulator gives up for another one, in the middle of a read, is tried again by the client,
 *   as after the ABORTED that Firestore answers. The emulator says INVALID_ARGUMENT, as of a fault of the caller.
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

/** Awaits the promise that the client derives from a transaction's first read, which has told of its failure itself. */
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
