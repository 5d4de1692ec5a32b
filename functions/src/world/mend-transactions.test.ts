import { expect, test } from "vitest";
import type { Firestore } from "../documents/firestore.ts";
import { mendTransactions } from "./mend-transactions.ts";
import { grpc } from "./retryable.ts";

/** What a client makes of an error in a transaction's work. */
async function failureAfter(error: Error): Promise<unknown> {
  const client = { runTransaction: (work: (transaction: object) => Promise<unknown>) => work({}) };
  const db = mendTransactions(client as unknown as Firestore);
  return db.runTransaction(() => Promise.reject(error)).catch((failure: unknown) => failure);
}

const invalid = (details: string) =>
  Object.assign(new Error(`3 INVALID_ARGUMENT: ${details}`), { code: grpc.invalidArgument });

test("a transaction that the emulator aborted looks to the client like one that Firestore aborted", async () => {
  const error = invalid("Transaction is invalid or closed.");
  expect(await failureAfter(error)).toBe(error);
  expect(error.code).toBe(grpc.aborted);
});

test("all other errors stay unchanged", async () => {
  const error = invalid("A document cannot be written because it exceeds the maximum size allowed.");
  expect(await failureAfter(error)).toBe(error);
  expect(error.code).toBe(grpc.invalidArgument);
  expect(await failureAfter(new TypeError("x"))).toEqual(new TypeError("x"));
});
