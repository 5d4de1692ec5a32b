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

test("only a number is a code of the database", () => {
  expect(grpcCode(failed(10))).toBe(10);
  expect(grpcCode(failed("aborted"))).toBeUndefined();
});

test("another writer was first if a guarded commit found a document changed, gone or new", () => {
  for (const code of [grpc.alreadyExists, grpc.notFound, grpc.failedPrecondition, grpc.aborted]) {
    expect(isOvertaken(failed(code))).toBe(true);
    expect(isBeaten(failed(code))).toBe(true);
  }
});

test("a commit that a busy database did not take is worth reading again, though nobody was first", () => {
  for (const code of [grpc.deadlineExceeded, grpc.unavailable]) {
    expect(isBeaten(failed(code))).toBe(true);
    expect(isOvertaken(failed(code))).toBe(false);
  }
});

test("after any other error a guarded commit is not repeated", () => {
  for (const error of [failed(grpc.invalidArgument), failed(grpc.internal), new Error("of ours")]) {
    expect(isOvertaken(error)).toBe(false);
    expect(isBeaten(error)).toBe(false);
  }
});

test("a commit was too big if Firestore says so, or that a resource is exhausted", () => {
  const refusal = (code: number, text: string) => Object.assign(new Error(text), { code });
  const tooBig = "3 INVALID_ARGUMENT: Transaction too big. Decrease transaction size.";
  for (const error of [
    refusal(grpc.invalidArgument, tooBig),
    refusal(grpc.invalidArgument, "Request payload size exceeds the limit: 11534336 bytes."),
    refusal(grpc.invalidArgument, "The request is too large."),
    failed(grpc.resourceExhausted),
  ]) {
    expect(isTooBig(error)).toBe(true);
    expect(mayShrink(error)).toBe(true);
  }
  for (const error of [
    refusal(grpc.invalidArgument, "The value of a field is invalid."),
    refusal(grpc.aborted, tooBig),
    new Error(tooBig),
    undefined,
  ]) {
    expect(isTooBig(error)).toBe(false);
    expect(mayShrink(error)).toBe(false);
  }
});

test("a commit that takes too long may get through when it is smaller", () => {
  expect(isTooBig(failed(grpc.deadlineExceeded))).toBe(false);
  expect(mayShrink(failed(grpc.deadlineExceeded))).toBe(true);
});

test("a commit was refused for what is in it, and not because its transaction took too long", () => {
  const invalid = (text: string) => Object.assign(new Error(text), { code: grpc.invalidArgument });
  expect(isRefused(invalid("Too many index entries."))).toBe(true);
  expect(isRefused(invalid("The referenced Transaction has expired."))).toBe(false);
  expect(isRefused(failed(grpc.aborted))).toBe(false);
});
