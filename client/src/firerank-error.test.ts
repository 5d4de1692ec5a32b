import { FirebaseError } from "firebase/app";
import { FunctionsError } from "firebase/functions";
import { describe, expect, test } from "vitest";
import { errorCodes } from "../../functions/src/model/errors.ts";
import {
  FirerankError,
  type FirerankErrorCode,
  leaderboardNotFound,
  toFirerankError,
} from "./firerank-error.ts";
import { isPassing } from "./retries.ts";

test("a refusal of Firerank keeps its code, its message, its fields and its cause", () => {
  const fields = [{ path: "score", message: "must be at most 100" }];
  const cause = new FunctionsError("out-of-range", "score: must be at most 100 [400]", {
    code: "score_out_of_range",
    fields,
  });
  const error = toFirerankError("submitScore", cause);
  expect(error).toBeInstanceOf(FirerankError);
  expect(error).toMatchObject({
    name: "FirerankError",
    code: "score_out_of_range",
    message: "score: must be at most 100",
    fields,
    retryAfterSeconds: undefined,
    cause,
  });
});

test("the error of a submission that came too soon says when to try again", () => {
  const details = { code: "too_frequent", retry_after_seconds: 4.5 };
  const error = toFirerankError(
    "submitScore",
    new FunctionsError("resource-exhausted", "Wait. [429]", details),
  );
  expect(error).toMatchObject({ code: "too_frequent", retryAfterSeconds: 4.5, fields: [] });
  expect(isPassing(error)).toBe(false);
});

describe("errors of Firebase itself", () => {
  const sdk = (code: ConstructorParameters<typeof FunctionsError>[0], message: string) =>
    new FunctionsError(code, message);
  const cases: [about: string, error: unknown, code: FirerankErrorCode, passes: boolean][] = [
    ["no answer at all", sdk("internal", "internal [0]"), "unavailable", true],
    ["a crashed instance", sdk("internal", "internal [500]"), "unavailable", true],
    ["a fault of the function", sdk("internal", "getRank failed [500]"), "internal", false],
    ["an answer cut off", sdk("internal", "Response is not valid JSON object."), "unavailable", true],
    ["somebody else's answer", sdk("internal", "Response is missing data field."), "unavailable", true],
    ["a gateway that lost the function", sdk("unknown", "unknown [502]"), "unavailable", true],
    ["a request that took too long to arrive", sdk("unknown", "unknown [408]"), "unavailable", true],
    ["a refusal cut off", sdk("invalid-argument", "invalid-argument [400]"), "unavailable", true],
    [
      "a function that nobody may call",
      sdk("permission-denied", "permission-denied [403]"),
      "permission_denied",
      false,
    ],
    [
      "a token that could not be fetched",
      new FirebaseError("auth/network-request-failed", "Firebase: Error"),
      "unavailable",
      true,
    ],
    ["a busy platform", sdk("resource-exhausted", "resource-exhausted [429]"), "unavailable", true],
    ["a platform that is down", sdk("unavailable", "unavailable [503]"), "unavailable", true],
    ["a transaction that lost", sdk("aborted", "aborted [409]"), "contention", true],
    ["a deleted app", new FirebaseError("aborted", "Firestore shutting down"), "cancelled", false],
    ["no answer in time", sdk("deadline-exceeded", "deadline-exceeded"), "deadline_exceeded", true],
    ["a function that is not there", sdk("not-found", "not-found [404]"), "function_not_found", false],
    ["a token that has expired", sdk("unauthenticated", "Unauthenticated [401]"), "unauthenticated", false],
    ["the security rules", new FirebaseError("permission-denied", "Missing"), "permission_denied", false],
    ["a device that is offline", new FirebaseError("unavailable", "client is offline"), "unavailable", true],
    ["an error of another kind", new TypeError("x is not a function"), "internal", false],
    ["no error at all", undefined, "internal", false],
  ];
  test.each(cases)("%s", (_, cause, code, passes) => {
    const error = toFirerankError("getRank", cause);
    expect(error).toMatchObject({ code, cause });
    expect(error.message).toMatch(/^getRank: /);
    expect(isPassing(error)).toBe(passes);
  });
});

test("a read that the security rules refuse says what to look at", () => {
  const refused = new FirebaseError("permission-denied", "evaluation error at L48:21");
  expect(toFirerankError("rankOf", refused).message).toBe(
    "rankOf: refused. Is the player signed in, or the board public?",
  );
});

test("what is missing of a board of a template is the template", () => {
  expect(leaderboardNotFound("arena").message).toContain("An admin creates it with saveLeaderboard.");
  expect(leaderboardNotFound("level:7").message).toContain("creates its template with saveLeaderboard.");
});

test("a FirerankError stays as it is", () => {
  const error = new FirerankError("player_banned", "no");
  expect(toFirerankError("getRank", error)).toBe(error);
});

test.each(errorCodes)("%s is a code of the client too", (code: FirerankErrorCode) => {
  expect(toFirerankError("x", new FunctionsError("internal", "m", { code })).code).toBe(code);
});
