import { expect, test } from "vitest";
import { z } from "zod";
import {
  errorWithin,
  FirerankError,
  firstProblem,
  forKnownOnly,
  invalidRequest,
  isBoardNotFound,
  outOfRange,
  nothingRankedYet,
} from "./errors.ts";

test("a refusal names each bad field in its message and in its details", () => {
  const fields = [
    { path: "submissions.3.score", message: "is missing" },
    { path: "", message: "must be an object" },
  ];
  const error = invalidRequest(fields);
  expect(error).toMatchObject({ name: "FirerankError", code: "invalid_request", details: { fields } });
  expect(error.message).toBe("submissions.3.score: is missing; must be an object");
  expect(outOfRange("columns.points", "301 is not from 0 to 300")).toMatchObject({
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

test("a value that only known callers may use is refused with its field and what would help", () => {
  const error = forKnownOnly("limit", "is above 100");
  expect(error.code).toBe("unauthenticated");
  expect(error.message).toMatch(/^limit: is above 100; sign in/);
  expect(error.details.fields).toEqual([{ path: "limit", message: error.message.slice("limit: ".length) }]);
});

test("an error about a part of a request gives the full paths of its fields", () => {
  const cause = new Error("deeper");
  const fieldsAt = (...paths: string[]) => paths.map((path) => ({ path, message: "is wrong" }));
  const details = { fields: fieldsAt("score", ""), retry_after_seconds: 5 };
  const outer = errorWithin("submissions.3", new FirerankError("invalid_request", "two", details, cause));
  const fields = fieldsAt("submissions.3.score", "submissions.3");
  expect(outer).toMatchObject({
    code: "invalid_request",
    message: "submissions.3.score: is wrong; submissions.3: is wrong",
    details: { ...details, fields },
    cause,
  });
  const plain = new FirerankError("player_banned", "banned");
  expect(errorWithin("submissions.3", plain)).toBe(plain);
});

test("a missing board is recognised by its code only, and not by errors that look alike", () => {
  expect(isBoardNotFound(new FirerankError("leaderboard_not_found", "none"))).toBe(true);
  expect(isBoardNotFound(new FirerankError("contention", "busy"))).toBe(false);
  expect(isBoardNotFound(Object.assign(new Error("none"), { code: "leaderboard_not_found" }))).toBe(false);
});

test("a season without a ranking answers that nobody is ranked yet, and names it", () => {
  const error = nothingRankedYet({ leaderboard: "arena", season: "all_time" });
  expect(error).toMatchObject({
    code: "player_not_ranked",
    message: expect.stringContaining('season "all_time" of leaderboard "arena"') as string,
  });
});

test("the first problem of a schema says where it is, unless it is the whole", () => {
  const page = z.object({ rows: z.array(z.number()) });
  const problemIn = (value: unknown) => firstProblem(page.safeParse(value).error ?? new z.ZodError([]));
  expect(problemIn({ rows: [1, "2"] })).toBe('rows.1: must be a finite number; this is the text "2"');
  expect(problemIn("text")).toBe('must be an object; this is the text "text"');
});
