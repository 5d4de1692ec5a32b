import { expect, test } from "vitest";
import { FirerankError, invalidRequest, outOfRange } from "./errors.ts";

test("an invalid request names each bad field in its message and in its details", () => {
  const fields = [
    { path: "submissions.3.score", message: "is missing" },
    { path: "", message: "must be an object" },
  ];
  const error = invalidRequest(fields);
  expect(error).toMatchObject({ code: "invalid_request", details: { fields } });
  expect(error.message).toBe("submissions.3.score: is missing; must be an object");
});

test("a score out of range names its field", () => {
  const error = outOfRange("columns.points", "301 is not from 0 to 300");
  expect(error).toBeInstanceOf(FirerankError);
  expect(error).toMatchObject({
    code: "score_out_of_range",
    message: "columns.points: 301 is not from 0 to 300",
    details: { fields: [{ path: "columns.points", message: "301 is not from 0 to 300" }] },
  });
});

test("an error keeps its cause, and has none where there was none", () => {
  const cause = new Error("ABORTED");
  expect(new FirerankError("contention", "retry", {}, cause).cause).toBe(cause);
  expect(new FirerankError("contention", "retry")).not.toHaveProperty("cause");
});
