import { expect, test } from "vitest";
import {
  asRetryable,
  grpc,
  grpcCode,
  isBeaten,
  isOvertaken,
  isRefused,
  isTooBig,
  mayShrink,
} from "./retryable.ts";

const failed = (code: unknown, text = "of the database") => Object.assign(new Error(text), { code });
const tooBig = "3 INVALID_ARGUMENT: Transaction too big. Decrease transaction size.";

test("callers are told to retry after a temporary error of the database", () => {
  const busy = { code: "contention", message: "The database was too busy. Send it again." };
  for (const code of [1, 2, 4, 8, 10, 13, 14])
    expect(asRetryable(failed(code), "Send it again.")).toMatchObject(busy);
  for (const code of [3, grpc.notFound, grpc.alreadyExists, 7, grpc.failedPrecondition, 16, "internal"])
    expect(asRetryable(failed(code), "")).toBeUndefined();
  for (const other of [new Error("of ours"), undefined, null, 13])
    expect(asRetryable(other, "")).toBeUndefined();
  expect([failed(10), failed("aborted")].map(grpcCode)).toEqual([10, undefined]);
});

test.each<[what: string, error: Error, isOvertaken: boolean, isBeaten: boolean]>([
  ["found a document that is new", failed(grpc.alreadyExists), true, true],
  ["found a document gone", failed(grpc.notFound), true, true],
  ["found a document changed", failed(grpc.failedPrecondition), true, true],
  ["was aborted", failed(grpc.aborted), true, true],
  // Nobody was first, but it is worth reading again.
  ["took too long", failed(grpc.deadlineExceeded), false, true],
  ["met a busy database", failed(grpc.unavailable), false, true],
  ["was invalid", failed(grpc.invalidArgument), false, false],
  ["met a fault", failed(grpc.internal), false, false],
  ["met an error of ours", new Error("of ours"), false, false],
])(
  "a guarded commit that %s: another writer was first %s, it is repeated %s",
  (...[, error, isFirst, again]) => {
    expect([isOvertaken(error), isBeaten(error)]).toEqual([isFirst, again]);
  },
);

test.each<[error: unknown, isTooBig: boolean, mayShrink: boolean]>([
  [failed(grpc.invalidArgument, tooBig), true, true],
  [failed(grpc.invalidArgument, "Request payload size exceeds the limit: 11534336 bytes."), true, true],
  [failed(grpc.invalidArgument, "The request is too large."), true, true],
  [failed(grpc.resourceExhausted), true, true],
  // A smaller one may take less long.
  [failed(grpc.deadlineExceeded), false, true],
  [failed(grpc.invalidArgument, "The value of a field is invalid."), false, false],
  [failed(grpc.aborted, tooBig), false, false],
  [new Error(tooBig), false, false],
  [undefined, false, false],
])("a commit with %s was too big: %s; it may shrink: %s", (error, isBig, shrinks) => {
  expect([isTooBig(error), mayShrink(error)]).toEqual([isBig, shrinks]);
});

test("a commit was refused for what is in it, and not because its transaction took too long", () => {
  expect(isRefused(failed(grpc.invalidArgument, "Too many index entries."))).toBe(true);
  expect(isRefused(failed(grpc.invalidArgument, "The referenced Transaction has expired."))).toBe(false);
  expect(isRefused(failed(grpc.aborted))).toBe(false);
});
