/** Errors of Firestore that a retry may cure. */
import { FirerankError } from "../model/errors.ts";

/** gRPC status codes: https://grpc.io/docs/guides/status-codes/. */
export const grpc = {
  cancelled: 1,
  unknown: 2,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  alreadyExists: 6,
  resourceExhausted: 8,
  failedPrecondition: 9,
  aborted: 10,
  internal: 13,
  unavailable: 14,
} as const;

/** Codes of temporary errors. After such an error the client library itself retries a transaction a few times. */
const retryable: (number | undefined)[] = [
  grpc.cancelled,
  grpc.unknown,
  grpc.deadlineExceeded,
  grpc.resourceExhausted,
  grpc.aborted,
  grpc.internal,
  grpc.unavailable,
];

/** The gRPC status code of an error of the Firestore client; undefined for other errors. */
export function grpcCode(error: unknown): number | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "number" ? error.code : undefined;
}

/** Whether an error of Firestore is temporary. */
export const isTemporary = (error: unknown): boolean => retryable.includes(grpcCode(error));

/** A `contention` error if the cause is temporary, otherwise undefined. */
export function asRetryable(cause: unknown, advice: string): FirerankError | undefined {
  if (!isTemporary(cause)) return undefined;
  return new FirerankError("contention", `The database was too busy. ${advice}`, {}, cause);
}

const overtaken: (number | undefined)[] = [
  grpc.alreadyExists,
  grpc.notFound,
  grpc.failedPrecondition,
  grpc.aborted,
];

/** Whether a commit with preconditions failed because another writer was first. */
export function isOvertaken(error: unknown): boolean {
  return overtaken.includes(grpcCode(error));
}

/**
 * Whether a commit failed because another writer was first or the database was busy, so that reading again may help.
 */
export function isBeaten(error: unknown): boolean {
  const code = grpcCode(error);
  return isOvertaken(error) || code === grpc.deadlineExceeded || code === grpc.unavailable;
}

/**
 * Whether Firestore refused a commit for its size: "Transaction too big. Decrease transaction size.", "Request payload
 * size exceeds the limit". RESOURCE_EXHAUSTED may be about the size or about a quota, so it counts as too big.
 */
export function isTooBig(error: unknown): boolean {
  const code = grpcCode(error);
  if (code === grpc.resourceExhausted) return true;
  return code === grpc.invalidArgument && /too (?:big|large)|exceed/i.test(String(error));
}

/**
 * Whether Firestore refuses a commit for its content: it is too large, or has a document that would be too large or
 * have too many index entries. A transaction that took too long gets the same code, and is told apart by its message.
 */
export function isRefused(error: unknown): boolean {
  return grpcCode(error) === grpc.invalidArgument && !/transaction has expired/i.test(String(error));
}

/** Whether a smaller commit may succeed after this error. */
export function mayShrink(error: unknown): boolean {
  return isTooBig(error) || grpcCode(error) === grpc.deadlineExceeded;
}
