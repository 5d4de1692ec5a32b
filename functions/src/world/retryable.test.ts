import { expect, test } from "vitest";
import { asRetryable, grpc } from "./retryable.ts";

const failed = (code: unknown) => Object.assign(new Error("of the database"), { code });

test("callers are told to retry after a temporary error of the database", () => {
  for (const code of [1, 2, 4, 8, 10, 13, 14]) {
    expect(asRetryable(failed(code), "Send it again.")).toMatchObject({
      code: "contention",
      message: "The database was too busy. Send it again.",
    });
  }
});

test("an error that a retry would meet again is not temporary", () => {
  for (const code of [3, grpc.notFound, grpc.alreadyExists, 7, grpc.failedPrecondition, 16, "internal"])
    expect(asRetryable(failed(code), "")).toBeUndefined();
  for (const other of [new Error("of ours"), undefined, null, 13])
    expect(asRetryable(other, "")).toBeUndefined();
});
